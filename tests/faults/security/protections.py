"""What holds each row of the table of attacks, and how it is taken away; see `protections.toml`.

A test of a protection says something only if it fails where the protection is not there. Here that is data: places in the source,
what stands there, and what would stand there without the protection.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
TABLE = HERE / "protections.toml"


@dataclass(frozen=True)
class Edit:
    """One place in the source. `file` is relative to the checkout."""

    file: str
    was: str
    becomes: str

    def places(self, root: Path) -> int:
        """How often what is to be replaced stands in the file: once, or the table is out of date."""
        return (root / self.file).read_text(encoding="utf-8").count(self.was)

    def make(self, root: Path) -> None:
        """Take it away, in that checkout. Raises `ValueError` if it does not stand there exactly once."""
        if self.places(root) != 1:
            raise ValueError(f"{self.file} does not hold exactly once: {self.was!r}")
        path = root / self.file
        path.write_text(path.read_text(encoding="utf-8").replace(self.was, self.becomes), encoding="utf-8")


@dataclass(frozen=True)
class Row:
    """A row of the table. `fails`: tests, relative to this folder, that must fail once the edits are made."""

    number: int
    seen: str
    fails: tuple[str, ...]
    without: tuple[Edit, ...]


def rows() -> list[Row]:
    """All rows, by number."""
    told = tomllib.loads(TABLE.read_text(encoding="utf-8"))["row"]
    found = [
        Row(int(line["number"]), str(line["seen"]), tuple(line["fails"]), tuple(Edit(**edit) for edit in line["without"]))
        for line in told
    ]
    return sorted(found, key=lambda row: row.number)
