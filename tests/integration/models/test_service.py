"""Models in use over both wire formats: forms, records, cassettes, budgets, caching, referees."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from pydantic import BaseModel

from configs.settings import ModelSettings
from prompts import Prompt, fenced, ours
from tests.integration.models.conftest import Opens, names
from tests.standins.server import KEY, standing_in
from tests.standins.talk import Asked, Say, in_turn
from tools.evidence.ledger import Ledger
from tools.evidence.model_rows import ModelCalled
from tools.evidence.record import Record
from tools.models.opening import open_models
from tools.models.probe import _one_colour
from tools.models.protocol import Answer, Ask, Picture, Text, Tool, Turn
from tools.models.trouble import BudgetSpent, ModelTrouble

VENDORS = pytest.mark.parametrize("vendor", ["openai", "anthropic"])
PREFIX = "You read what a page shows and say what can be pressed. " * 90
PROMPT = Prompt("decider", "step", 1, "0" * 64, ours(PREFIX), ours("The brief: a clock. " * 40), ours("Now."))


class Press(BaseModel):
    """Press a key."""

    key: str
    times: int = 1


class Look(BaseModel):
    """Look closer."""

    at: str


TOOLS = (Tool("press", "Presses a key.", Press), Tool("look", "Looks closer.", Look))


def pressing(turns: tuple[Turn, ...] = (), **changes: object) -> Ask:
    """A question that wants one tool called."""
    return Ask("decider", PROMPT, (Text(fenced("page", "A button.")),), tools=TOOLS, must_call=True, turns=turns, **changes)  # type: ignore[arg-type]


@VENDORS
async def test_a_call_its_result_and_the_next_call(vendor: str, opened: Opens) -> None:
    """A tool's result, words and a picture, goes back in the vendor's own form; the stand-in would refuse any other."""
    script = in_turn(Say(calls=(("look", {"at": "m1"}),)), Say(text="I see.", calls=(("press", {"key": "a", "times": 2}),)))
    models, standin, _ = opened(vendor, script)
    first = await models.ask(pressing())
    seen = (Text(fenced("seen", "It says GO.")), Picture(_one_colour((9, 9, 9)), ours("The part:"), width=64, height=64))
    second = await models.ask(pressing((Turn(first.text, first.calls, (seen,)),)))
    assert [(call.name, call.arguments) for call in second.calls] == [("press", {"key": "a", "times": 2})]
    assert "It says GO." in standin.asked[1].text
    assert len(standin.asked[1].pictures) == 1
    assert standin.asked[1].tools == ("press", "look")


@VENDORS
async def test_the_second_step_reads_the_first_ones_prefix_from_the_cache(vendor: str, opened: Opens) -> None:
    """What does not change is cached by the vendor, and priced as cached."""
    models, _, folder = opened(vendor, lambda _: Say(calls=(("press", {"key": "a"}),)))
    first, second = [await models.ask(pressing(sample=step)) for step in (1, 2)]
    assert first.usage.cached == 0
    assert second.usage.cached > 1000
    assert second.cost_usd is not None
    assert first.cost_usd is not None
    assert second.cost_usd < first.cost_usd
    rows = [called for _, called in Record.read(folder).of(ModelCalled)]
    assert [row.tokens_cached for row in rows] == [0, second.usage.cached]
    spent = models.spent()
    assert (spent.calls, spent.input) == (2, first.usage.input + second.usage.input)
    assert spent.cost_usd == pytest.approx(first.cost_usd + second.cost_usd)


async def test_the_same_question_is_answered_from_the_run(opened: Opens, tmp_path: Path) -> None:
    """Asked again, also by another process and after the seal, it costs nothing and writes nothing; another sample is asked."""
    models, standin, folder = opened("openai", lambda asked: Say(calls=(("press", {"key": str(asked.number)}),)))
    first = await models.ask(pressing())
    again = await models.ask(pressing())
    assert (again.calls, again.from_cache, again.call_id) == (first.calls, True, first.call_id)
    later = open_models(ModelSettings(**names("openai", standin)), folder, recorded_only=True)
    assert (await later.ask(pressing())).calls == first.calls
    with pytest.raises(ModelTrouble) as caught:
        await later.ask(pressing(sample=1))
    assert caught.value.kind == "not_recorded"
    assert (await models.ask(pressing(sample=1))).calls != first.calls
    assert len(standin.asked) == 2
    assert len(list(Record.read(folder).of(ModelCalled))) == 2


async def test_a_recorded_trouble_is_the_same_trouble_again(opened: Opens) -> None:
    """Judging again takes the fallbacks that were taken, without asking."""
    models, standin, folder = opened("openai", lambda _: Say(text="no"))
    with pytest.raises(ModelTrouble) as first:
        await models.ask(pressing())
    later = open_models(ModelSettings(**names("openai", standin)), folder, recorded_only=True)
    with pytest.raises(ModelTrouble) as second:
        await later.ask(pressing())
    assert (first.value.kind, first.value.call_id) == (second.value.kind, second.value.call_id) == ("malformed", "e000001")
    assert len(standin.asked) == 2


async def test_after_the_seal_calls_have_a_ledger_of_their_own(opened: Opens) -> None:
    """A sealed ledger takes nothing more; the second one is chained, too, and its ids say where they lie."""
    models, _, folder = opened("anthropic", lambda asked: Say(calls=(("press", {"key": str(asked.number)}),)))
    before = await models.ask(pressing())
    models._journal._ledger.seal(complete=True)  # type: ignore[union-attr]
    rows = len(Record.read(folder).rows)
    after = await models.ask(pressing(sample=1))
    assert before.call_id.startswith("e0")
    assert after.call_id == "judging/e000001"
    assert len(Record.read(folder).rows) == rows
    [(row, called)] = Record.read(folder / "judging").of(ModelCalled)
    assert row.blob is not None
    told = json.loads(Record.read(folder / "judging").blobs.get(row.blob))
    assert told["exchanges"][0]["raw"]["stop"] == "tool_use"
    assert called.prompt == PROMPT.key
    assert models.spent().calls == 2


async def test_a_cassette_plays_without_key_and_endpoint(opened: Opens, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Recorded once, it answers for another run with nobody there; what it does not hold is refused."""
    tape = tmp_path / "tape"
    models, _, _ = opened("openai", lambda _: Say(calls=(("press", {"key": "a"}),)), cassette=tape)
    first = await models.ask(pressing())
    monkeypatch.delenv("OPENAI_API_KEY")
    played = ModelSettings(model="openai:gpt-4o", base_url="http://127.0.0.1:9/v1", cassette=tape, cassette_mode="play")
    other = open_models(played, tmp_path / "other")
    second = await other.ask(pressing())
    assert (second.calls, second.attempts) == (first.calls, 0)
    with pytest.raises(ModelTrouble, match="no recorded reply"):
        await other.ask(pressing(sample=7))
    [(_, row)] = Record.read(tmp_path / "other" / "judging").of(ModelCalled)
    assert (row.requests, row.tokens_in, row.cost_usd) == (0, 0, 0.0)


async def test_a_budget_ends_the_asking_and_says_so(opened: Opens) -> None:
    """The call that could pass it is not made; the row tells of the refusal."""
    models, standin, folder = opened("openai", lambda _: Say(calls=(("press", {"key": "a"}),)), stage_tokens={"explore": 9000})
    await models.ask(pressing())
    await models.ask(pressing(sample=1))
    with pytest.raises(BudgetSpent, match="stage explore"):
        await models.ask(pressing(sample=2))
    assert len(standin.asked) == 2
    rows = [called for _, called in Record.read(folder).of(ModelCalled)]
    assert rows[-1].outcome == "budget"
    assert sum(row.tokens_in + row.tokens_out for row in rows) <= 9000


async def test_a_wrong_key_is_told_without_the_key(opened: Opens, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line, the variable to look at, and no secret, although the endpoint repeats it."""
    monkeypatch.setenv("OPENAI_API_KEY", "not-the-right-one-4711")
    models, _, folder = opened("openai", lambda _: Say())
    with pytest.raises(ModelTrouble, match="OPENAI_API_KEY") as caught:
        await models.ask(pressing())
    assert caught.value.kind == "not_authorised"
    everything = str(caught.value) + "".join(path.read_text() for path in folder.rglob("*") if path.is_file())
    assert "4711" not in everything


async def test_what_a_check_objects_to_is_repaired_once(opened: Opens) -> None:
    """A reply in the right form that makes no sense goes back with the objection."""
    script = in_turn(Say(calls=(("press", {"key": "z"}),)), Say(calls=(("press", {"key": "a"}),)))
    models, standin, _ = opened("anthropic", script)

    def check(answer: Answer) -> str:
        return "" if answer.calls[0].arguments["key"] == "a" else "There is no such key."

    answer = await models.ask(pressing(check=check))
    assert answer.calls[0].arguments["key"] == "a"
    assert "There is no such key." in standin.asked[1].last


class _Small:
    """An endpoint without tools and eyes that holds replies to a schema, as small local servers do."""

    def __call__(self, asked: Asked) -> Say:
        if asked.pictures:
            return Say(status=400, error="invalid_request_error", text="no images")
        if asked.schema is None:
            return Say(text="lantern")
        if "anyOf" in asked.schema:
            return Say(text='{"tool": "press", "arguments": {"key": "q", "times": 1}}')
        return Say(text='{"kind": "papaya", "count": 2}')


async def test_capabilities_are_probed_and_fallbacks_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No tools: a JSON object held to a schema takes their place; no pictures: a line says so; all of it is written down."""
    with standing_in(_Small()) as standin:
        settings = ModelSettings(model="llamacpp:small", base_url=standin.openai_url)
        monkeypatch.setenv("LLAMACPP_API_KEY", KEY)
        ledger = Ledger.create(tmp_path / "run")
        models = open_models(settings, tmp_path / "run", ledger)
        able = await models.capabilities("decider")
        assert (able.tools, able.schema, able.pictures, able.context_tokens) == (False, "native", False, 32768)
        probes = len(standin.asked)
        picture = Picture(_one_colour((1, 2, 3)), ours("The page:"), width=64, height=64)
        answer = await models.ask(Ask("decider", PROMPT, (picture,), tools=TOOLS, must_call=True))
        assert answer.calls[0].arguments == {"key": "q", "times": 1}
        assert "no tools" in answer.note
        assert "takes no pictures" in answer.note
        assert "(pictures not shown: this model takes none)" in standin.asked[-1].text
        again = open_models(settings, tmp_path / "run")
        assert await again.capabilities("scorer") == able
        assert len(standin.asked) == probes + 1
        await models.aclose()
        ledger.close()


async def test_many_at_once_all_arrive(opened: Opens) -> None:
    """Twenty questions in parallel, a crowded endpoint among them: each gets its own answer, and the limit adapts."""
    crowd = {"seen": 0}

    def script(asked: Asked) -> Say:
        crowd["seen"] += 1
        if crowd["seen"] % 5 == 2:
            return Say(status=429, error="rate_limit_error", headers={"retry-after-ms": "20"})
        return Say(calls=(("press", {"key": asked.last[-3:]}),))

    models, _, folder = opened("openai", script, at_once=8, tries=8)

    async def one(number: int) -> str:
        prompt = Prompt("decider", "step", 1, "0" * 64, ours("rules"), ours(""), ours("."))
        ask = Ask("decider", prompt, (Text(ours(f"number {number:03d}")),), tools=TOOLS, must_call=True)
        return (await models.ask(ask)).calls[0].arguments["key"]

    got = await asyncio.gather(*(one(number) for number in range(20)))
    assert got == [f"{number:03d}" for number in range(20)]
    rows = [called for _, called in Record.read(folder).of(ModelCalled)]
    assert len(rows) == 20
    assert sum(row.requests for row in rows) == crowd["seen"]


async def test_a_model_that_always_thinks_is_asked_in_words(opened: Opens) -> None:
    """Where a tool can't be demanded it is offered; calls go back as text, for its thoughts would have to go with them."""
    said = in_turn(Say(text="Let me look."), Say(calls=(("look", {"at": "m1"}),)), Say(calls=(("press", {"key": "a"}),)))
    models, standin, _ = opened("anthropic", said, model="anthropic:claude-opus-5-5")
    first = await models.ask(pressing())
    assert (first.calls[0].name, first.note) == ("look", "repaired: malformed")
    second = await models.ask(pressing((Turn(first.text, first.calls, ((Text(fenced("seen", "It says GO.")),),)),)))
    assert second.calls[0].name == "press"
    assert "It says GO." in standin.asked[2].last
    assert (await models.capabilities("scorer")).schema == "native"


async def test_a_trouble_of_the_network_is_the_same_again_where_nothing_may_be_asked(opened: Opens) -> None:
    """In the same process and for `assay verify` it fails alike; a new judging asks anew."""
    broken = {"is": True}

    def script(_: Asked) -> Say:
        return Say(status=500) if broken["is"] else Say(calls=(("press", {"key": "a"}),))

    models, standin, folder = opened("openai", script, tries=2)
    for _ in range(2):
        with pytest.raises(ModelTrouble, match="failed: 500"):
            await models.ask(pressing())
    assert len(standin.asked) == 2
    settings = ModelSettings(**names("openai", standin))
    with pytest.raises(ModelTrouble, match="failed: 500"):
        await open_models(settings, folder, recorded_only=True).ask(pressing())
    broken["is"] = False
    anew = open_models(settings, folder)
    assert (await anew.ask(pressing())).calls[0].name == "press"
    await anew.aclose()


async def test_a_question_given_up_is_written_down(opened: Opens) -> None:
    """Whoever asked had no more time: the row is there all the same."""
    models, _, folder = opened("openai", lambda _: Say(first_s=20.0))
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.5):
            await models.ask(pressing())
    [(_, row)] = Record.read(folder).of(ModelCalled)
    assert (row.outcome, row.requests) == ("given_up", 1)
