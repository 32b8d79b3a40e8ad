"""What of a served script was written for the app."""

from __future__ import annotations

import base64
import json

from tools.mutation.own_code import own_lines


def _served(mappings: str) -> str:
    told = {"version": 3, "sources": ["app.tsx"], "names": [], "mappings": mappings}
    code = "import refresh from '/@refresh';\nif (hot) refresh();\nexport const most = 10;\nif (hot) accept();\n"
    return f"{code}//# sourceMappingURL=data:application/json;base64,{base64.b64encode(json.dumps(told).encode()).decode()}"


def test_what_a_dev_server_puts_around_a_script_is_nobodys() -> None:
    """Lines without an origin; of a script without a map, or with one that can't be read, nothing is known."""
    assert own_lines(_served(";;AAAA")) == {3}
    assert own_lines("const most = 10;") is None
    assert own_lines(_served("!!")) is None
