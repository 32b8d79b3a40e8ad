"""A proof whose own browser fails is made in another one; only two that fail leave a failure unproved."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.proof.prover import Prover
from agent.run.evaluation import prove_again
from tests.faults.command import evaluate
from tools.browser.stage import Stage
from tools.errors import StageFault
from tools.evidence.ledger import Ledger

PAGE = """<!doctype html><html lang="en"><title>Notes</title><body style="background:#fff">
<h1>Notes</h1><p id="pale" style="color:#eee;font-size:16px">Everything you wrote down this week</p></body></html>"""


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that found one pale text on an untouched page."""
    folder = tmp_path_factory.mktemp("proofs")
    (folder / "page.html").write_text(PAGE, encoding="utf-8")
    evaluate(folder / "page.html", folder / "run", "--max-acts", "2", "--no-prove")
    return folder / "run"


class _Broken:
    """Opens fresh browsers, of which the first ones do not come up."""

    def __init__(self, times: int) -> None:
        self.times = times
        self.opened = Prover._open

    async def __call__(self, prover: Prover, ledger: Ledger, *, listen: bool = False) -> Stage:
        self.times -= 1
        if self.times >= 0:
            raise StageFault("Chromium did not come up.")
        return await self.opened(prover, ledger, listen=listen)


@pytest.mark.parametrize(("times", "status"), [(1, "confirmed"), (2, "not_attempted")])
async def test_one_browser_that_fails_leaves_nothing_unproved(
    sealed: Path, times: int, status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second browser confirms what the first could not be asked; the reason tells when both failed."""
    broken = _Broken(times)

    async def opens(prover: Prover, ledger: Ledger, *, listen: bool = False) -> Stage:
        return await broken(prover, ledger, listen=listen)

    monkeypatch.setattr(Prover, "_open", opens)
    proofs, verdict = await prove_again(sealed)
    (pale,) = [failure for failure in verdict.failures if failure.category == "low_contrast"]
    assert proofs[pale.id].status == status
    assert times == 1 or "did not come up" in proofs[pale.id].reason
