"""Prompt visual density (PRISM 3.3): how much structure and action a prompt asks for. `PVD = N_struct + N_action`.

The released code counts Markdown signs and adds a bonus for sentences near anchor words in an embedding; here words are counted,
English and Chinese, so that no model is needed. The word list is Assay's own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Language = Literal["en", "zh"]

_STRUCTURE = (
    re.compile(r"^\s{0,3}#{1,6}\s+\S", re.MULTILINE),
    re.compile(r"^\s*[-*+•·●▪]\s+\S", re.MULTILINE),
    re.compile(r"^\s*(?:\d{1,3}|[A-Za-z])[.)]\s+\S", re.MULTILINE),
    re.compile(
        r"^\s*(?:[（(]?[一二三四五六七八九十]{1,3}[)）、.]|第[一二三四五六七八九十\d]+[步章节部]|\d{1,3}[、）])", re.MULTILINE
    ),
    re.compile(r"^\s*\*\*[^*\n]+\*\*\s*[:：]?\s*$", re.MULTILINE),
)
_ACTIONS_EN = re.compile(
    r"\b(?:animat|appear|arrang|assembl|build|collaps|compar|connect|construct|convert|creat|deriv|demonstrat|disappear|divid|draw|emerg|"
    r"expand|fade|fall|flow|follow|grow|highlight|illustrat|insert|link|merg|morph|mov|orbit|oscillat|plot|point|push|remov|"
    r"reveal|ris|rotat|scal|shift|show|shrink|slid|split|spin|swap|sweep|trac|transform|transition|travel|turn|unfold|visuali[sz]|"
    r"zoom)(?:e|es|ed|s|ing|ion|ions|ation|ations)?\b",
    re.IGNORECASE,
)
_ACTIONS_ZH = re.compile(
    r"展示|显示|出现|消失|移动|旋转|缩放|放大|缩小|变换|变化|变形|转化|转换|绘制|画出|描绘|构建|构造|连接|分割|拆分|合并|组合|"
    r"展开|收缩|淡入|淡出|高亮|强调|标出|标注|演示|比较|对比|推导|插入|删除|交换|排列|流动|增长|上升|下降|滑动|跟踪|追踪|指向|动画|模拟|切换|揭示|逐步"
)
_CJK = re.compile(r"[\u3400-\u9fff]")
_LATIN = re.compile(r"[A-Za-z]+")


@dataclass(frozen=True)
class Density:
    """What was counted in a prompt."""

    structure: int
    """Headings and list items, each line once."""
    actions: int

    @property
    def pvd(self) -> int:
        """Their sum."""
        return self.structure + self.actions


def density(prompt: str) -> Density:
    """Count headings, list items and words of action."""
    lines = {prompt.count("\n", 0, match.end()) for pattern in _STRUCTURE for match in pattern.finditer(prompt)}
    return Density(len(lines), len(_ACTIONS_EN.findall(prompt)) + len(_ACTIONS_ZH.findall(prompt)))


def language_of(text: str) -> Language:
    """`zh` where at least a third of what carries meaning are Chinese characters (a Latin word counts as much as two)."""
    chinese = len(_CJK.findall(text))
    return "zh" if chinese > 0 and chinese * 2 >= chinese + 2 * len(_LATIN.findall(text)) else "en"
