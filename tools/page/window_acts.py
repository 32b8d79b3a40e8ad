"""Acts that have no target on the page: what is done to its window, its history, its address and its tabs."""

from __future__ import annotations

from typing import Literal

from tools.evidence.frozen import Frozen
from tools.page.assertions.base import quoted


class Resize(Frozen):
    """Give the window another size, in CSS pixels."""

    kind: Literal["resize"] = "resize"
    width: int
    height: int

    def words(self) -> str:
        """One clause."""
        return f"make the window {self.width} × {self.height} px"

    def playwright(self) -> tuple[str, ...]:
        """As lines of a test."""
        return (f'page.set_viewport_size({{"width": {self.width}, "height": {self.height}}})',)


class Reload(Frozen):
    """Load the page again."""

    kind: Literal["reload"] = "reload"

    def words(self) -> str:
        """One clause."""
        return "reload the page"

    def playwright(self) -> tuple[str, ...]:
        """As lines of a test."""
        return ("page.reload()",)


class Back(Frozen):
    """Go back in the history."""

    kind: Literal["back"] = "back"

    def words(self) -> str:
        """One clause."""
        return "go back"

    def playwright(self) -> tuple[str, ...]:
        """As lines of a test."""
        return ("page.go_back()",)


class NewTab(Frozen):
    """Open the same address in another tab of the same browser, and go on there."""

    kind: Literal["new tab"] = "new tab"

    def words(self) -> str:
        """One clause."""
        return "open the page in another tab"

    def playwright(self) -> tuple[str, ...]:
        """As lines of a test."""
        return ("address = page.url", "page = page.context.new_page()", "page.goto(address)")


class Visit(Frozen):
    """Type an address and go there."""

    kind: Literal["visit"] = "visit"
    address: str = ""
    """Of the same site, whole or as a path (`/notes`); empty: the one that the other of two persons has open."""

    def words(self) -> str:
        """One clause."""
        return f"open the address {self.address}" if self.address else "open the address that the other of the two has open"

    def playwright(self) -> tuple[str, ...]:
        """As lines of a test."""
        if not self.address:
            return ("page.goto(other.url)",)
        return (f"page.goto(urllib.parse.urljoin(page.url, {quoted(self.address)}))",)


class Forget(Frozen):
    """Come back as a stranger: cookies and all that the site stored in this browser are gone, and the page is loaded again."""

    kind: Literal["forget"] = "forget"

    def words(self) -> str:
        """One clause."""
        return "come back as a stranger, with nothing stored"

    def playwright(self) -> tuple[str, ...]:
        """As lines of a test."""
        return (
            "page.context.clear_cookies()",
            f"page.evaluate({quoted('() => { localStorage.clear(); sessionStorage.clear(); }')})",
            "page.reload()",
        )
