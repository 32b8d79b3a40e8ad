"""Checklist scores on 100, a leaderboard for each referee, and what referees agree on. Referees are never fused into one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import BaseModel, ConfigDict, Field

from evaluator.agreement.labels import Item
from evaluator.agreement.pairs import partial_order, ranking_consistency
from evaluator.statistics.bootstrap import RESAMPLES, Figure, figure
from tools.errors import UserError
from tools.queries.protocol import Query

ITEMS = 10
"""Of ten checklist items, in their order, the first half is judged by what is seen, the second by the code (spec)."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ItemScore(_Frozen):
    """A referee's points for one item of a query's checklist."""

    item: str
    points: float = Field(ge=0)
    reason: str = ""


class Judged(_Frozen):
    """One answer as one referee scored it. `total` is on 0–100; None: not judged, and `why` says why."""

    query_id: str
    model: str
    referee: str
    items: tuple[ItemScore, ...] = ()
    total: float | None
    vision: float | None = None
    """0–100 over the first half of the items."""
    code: float | None = None
    """0–100 over the second half."""
    why: str = ""


def judged(query: Query, model: str, referee: str, items: Sequence[ItemScore]) -> Judged:
    """The total of an answer: computed here, whatever a referee says the sum is.

    Every item of the query's checklist must be scored exactly once and within its points, else the answer is not judged: an
    item that a referee passes over is not worth nought, and more than all points is no score.
    """
    worth = {check_item.id: check_item.points for check_item in query.checklist}
    named = [item.item for item in items]
    wrong = ""
    if not worth:
        wrong = "the query has no checklist"
    elif sorted(named) != sorted(worth):
        missing = [name for name in worth if name not in named]
        wrong = f"items not scored once each: {', '.join(missing or sorted(set(named)))}"
    elif over := [item.item for item in items if item.points > worth[item.item]]:
        wrong = f"more points than there are: {', '.join(over)}"
    if wrong:
        return Judged(query_id=query.id, model=model, referee=referee, items=tuple(items), total=None, why=wrong)
    points = {item.item: item.points for item in items}
    names = list(worth)
    halves = (names[: len(names) // 2], names[len(names) // 2 :]) if len(names) == ITEMS else ((), ())

    def on_100(chosen: Sequence[str]) -> float | None:
        return 100 * sum(points[name] for name in chosen) / sum(worth[name] for name in chosen) if chosen else None

    return Judged(
        query_id=query.id,
        model=model,
        referee=referee,
        items=tuple(items),
        total=on_100(names),
        vision=on_100(halves[0]),
        code=on_100(halves[1]),
    )


class Place(_Frozen):
    """A model on one referee's board."""

    model: str
    mean: Figure
    vision: float | None
    code: float | None
    not_judged: int
    by_class: dict[str, float]
    """Interaction class → mean."""


class Board(_Frozen):
    """One referee's leaderboard, the best first."""

    referee: str
    places: tuple[Place, ...]


class Boards(_Frozen):
    """All boards, and how far they agree."""

    boards: tuple[Board, ...]
    consistency: dict[str, Figure]
    """`one / other` → footrule consistency of two referees' rankings."""
    order: tuple[tuple[str, str], ...]
    """(better, worse): pairs of models that every referee puts in this order."""
    open_pairs: int
    """Pairs on which referees differ."""


def boards(
    rows: Sequence[Judged], classes: Mapping[str, str] | None = None, *, resamples: int = RESAMPLES, seed: int = 0
) -> Boards:
    """A board for each referee. `classes` gives each query's interaction class. Raises `UserError` if nothing was judged."""
    scores: dict[str, dict[Item, float]] = {}
    for row in rows:
        mine = scores.setdefault(row.referee, {})
        if row.total is not None:
            if (row.query_id, row.model) in mine:
                raise UserError(f"{row.referee} scores {row.model} on {row.query_id!r} twice.")
            mine[row.query_id, row.model] = row.total
    judged_by = {referee: mine for referee, mine in scores.items() if mine}
    if not judged_by:
        raise UserError("No answer was judged.", hint=rows[0].why if rows else "There are no rows.")
    names = sorted(judged_by)
    order = partial_order(judged_by)
    models = {model for _, model in set.intersection(*(set(mine) for mine in judged_by.values()))}
    return Boards(
        boards=tuple(_board(name, rows, classes or {}, resamples, seed) for name in names),
        consistency={
            f"{text} / {other}": ranking_consistency(judged_by[text], judged_by[other], resamples=resamples, seed=seed)
            for place, text in enumerate(names)
            for other in names[place + 1 :]
        },
        order=tuple(sorted(order)),
        open_pairs=len(models) * (len(models) - 1) // 2 - len(order),
    )


def _board(referee: str, rows: Sequence[Judged], classes: Mapping[str, str], resamples: int, seed: int) -> Board:
    mine = [row for row in rows if row.referee == referee]
    places = [
        _place(model, [row for row in mine if row.model == model], classes, resamples, seed)
        for model in sorted({row.model for row in mine})
    ]
    return Board(
        referee=referee,
        places=tuple(sorted(places, key=lambda place: (place.mean.value is None, -(place.mean.value or 0), place.model))),
    )


def _place(model: str, rows: Sequence[Judged], classes: Mapping[str, str], resamples: int, seed: int) -> Place:
    there = sorted((row.query_id, row.total, row.vision, row.code) for row in rows if row.total is not None)
    totals = [total for _, total, _, _ in there]
    groups: dict[str, list[float]] = {}
    for query, total, _, _ in there:
        groups.setdefault(classes.get(query, ""), []).append(total)
    return Place(
        model=model,
        mean=figure(
            lambda units: sum(totals[unit] for unit in units) / len(units),
            len(totals), why="no answer was judged", resamples=resamples, seed=seed,
        ),
        vision=_mean([vision for _, _, vision, _ in there if vision is not None]),
        code=_mean([code for _, _, _, code in there if code is not None]),
        not_judged=len(rows) - len(there),
        by_class={name: sum(values) / len(values) for name, values in sorted(groups.items()) if name},
    )  # fmt: skip


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
