"""Which queries of a set are taken: filters, then a limit, by order, by chance, or spread over domains, tiers and languages."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from tools.errors import UserError
from tools.queries.protocol import Query

Sample = Literal["first", "random", "stratified"]

_FIELDS: dict[str, Callable[[Query], Iterable[str]]] = {
    "id": lambda query: (query.id,),
    "language": lambda query: (query.language,),
    "difficulty": lambda query: (query.difficulty,),
    "domain": lambda query: query.domain,
}
_STRATA: tuple[Callable[[Query], object], ...] = (
    lambda query: query.field,
    lambda query: query.difficulty,
    lambda query: query.language,
    lambda query: (query.field, query.difficulty),
    lambda query: (query.field, query.difficulty, query.language),
)


def choose(
    queries: Sequence[Query],
    *,
    filters: Sequence[str] = (),
    limit: int | None = None,
    sample: Sample = "first",
    seed: int = 0,
) -> tuple[Query, ...]:
    """The queries that pass all filters, at most `limit` of them, in the set's order.

    A filter is `FIELD=VALUE[,VALUE…]` or `FIELD!=…`; fields are `id`, `language`, `difficulty`, `domain` (any part of its path)
    and `meta.KEY`. Letters' case does not matter. The same seed gives the same sample. Raises `UserError` for a filter that is
    not understood or leaves nothing.
    """
    left = [query for query in queries if all(_passes(query, rule) for rule in filters)]
    if not left:
        raise UserError(f"No query of {len(queries)} is left by {' '.join(filters)}.", hint=_hint(queries, filters))
    if limit is None or limit >= len(left):
        return tuple(left)
    if limit < 1:
        raise UserError(f"A limit of {limit} takes no query.", hint="Give at least 1.")
    if sample == "first":
        return tuple(left[:limit])
    chance = random.Random(seed)  # noqa: S311 - a sample, not a secret
    taken = set(chance.sample(range(len(left)), limit)) if sample == "random" else _spread(left, limit, chance)
    return tuple(query for place, query in enumerate(left) if place in taken)


def _passes(query: Query, rule: str) -> bool:
    name, sign, wanted = rule.partition("=")
    negated = name.endswith("!")
    name = name.removesuffix("!").strip()
    if not sign or not wanted or (name not in _FIELDS and not name.startswith("meta.")):
        fields = ", ".join((*_FIELDS, "meta.KEY"))
        raise UserError(f"The filter {rule!r} is not understood.", hint=f"FIELD=VALUE[,VALUE]; fields: {fields}.")
    values = {value.strip().casefold() for value in wanted.split(",")}
    return any(value.casefold() in values for value in _values(query, name)) is not negated


def _values(query: Query, name: str) -> Iterable[str]:
    if name in _FIELDS:
        return _FIELDS[name](query)
    return (str(query.meta.get(name.removeprefix("meta."), "")),)


def _hint(queries: Sequence[Query], filters: Sequence[str]) -> str:
    name = filters[0].partition("=")[0].removesuffix("!").strip() if filters else "domain"
    there = sorted({value for query in queries for value in _values(query, name) if value})
    return f"{name} is one of: {', '.join(there[:20])}{' …' if len(there) > 20 else ''}." if there else ""


def _spread(queries: Sequence[Query], limit: int, chance: random.Random) -> set[int]:
    """Places of a sample in which every domain, tier, language and their combinations have about their share of the whole.

    Greedy, each group weighed as Sainte-Laguë gives seats: the next one taken is whose groups are furthest below their share;
    ties are drawn. (Every n-th of a sorted list would take one tier only when n divides the domain's size.)
    """
    groups = [[stratum(query) for stratum in _STRATA] for query in queries]
    shares = [Counter(group[level] for group in groups) for level in range(len(_STRATA))]
    taken: list[Counter[object]] = [Counter() for _ in _STRATA]
    left = list(range(len(queries)))
    chance.shuffle(left)
    chosen: set[int] = set()
    for _ in range(limit):
        best = min(
            (place for place in left if place not in chosen),
            key=lambda place: sum(
                (2 * taken[level][group] + 1) / shares[level][group] for level, group in enumerate(groups[place])
            ),
        )
        chosen.add(best)
        for level, group in enumerate(groups[best]):
            taken[level][group] += 1
    return chosen
