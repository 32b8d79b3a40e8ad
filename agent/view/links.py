"""Addresses of the view's own pages, each below the token."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from urllib.parse import quote, urlencode

from agent.view.keys import FileKeys
from agent.view.listing import Wish


@dataclass(frozen=True)
class Links:
    """What templates and redirections lead to."""

    root: str
    """`/TOKEN`."""
    keys: FileKeys

    def list(self, wish: Wish | None = None, **changes: object) -> str:
        """The list, as it was wished for, with changes; what is as by default is left out."""
        default = asdict(Wish())
        given = {**(asdict(wish) if wish is not None else default), **changes}
        query = {key: value for key, value in given.items() if value != default[key]}
        return f"{self.root}/" + (f"?{urlencode(query)}" if query else "")

    def run(self, name: str) -> str:
        """A run's page."""
        return f"{self.root}/runs/{quote(name)}"

    def live(self, name: str) -> str:
        """What a run's page polls while it goes on."""
        return f"{self.root}/live/{quote(name)}"

    def steer(self, name: str) -> str:
        """Where a wish for a run that goes on is sent."""
        return f"{self.root}/steer/{quote(name)}"

    def marks(self, name: str) -> str:
        """Where a mark on a run's failure is sent."""
        return f"{self.root}/marks/{quote(name)}"

    def thumbnail(self, name: str) -> str:
        """A run's small picture."""
        return f"{self.root}/thumbnails/{quote(name)}"

    def compare(self, *names: str) -> str:
        """Two runs side by side."""
        return f"{self.root}/compare" + (f"?{urlencode([('run', name) for name in names])}" if names else "")

    def file(self, name: str, inside: str) -> str:
        """A file of a folder, in an origin of nobody's."""
        return self.keys.address(name, inside)
