"""Words of any script: Latin and the like by words, Chinese and Japanese by characters, which have no spaces between words."""

from __future__ import annotations

import re
import unicodedata

_TOKEN = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7a3]|[^\W_]+")


def tokens(text: str) -> list[str]:
    """Lower-cased words and single East Asian characters, in their order; punctuation is dropped."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return [part for run in _TOKEN.findall(folded) for part in _apart(run)]


def _apart(run: str) -> list[str]:
    """East Asian characters out of a run that mixes scripts ("第3章abc"), which the second branch matches as one."""
    return [part for part in re.split(r"([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7a3])", run) if part]
