"""Everything Assay raises on purpose.

    AssayError                      one line that says what is wrong, one that says what to do
    ├── UserError          exit 2   the command, the file or the settings are wrong
    │   ├── SubjectError            the thing to evaluate cannot be used as given
    │   └── RunError                a run folder cannot be read, resumed or trusted
    ├── EnvironmentFault   exit 3   this machine lacks something, or something outside the app broke
    │   ├── MissingProgram          a program or library is not installed
    │   └── StageFault              the browser or one of its instruments failed
    └── LimitReached       exit 3   a budget of time, memory, steps or money ran out

Rooms derive their own from these where a caller tells them apart: a page's in `tools/browser/faults.py`, models' in
`tools/models/trouble.py`, files of graphs in `tools/diagram/formats`, servers' in `agent/serve/service.py`, `unpacking.py`.
An *app* that is broken never raises: what it does wrong is evidence.
"""

from __future__ import annotations


class AssayError(Exception):
    """Base of every error with a message meant for a person.

    `kind` is a stable machine-readable word, `hint` says what to do about it, `retryable` tells whether the same
    call may succeed later without anybody changing anything.
    """

    exit_code = 3
    kind = "error"

    def __init__(self, message: str, *, hint: str = "", kind: str | None = None, retryable: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.retryable = retryable
        if kind is not None:
            self.kind = kind

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class UserError(AssayError):
    """The command, a file or a setting is wrong; nothing was evaluated."""

    exit_code = 2
    kind = "user_error"


class SubjectError(UserError):
    """The thing to evaluate cannot be used as given."""

    kind = "subject"


class RunError(UserError):
    """A run folder cannot be read, resumed or trusted."""

    kind = "run"


class EnvironmentFault(AssayError):
    """Something outside the app and outside the user's command is missing or broke."""

    kind = "environment"


class MissingProgram(EnvironmentFault):
    """A program or library that is needed is not installed."""

    kind = "missing_program"


class StageFault(EnvironmentFault):
    """The browser or one of its instruments failed in a way that ends the run."""

    kind = "stage"


class LimitReached(AssayError):
    """A budget of time, memory, steps or money ran out."""

    kind = "limit"


def why(error: Exception) -> str:
    """What the system says of a file that could not be read or written, without its number and without the path again."""
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)
