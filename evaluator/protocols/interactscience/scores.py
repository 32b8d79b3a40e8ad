"""InteractScience's figures from the test runner's JSON reports, without a browser (arXiv 2510.09724).

*compat* counts as the released script does: only tests inside a `describe` block, files without such tests left out – which
passes over 29 of the 779 tests. *strict* counts every test and sets apart what no page could pass or fail: a spec that
compares with a picture nobody made, and one that is broken itself.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from tools.errors import UserError, why

Mode = Literal["strict", "compat"]
Apart = Literal["no_baseline", "foreign_baseline", "broken_spec", "not_run"]
"""First run of a named picture · compared with another model's picture · the spec's own mistake · skipped or interrupted."""

LONGEST_SAID = 2000
_ANSI = re.compile(r"\x1b\[[0-9;]*m")
_NO_BASELINE = re.compile(r"A snapshot doesn't exist at .*writing actual", re.DOTALL)
_BASELINE = re.compile(r"-snapshots/[^\s]*\.png")
_BROKEN = (
    (re.compile(r"TypeError: file\.slice is not a function"), "a buffer where a file name is wanted"),
    (re.compile(r"Malformed value"), "a value that such a field cannot hold"),
)
_VALUES = re.compile(r'Expected string: "([^"\n]*)"\s+Received string: "([^"\n]*)"')


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Case(_Frozen):
    """One test of a spec, as it ended."""

    file: str
    title: str
    passed: bool
    in_describe: bool
    """Directly inside a `describe` block of its file: what the released script sees."""
    status: str
    apart: Apart | None = None
    why: str = ""
    said: str = Field(default="", repr=False)
    """What the runner said of a test that did not pass, without colours."""


class Rates(_Frozen):
    """Pass rates, 0–1."""

    mode: Mode
    overall: float | None
    """Over tests."""
    average: float | None
    """Mean over files of their rate."""
    perfect: float | None
    """Share of the files all of whose tests pass."""
    passed: int
    tests: int
    """What the rates are over."""
    files: int
    counted: int
    """All tests of the report, those set apart included."""
    apart: dict[str, int]
    """Reason → tests set apart (strict only)."""


def read_report(path: Path) -> tuple[Case, ...]:
    """The cases of a report of Playwright's JSON reporter. Raises `UserError` if it is none."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise UserError(f"{path} can't be read as JSON: {why(error)}.") from error
    suites = data.get("suites") if isinstance(data, dict) else None
    if not isinstance(suites, list):
        raise UserError(f"{path} is no report of Playwright's JSON reporter.", hint="It has a list `suites`.")
    try:
        return tuple(case for suite in suites for case in _of_suite(suite, suite["file"], 0, ()))
    except (KeyError, TypeError, AttributeError) as error:
        raise UserError(f"{path}: a suite is not as Playwright writes it ({error!r}).") from error


def _of_suite(suite: Mapping[str, Any], file: str, depth: int, path: tuple[str, ...]) -> Iterator[Case]:
    for spec in suite.get("specs", []):
        for test in spec.get("tests", []):
            yield _case(test, file, " › ".join((*path, spec["title"])), in_describe=depth == 1)
    for inner in suite.get("suites", []):
        yield from _of_suite(inner, file, depth + 1, (*path, inner["title"]))


def _case(test: Mapping[str, Any], file: str, title: str, *, in_describe: bool) -> Case:
    results = test.get("results", [])
    passed = any(result.get("status") == "passed" for result in results)
    status = "passed" if passed else results[-1]["status"] if results else "skipped"
    messages = [] if passed else [_message(result) for result in results]
    apart, why = (None, "") if passed else _apart(status, messages)
    said = "\n".join(messages)[:LONGEST_SAID]
    return Case(file=file, title=title, passed=passed, in_describe=in_describe, status=status, apart=apart, why=why, said=said)


def _message(result: Mapping[str, Any]) -> str:
    errors = result.get("errors") or ([result["error"]] if result.get("error") else [])
    return _ANSI.sub("", "\n".join(str(error.get("message", "")) for error in errors))


def _apart(status: str, messages: Sequence[str]) -> tuple[Apart | None, str]:
    """Whether a test that did not pass says nothing about the page, and why."""
    if status in {"skipped", "interrupted"}:
        return "not_run", status
    text = "\n".join(messages)
    if _NO_BASELINE.search(text):
        return "no_baseline", "it compares with a picture that was never made"
    for pattern, reason in _BROKEN:
        if pattern.search(text):
            return "broken_spec", reason
    values = _VALUES.search(text)
    if values and _same_number(*values.groups()):
        return "broken_spec", f"it wants {values[1]!r} of a field that writes the same number {values[2]!r}"
    if _BASELINE.search(text) and ("Expected an image" in text or "pixels (ratio" in text):
        return "foreign_baseline", "it compares with the picture of another run"
    return None, ""


def _same_number(text: str, other: str) -> bool:
    try:
        return text != other and float(text) == float(other)
    except ValueError:
        return False


def pft(cases: Sequence[Case], mode: Mode = "strict") -> Rates:
    """Functional tests: overall, average and perfect pass rate; None where no test is left to count."""
    chosen = [case for case in cases if (case.in_describe if mode == "compat" else case.apart is None)]
    files: dict[str, list[bool]] = defaultdict(list)
    for case in chosen:
        files[case.file].append(case.passed)
    return Rates(
        mode=mode,
        overall=_share([case.passed for case in chosen]),
        average=_mean([sum(passed) / len(passed) for passed in files.values()]),
        perfect=_share([all(passed) for passed in files.values()]),
        passed=sum(case.passed for case in chosen),
        tests=len(chosen),
        files=len(files),
        counted=len(cases),
        apart={} if mode == "compat" else dict(sorted(Counter(case.apart for case in cases if case.apart).items())),
    )


def action_rate(cases: Sequence[Case]) -> float | None:
    """Visual tests: share of the cases whose actions reached their screenshot. Skipped ones did not."""
    return _share([case.passed for case in cases])


class Looks(_Frozen):
    """A visual test's likeness or judgement: 0–1 similarity, or item scores of 1–5."""

    id: str
    screenshot: int
    clip: float | None = None
    items: tuple[float, ...] = ()
    """Empty: not judged. A missing picture is judged 0 for the case."""
    missing: bool = False


def clip_score(rows: Sequence[Looks]) -> float | None:
    """CLIP on 0–100 as published: mean over problems of the mean over their pictures; a missing picture counts 0."""
    groups: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        if row.missing or row.clip is not None:
            groups[row.id].append(0.0 if row.missing else row.clip or 0.0)
    mean = _mean([sum(values) / len(values) for values in groups.values()])
    return None if mean is None else 100 * mean


def judge_score(rows: Sequence[Looks]) -> float | None:
    """The judge on 0–100 as published: 20 × the mean over cases of the mean item score (1–5); a missing picture counts 0."""
    scores = [0.0 if row.missing else sum(row.items) / len(row.items) for row in rows if row.missing or row.items]
    mean = _mean(scores)
    return None if mean is None else 20 * mean


def difficulty(components: int) -> str:
    """By the number of interactive components: 1–3 easy, 4–6 medium, 7 and more hard."""
    return "easy" if components <= 3 else "medium" if components <= 6 else "hard"


def _share(flags: Sequence[bool]) -> float | None:
    return sum(flags) / len(flags) if flags else None


def _mean(values: Sequence[float]) -> float | None:
    # fsum: the same files in another order give the same last digit.
    return math.fsum(values) / len(values) if values else None
