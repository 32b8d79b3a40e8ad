"""What has to be counted along when something is pressed: the cart's pieces, what is chosen, an announced saving."""

from __future__ import annotations

from agent.deciders.protocol import Expectation
from agent.skills.checks.periods import is_span
from agent.skills.checks.savings import announces, months_free, names_period
from agent.skills.controls import beside
from agent.skills.survey import Match, Survey, expects, mark_concepts
from agent.words import concepts, numbers, says
from tools.browser.marks import Mark

_ASKED = frozenset({"feature", "control", "content"})


def tallies(survey: Survey, mark: Mark) -> tuple[Expectation, ...]:
    """What a press on this mark must be counted as; empty for most."""
    found, told = mark_concepts(mark), list[Expectation]()
    if _fills_a_cart(survey, mark, found):
        match = survey.promise_about("cart count number update 数量", _ASKED, ("cart",))
        told.append(expects("counts", "the cart counts what is put into it", match.id, of="cart", key="cart counter"))
    if mark.checked is not None:
        match = survey.promise_about("count number how many active selected 数量", _ASKED)
        told.append(expects("counts", "what is chosen is counted", match.id, of="chosen", key="chosen counter"))
    saving = announces(f"{mark.name} {mark.context}", mark.name, survey.view.brief)
    if saving:
        match = survey.promise_about(f"{mark.name} price discount save 价格 优惠", _ASKED)
        told.append(expects("saving_agrees", f"prices show the saving of {saving} %", match.id, percent=float(saving)))
    if names_period(mark.name):
        match = survey.promise_about(f"{mark.name} price switch 价格 切换", _ASKED)
        told += _year(survey, match)
        told.append(expects("prices_all_follow", f'every price follows "{mark.name}"', match.id, key="prices of a period"))
    if is_span(mark, survey.now.marks) and survey.now.drawings:
        match = survey.promise_about(f"{mark.name} chart period range 图表 时间", _ASKED, ("chart",))
        row = "".join(sorted(one.signature for one in beside(mark, survey.now.marks)))
        text = f'the chart follows "{mark.name}"'
        told.append(expects("period_follows", text, match.id, key=f"spans {row}"))
    return tuple(told)


def _year(survey: Survey, match: Match) -> list[Expectation]:
    free = float(months_free(survey.view.brief) or months_free(survey.now.text))
    return [expects("year_agrees", "a year costs what its months make up", match.id, free=free, key="price of a year")]


def orders(survey: Survey, mark: Mark) -> tuple[Expectation, ...]:
    """That an order which is taken leaves nothing in the basket, for a press on what places it."""
    if "cart" not in concepts(survey.view.brief) or not ("pay" in mark_concepts(mark) or says("order_words", mark.name)):
        return ()
    match = survey.promise_about("checkout order empties cart 结账 清空购物车", _ASKED, ("cart",))
    return (expects("basket_emptied", "nothing is left in the basket once it is ordered", match.id, key="ordered basket"),)


def _fills_a_cart(survey: Survey, mark: Mark, found: frozenset[str]) -> bool:
    if numbers(mark.name) or "delete" in found:
        return False
    return "add" in found and ("cart" in found or survey.domain == "shop")


def moves_counted(survey: Survey) -> Expectation:
    """That a move in a game is counted."""
    match = survey.promise_about("count moves turns attempts 步数 次数", _ASKED)
    return expects("counts", "moves are counted", match.id, of="moves", key="moves counter")


def done_counted(survey: Survey, mark: Mark) -> tuple[Expectation, ...]:
    """That what is ticked off is counted, where the brief wants those done to be counted and the box has a state to tell."""
    match = survey.promise_about("count number done completed ticked 已完成 数量", _ASKED, ("complete",))
    promise = next((one for one in survey.promises if one.id == match.id), None)
    if promise is None or mark.checked is None or not (says("how_many", promise.text) and "complete" in concepts(promise.text)):
        return ()
    return (expects("done_counted", "what is ticked off is counted", match.id, key="done counter"),)
