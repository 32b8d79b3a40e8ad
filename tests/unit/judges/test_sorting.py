"""Checklists and the sorting of briefs, with a model and without, in English and Chinese."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.judges import analyst, checklist
from evaluator.judges.analyst import DOMAINS, analyse, class_of
from evaluator.judges.checklist import write_checklist
from tests.unit.evaluator.records import promise
from tests.unit.judges.looks import Scripted
from tests.unit.judges.test_baseline import ITEMS
from tools.models.trouble import BudgetSpent, ModelTrouble

POMODORO = (
    "Please create a beautiful, modern pomodoro timer. It counts down from 25:00, can be started, paused and reset, and plays a "
    "sound at the end. Completed rounds are counted and survive a reload. Use plain JavaScript in a single file."
)
JIANZHI = (
    "做一个剪纸窗花生成器:在扇形区域里用鼠标画出要剪掉的形状,右侧立即显示展开后的窗花。"
    "可以选择六瓣或八瓣,支持撤销和清空,以及下载成PNG图片。"
)
STARTER = Path(__file__).parents[3] / "configs" / "queries" / "starter.jsonl"


async def test_a_checklist_without_a_model() -> None:
    """Four items hold the brief's weightiest asks, six the general aspects in their order; style and technique are no asks."""
    made = await write_checklist(None, POMODORO)
    assert made.source == "rules"
    assert made.note == "there is no model"
    assert len(made.items) == 10
    assert made.best == 100
    text = " ".join(item.description for item in made.items[:4])
    assert "25:00" in text
    assert "reload" in text
    assert "single file" not in text
    assert [item.title for item in made.items[4:]] == [
        "Robustness", "Innovation", "Redundancy", "Engineering", "Visual design", "Smooth interaction",
    ]  # fmt: skip
    assert sum(item.orientation == "vision" for item in made.items) == 5


async def test_a_chinese_brief_gets_a_chinese_checklist() -> None:
    """The language follows the brief, by code or by its signs."""
    made = await write_checklist(None, JIANZHI)
    assert made.items[4].title == "健壮性"
    assert any("撤销" in item.description for item in made.items[:4])
    assert await write_checklist(None, JIANZHI, "zh-CN") == made


async def test_promises_that_were_read_already_are_used() -> None:
    """Central promises come first; what is missing to four is filled with general ones."""
    told = [promise("p1", "a footer"), promise("p2", "items are added", central=True)]
    made = await write_checklist(None, "A list", "en", promises=told)
    assert "items are added" in made.items[0].description
    assert "a footer" in made.items[1].description
    assert made.items[2].title == "Content fits the request"


async def test_a_checklist_by_a_model() -> None:
    """Ten items as the model wrote them; the brief stays inside its block."""
    models = Scripted(checklist_writer={"items": ITEMS})
    made = await write_checklist(models, POMODORO)
    assert made.source == "model"
    assert [item.number for item in made.items] == list(range(1, 11))
    prompt = models.asks[0].prompt
    assert POMODORO in prompt.tail
    assert "pomodoro" not in prompt.prefix


@pytest.mark.parametrize(
    "reply",
    [{"items": ITEMS[:9]}, {"items": [*ITEMS[:9], {**ITEMS[9], "description": ""}]}, ModelTrouble("refused", "no")],
    ids=["nine", "blank", "refused"],
)
async def test_a_bad_checklist_is_written_by_rule(reply: dict[str, object] | ModelTrouble) -> None:
    """Nine items, an empty one, a refusal: the rules write it and say why."""
    made = await write_checklist(Scripted(checklist_writer=reply), POMODORO)
    assert made.source == "rules"
    assert made.note.startswith("the model")


@settings(deadline=None)  # the first text loads the encoder
@given(st.text(max_size=400))
def test_any_text_gets_ten_items(brief: str) -> None:
    """Whatever the brief, there are ten items that say something, the same every time."""
    made = checklist.by_rule(brief)
    assert len(made.items) == 10
    assert all(item.title.strip() and item.description.strip() for item in made.items)
    assert checklist.by_rule(brief) == made


@pytest.mark.parametrize(
    ("brief", "domain", "interaction"),
    [
        ("A one-page notice for a seed swap with the date and the address", "static presentation", "static"),
        (POMODORO, "interactive apps", "high"),
        ("A snake game with arrow keys, score, levels, pause and restart", "browser games", "intensive"),
        (JIANZHI, "graphics", "high"),
        ("做一个贪吃蛇小游戏,用方向键控制,显示得分", "browser games", "intensive"),
        ("A portrait of a lighthouse with an animated beam", "static presentation", "mild"),
        ("做一个单页介绍,列出活动日期和地址", "static presentation", "static"),
        ("模拟一个单摆,长度和重力可以用滑块调节", "simulation", "intensive"),
    ],
)
async def test_briefs_are_sorted_without_a_model(brief: str, domain: str, interaction: str) -> None:
    """Domain and interaction class by words, in both languages."""
    found = await analyse(None, brief)
    assert (found.domain, found.interaction) == (domain, interaction)
    assert found.source == "rules"


def test_the_rules_do_well_on_the_starter_set() -> None:
    """On the English and Chinese briefs of the starter set: the domain in 85 % or more, the difficulty in 75 % or more."""
    briefs = [json.loads(line) for line in STARTER.read_text(encoding="utf-8").splitlines()]
    known = [brief for brief in briefs if brief["language"] in {"en", "zh"}]
    assert len(known) >= 60
    found = [analyst.by_rule(brief["brief"]) for brief in known]
    domains = sum(made.domain == brief["domain"][0] for made, brief in zip(found, known, strict=True)) / len(known)
    tiers = sum(made.difficulty == brief["difficulty"] for made, brief in zip(found, known, strict=True)) / len(known)
    assert {brief["domain"][0] for brief in known} == set(DOMAINS)
    assert (domains >= 0.85, tiers >= 0.75) == (True, True), (domains, tiers)


async def test_briefs_are_sorted_by_a_model() -> None:
    """The model's words are kept, its points become a class."""
    reply = {
        "domain": "commerce",
        "domain_reason": "it sells",
        "interaction": 8,
        "interaction_reason": "many inputs",
        "difficulty": "hard",
        "difficulty_reason": "many rules",
    }
    found = await analyse(Scripted(brief_analyst=reply), "A shop")
    assert (found.domain, found.interaction, found.difficulty, found.source) == ("commerce", "intensive", "hard", "model")


@pytest.mark.parametrize("trouble", [ModelTrouble("empty", "nothing"), BudgetSpent("all spent")])
async def test_a_model_that_fails_leaves_it_to_the_rules(trouble: Exception) -> None:
    """Why is said."""

    def fail(ask: object) -> ModelTrouble:
        del ask
        raise trouble

    found = await analyse(Scripted(brief_analyst=fail), "A snake game")
    assert found.domain == "browser games"
    assert found.note.startswith("the model failed")


@pytest.mark.parametrize(
    ("points", "name"), [(0, "static"), (1, "mild"), (3, "mild"), (4, "high"), (6, "high"), (7, "intensive"), (10, "intensive")]
)
def test_points_become_classes(points: int, name: str) -> None:
    """0 static, 1–3 mild, 4–6 high, 7–10 intensive."""
    assert class_of(points) == name
