"""Why a script failed: one of twelve causes, which fall into the six categories of PRISM (Figure 4, Table 2).

    formatting_pollution   pollution        prose or fences around the code; without them it compiles
    syntax_error           syntax           Python cannot parse it
    api_hallucination      invented_name    a name, module or member that no release of Manim has
                           invented_keyword a keyword that no callable of any release takes
    api_misuse             wrong_version    real, but of another Manim, of ManimGL or of an earlier NumPy (an outdated API)
                           wrong_call       real, but not there: another class's member or keyword, too few or too many arguments
                           wrong_value      Manim refuses what it is given, or a thing of Manim's is used as what it is not
    text_rendering         formula          LaTeX or Typst does not take the formula
                           text             Pango does not take the text or its mark-up
    other                  asset            a file that is not there
                           own_bug          a mistake in the script's own Python
                           unfinished       out of time or memory, ended itself, left unwritten, or there is no scene

The paper names the categories and no rule; the line between the second and the third is drawn here by looking names up: what some
release really has was misused, what none has was made up. A missing LaTeX is the environment's failure and has no category.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

from tools.manim.contract import Outcome, ScriptError
from tools.manim.errors_lookup import Api, api
from tools.manim.errors_names import attribute_error, import_error, inside_manim, name_error, refused_keyword, swallowed_member
from tools.manim.errors_numpy import outdated_numpy
from tools.manim.errors_source import Script, unmix
from tools.manim.errors_verdict import Verdict

Cause = Literal[
    "pollution", "syntax", "invented_name", "invented_keyword", "wrong_version", "wrong_call", "wrong_value",
    "formula", "text", "asset", "own_bug", "unfinished",
]  # fmt: skip
Category = Literal["formatting_pollution", "syntax_error", "api_hallucination", "api_misuse", "text_rendering", "other"]

CAUSES: tuple[Cause, ...] = get_args(Cause)
CATEGORIES: tuple[Category, ...] = get_args(Category)
CATEGORY_OF: dict[str, Category] = {
    "pollution": "formatting_pollution",
    "syntax": "syntax_error",
    "invented_name": "api_hallucination",
    "invented_keyword": "api_hallucination",
    "wrong_version": "api_misuse",
    "wrong_call": "api_misuse",
    "wrong_value": "api_misuse",
    "formula": "text_rendering",
    "text": "text_rendering",
    "asset": "other",
    "own_bug": "other",
    "unfinished": "other",
}

_FORMULA_FILES = ("tex_file_writing.py", "typst", "tex_mobject.py")
_FORMULA_WORDS = re.compile(r"latex error|error converting to (dvi|pdf)|converting .*\.tex|typst", re.IGNORECASE)
_TEXT_WORDS = re.compile(r"mark-?up|pango|font|unicode|surrogate|\bon line \d+|\btag\b|^error on line \d+", re.IGNORECASE)
_ASSET_WORDS = re.compile(r"could not find|no such file|not found at|cannot identify image", re.IGNORECASE)
_UNFINISHED = ("timeout", "memory", "limit", "died", "tampered")


@dataclass(frozen=True)
class Diagnosis:
    """Why a script failed."""

    cause: str
    """One of `CAUSES`, or `environment`."""
    category: str
    """One of `CATEGORIES`; empty for the environment's failures."""
    why: str
    """One sentence for people."""
    name: str = ""
    """The name that was looked up."""
    seen_in: tuple[str, ...] = ()
    """Other releases that have it."""
    nearest: str = ""
    """A real name that is much like it."""


def diagnose(outcome: Outcome, source: str) -> Diagnosis | None:
    """Why the script failed; None if it rendered. `source`: its text, or the answer it was taken from."""
    if outcome.status == "rendered":
        return None
    if outcome.status == "environment":
        return Diagnosis("environment", "", outcome.reason)
    if outcome.error is None or outcome.status in _UNFINISHED:
        return _told(Verdict("unfinished", outcome.reason or f"it ended as {outcome.status}"))
    return explain(outcome.error, source, outcome.manim_version)


def explain(error: ScriptError, source: str, version: str = "") -> Diagnosis:
    """Why a script failed, from the exception that ended it and its text; `version`: the release of Manim it was run with."""
    if error.missing_program:
        return Diagnosis("environment", "", f"{error.missing_program} is not installed on this machine")
    if error.stage in ("read", "parse"):
        return _told(_unparsed(error, source))
    if error.stage == "discover":
        return _told(Verdict("unfinished", "the script defines no scene" if "no scene" in error.message else error.message))
    script, known = Script(source), api(version)
    for rule in _RULES:
        verdict = rule(error, script, known)
        if verdict is not None:
            return _told(verdict)
    return _told(_by_place(error))


def _told(verdict: Verdict) -> Diagnosis:
    return Diagnosis(
        verdict.cause, CATEGORY_OF[verdict.cause], verdict.why, verdict.name, tuple(verdict.seen_in), verdict.nearest
    )


def _unparsed(error: ScriptError, source: str) -> Verdict:
    if not source.strip():
        return Verdict("unfinished", "the script is empty")
    apart = unmix(source)
    if apart is not None:
        first = ", ".join(str(number) for number in apart.foreign[:5])
        return Verdict(
            "pollution", f"text that is no Python stands around the code (lines {first}); without it the code compiles"
        )
    return Verdict("syntax", f"line {error.line}: {error.message}")


def _formula(error: ScriptError, _script: Script, _known: Api) -> Verdict | None:
    """LaTeX or Typst refuses a formula."""
    inside = any(entry.file.endswith(_FORMULA_FILES[:2]) or "typst" in entry.file for entry in error.traceback)
    if error.type in ("ModuleNotFoundError", "ImportError"):
        return None
    if _FORMULA_WORDS.search(error.message) or (inside and error.type not in ("TypeError", "AttributeError")):
        return Verdict("formula", error.message.splitlines()[0] if error.message else "the formula does not compile")
    return None


def _text(error: ScriptError, _script: Script, _known: Api) -> Verdict | None:
    """Pango refuses a text."""
    files = [entry.file for entry in error.traceback[-3:]]
    near = any("text_mobject" in file or "manimpango" in file for file in files)
    if error.type in ("UnicodeEncodeError", "UnicodeDecodeError", "MarkupError"):
        return Verdict("text", error.message)
    if near and error.type in ("ValueError", "RuntimeError", "Exception") and _TEXT_WORDS.search(error.message):
        return Verdict("text", error.message.splitlines()[0])
    return None


def _asset(error: ScriptError, _script: Script, _known: Api) -> Verdict | None:
    """A file is not there."""
    kinds = ("FileNotFoundError", "IsADirectoryError", "NotADirectoryError", "UnidentifiedImageError")
    if error.type in kinds or (error.type in ("OSError", "IOError") and _ASSET_WORDS.search(error.message)):
        return Verdict("asset", error.message.splitlines()[0] if error.message else error.type)
    return None


_CALL = re.compile(
    r"^(?P<callee>[\w.<>]+)\(\) "
    r"(got an unexpected keyword argument '(?P<keyword>\w+)'|missing|takes|got multiple values|got some positional)"
)


def _arguments(error: ScriptError, script: Script, known: Api) -> Verdict | None:
    """A callable refuses its arguments."""
    match = _CALL.match(error.message) if error.type == "TypeError" else None
    if match is None:
        return None
    callee, keyword = match["callee"], match["keyword"]
    owner, _, method = callee.rpartition(".")
    owner = owner.rpartition(".")[2]
    if keyword is not None:
        return refused_keyword(error, owner, method, keyword, script, known)
    inside = inside_manim(error)
    own = owner in script.classes or (not owner and method in script.functions)
    if own or not (owner in known.current.bases or method in known.current.functions or inside):
        return Verdict("own_bug", error.message)
    return Verdict("wrong_call", error.message, name=callee)


_THING = re.compile(r"'(?P<kind>\w+)'(?: object|:| and|$)")


def _things(error: ScriptError, _script: Script, known: Api) -> Verdict | None:
    """A thing of Manim's is used as what it is not: added to a number, indexed, called."""
    if error.type != "TypeError" or inside_manim(error):
        return None
    kinds = [match["kind"] for match in _THING.finditer(error.message)]
    real = [kind for kind in kinds if kind in known.current.bases]
    return Verdict("wrong_value", error.message, name=real[0]) if real else None


def _by_place(error: ScriptError) -> Verdict:
    """What no rule knows: Manim complaining about what it was given, or the script's own mistake."""
    message = f"{error.type}: {error.message}".splitlines()[0]
    if error.type in ("MemoryError", "SystemExit", "KeyboardInterrupt"):
        return Verdict("unfinished", message)
    if error.type == "NotImplementedError":
        return _unwritten(error, message)
    if error.type in ("RecursionError", "AssertionError") and not inside_manim(error):
        return Verdict("own_bug", message)
    return Verdict("wrong_value" if inside_manim(error) else "own_bug", message)


def _unwritten(error: ScriptError, message: str) -> Verdict:
    """What nobody wrote: a method that Manim leaves to classes below the one that was called, or one the script left open."""
    if inside_manim(error):
        return Verdict("wrong_call", f"Manim leaves {error.traceback[-1].function} to other classes than this ({message})")
    return Verdict("unfinished", f"the script leaves {error.traceback[-1].function if error.traceback else 'it'} unwritten")


_RULES: tuple[Callable[[ScriptError, Script, Api], Verdict | None], ...] = (
    outdated_numpy,
    import_error,
    _formula,
    _text,
    _asset,
    name_error,
    attribute_error,
    swallowed_member,
    _arguments,
    _things,
)
"""Asked in this order; the first that knows the failure decides."""
