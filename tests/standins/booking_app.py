"""A studio's hours that anybody may book, each once; what one booked others see as taken. With faults to choose from."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from tests.standins.small_server import Answer, page

HOURS = ("Monday 09:00", "Monday 10:00", "Monday 11:00", "Tuesday 09:00", "Tuesday 10:00")
# The page asks anew every second, as pages do that show what others do.
_LIVE = """<script>
setInterval(async () => {
  const taken = await (await fetch('/taken')).json();
  for (const row of document.querySelectorAll('#hours li')) {
    const name = row.querySelector('b').textContent;
    if (taken.includes(name) && row.querySelector('form')) row.innerHTML = `<b>${name}</b> <span>Taken</span>`;
  }
}, 1000);
</script>"""


@dataclass
class Booking:
    """What the studio knows. `booked`: by whom each hour is."""

    twice: bool = False
    """An hour that is taken can be booked again, by who has an old page open: the fault."""
    places: int = 1
    """How many may book the same hour."""
    live: bool = False
    hours: tuple[str, ...] = HOURS
    alike: bool = False
    """The page does not say whose an hour is."""
    booked: dict[str, list[str]] = field(default_factory=dict)

    def get(self, path: str, who: str) -> Answer:
        """The hours, or (`/taken`) the names of those that are taken for who asks."""
        if path == "/taken":
            return Answer(json.dumps([hour for hour in self.hours if self._full(hour)]), kind="application/json")
        if path != "/":
            return page("Not found", "<h1>Not found</h1>", status=404)
        rows = "".join(f"<li><b>{hour}</b> {self._state(hour, who)}</li>" for hour in self.hours)
        return page("Studio", f"<h1>Studio hours</h1><ul id=hours>{rows}</ul>{_LIVE if self.live else ''}")

    def _full(self, hour: str) -> bool:
        return len(self.booked.get(hour, [])) >= self.places

    def _state(self, hour: str, who: str) -> str:
        if who in self.booked.get(hour, []) and not self.alike:
            return "<span>Yours</span>"
        if self._full(hour):
            return "<span>Taken</span>"
        return f"<form method=post action=/book><input type=hidden name=hour value='{hour}'><button>Book</button></form>"

    def post(self, path: str, who: str, told: dict[str, str]) -> Answer:
        """Book an hour."""
        hour = told.get("hour", "")
        if path == "/book" and hour in self.hours and (self.twice or not self._full(hour)):
            self.booked.setdefault(hour, []).append(who)
            return Answer(to="/")
        return page("Studio", "<h1>Studio hours</h1><p role=alert>Somebody else was quicker.</p><a href=/>Back</a>", status=409)
