"""Why an exploration ends."""

from typing import Literal

StopReason = Literal["", "covered", "decided", "steps", "time", "crashed", "hung", "no_artifact", "interrupted"]
"""Empty while it goes on; `covered`: everything was tried; `decided`: each item of a checklist is; `steps`: the acts are used."""
