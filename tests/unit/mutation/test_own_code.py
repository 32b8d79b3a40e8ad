"""What of a served script was written for the app."""

from __future__ import annotations

import base64
import json

from tools.mutation.mutant import Mutant
from tools.mutation.own_code import source_lines


def _served(mappings: str) -> str:
    told = {"version": 3, "sources": ["app.tsx"], "names": [], "mappings": mappings}
    code = "import refresh from '/@refresh';\nif (hot) refresh();\nexport const most = 10;\nif (hot) accept();\n"
    return f"{code}//# sourceMappingURL=data:application/json;base64,{base64.b64encode(json.dumps(told).encode()).decode()}"


def test_what_a_dev_server_puts_around_a_script_is_nobodys() -> None:
    """Lines without an origin; of a script without a map, or with one that can't be read, nothing is known."""
    assert source_lines(_served(";;AASA")) == {3: 10}
    assert source_lines("const most = 10;") is None
    assert source_lines(_served("!!")) is None


def test_a_mutant_is_told_by_the_lines_of_its_source() -> None:
    """Of its function, as far as it comes from there."""
    mutant = Mutant(file="/a.js", line=3, column=1, operator="o", start=0, end=1, before="a", after="", function_lines=(2, 4))
    assert mutant.in_source({3: 10, 4: 11, 9: 30}).function_lines == (10, 11)
    assert mutant.in_source({9: 30}) == mutant
