"""Rules about names that Python does not find: variables, members, modules, keywords. All decide by looking the name up."""

from __future__ import annotations

import difflib
import re
import sys

from tools.manim.contract import ScriptError
from tools.manim.errors_lookup import Api, order_of
from tools.manim.errors_source import Script
from tools.manim.errors_verdict import Verdict

_QUOTED = re.compile(r"'([^']*)'")
_GETTER = re.compile(r"\b[gs]et_(\w+)")
_OWN_SLIP = 0.75
"""Similarity to a name of the script's own from which a missing name counts as a slip."""
_COMMON_ALIASES = frozenset(
    {"np", "numpy", "math", "random", "itertools", "functools", "plt", "pd", "sp", "sympy", "scipy", "os", "sys", "re", "json"}
)
_OWN_METHOD = frozenset({"construct", "setup"})


def name_error(error: ScriptError, script: Script, known: Api) -> Verdict | None:
    """A bare name that is bound nowhere."""
    if error.type not in ("NameError", "UnboundLocalError"):
        return None
    name = error.name or next(iter(_QUOTED.findall(error.message)), "")
    if error.type == "UnboundLocalError" or name in script.bound:
        return Verdict("own_bug", f"{name} is used where it is not bound", name)
    if (
        known.current.has_name(name)
        or name in known.current.exports
        or name in _COMMON_ALIASES
        or name in sys.stdlib_module_names
    ):
        return Verdict("own_bug", f"{name} is used without being imported", name)
    elsewhere = known.elsewhere_name(name)
    if elsewhere:
        return _wrong_version(name, elsewhere, known)
    real = known.current.nearest(name)
    if difflib.get_close_matches(name, sorted(script.bound), n=1, cutoff=_OWN_SLIP) and not real:
        return Verdict("own_bug", f"{name} is like a name of the script's own", name)
    if _looks_like_api(name, script) or real:
        return _invented(name, "no release of Manim has", real)
    return Verdict("own_bug", f"{name} is bound nowhere", name)


def _looks_like_api(name: str, script: Script) -> bool:
    """A class, a constant, something called, or the value of a keyword that takes Manim's own names."""
    constant = name.isupper() and len(name) > 1
    camel = name[:1].isupper() and not name.isupper() and len(name) > 2
    return (
        constant
        or camel
        or script.called(name)
        or bool(script.given_as(name) & {"rate_func", "color", "fill_color", "stroke_color"})
    )


def attribute_error(error: ScriptError, script: Script, known: Api) -> Verdict | None:
    """A member that an object does not have."""
    if error.type != "AttributeError":
        return None
    quoted = _QUOTED.findall(error.message)
    name = error.name or (quoted[-1] if quoted else "")
    if error.owner is None:
        return None
    module, _, owner = error.owner.rpartition(".")
    if error.owner == "manim" or (error.owner.startswith("manim.") and error.owner in known.current.modules):
        return _missing_export(name, known)
    name = _asked_for(error, name)
    if inside_manim(error) and not script.mentions(name):
        # Manim itself asks for it: of something that is not what it takes.
        return Verdict("wrong_value", f"Manim was given {owner}: {error.message}", name)
    if module.split(".")[0] == "manim":
        return _missing_member([owner], name, known)
    if module == "scene" or module.startswith("scene."):
        return _missing_on_own(owner, name, error, script, known)
    if name in known.current.members and not _common_member(name):
        return Verdict("wrong_call", f"{owner} is no object of Manim's: it has no {name}", name)
    return Verdict("own_bug", error.message, name)


def swallowed_member(error: ScriptError, _script: Script, known: Api) -> Verdict | None:
    """`x.get_anything(…)`: Manim makes up a getter for any name, so that a missing method fails as a call with arguments."""
    if error.type != "TypeError" or not re.match(r"Mobject\.__getattr__\.<locals>\.[gs]etter\(\)", error.message):
        return None
    line = next((entry.code for entry in reversed(error.traceback) if entry.file == "scene.py"), "")
    names: list[str] = re.findall(r"\.([gs]et_\w+)\s*\(", line)
    for name in names:
        if known.current.owners(name):
            continue
        elsewhere = known.elsewhere_any_member(name)
        return _wrong_version(name, elsewhere, known) if elsewhere else _invented(name, "no class of any release has", "")
    return Verdict("wrong_call", f"the object has no {' or '.join(names) or 'such method'}", next(iter(names), ""))


def inside_manim(error: ScriptError) -> bool:
    """Whether Manim's own code was at work below the script's last line."""
    files = [entry.file for entry in error.traceback]
    last = max((place for place, file in enumerate(files) if file == "scene.py"), default=-1)
    return any(file.startswith("manim/") for file in files[last + 1 :])


def _asked_for(error: ScriptError, name: str) -> str:
    """Manim answers `get_x` and `set_x` of any x; the script's line tells what was really asked for."""
    line = next((entry.code for entry in reversed(error.traceback) if entry.file == "scene.py"), "")
    asked = [match.group(0) for match in _GETTER.finditer(line) if match.group(1) == name]
    return asked[0] if asked else name


def _common_member(name: str) -> bool:
    """Names that Python's own types have too: their absence says nothing of Manim."""
    return any(hasattr(kind, name) for kind in (str, list, dict, tuple, set, float, int))


def _missing_export(name: str, known: Api) -> Verdict:
    elsewhere = known.elsewhere_name(name)
    return (
        _wrong_version(name, elsewhere, known)
        if elsewhere
        else _invented(name, "no release of Manim has", known.current.nearest(name))
    )


def _missing_member(owners: list[str], name: str, known: Api) -> Verdict:
    lines = [base for owner in owners for base in known.current.line(owner)]
    elsewhere = known.elsewhere_member(lines, name)
    if elsewhere:
        return _wrong_version(name, elsewhere, known)
    others = known.current.owners(name)
    if others:
        return Verdict("wrong_call", f"{owners[0]} has no {name}; {', '.join(others[:3])} has", name)
    if known.current.has_name(name):
        return Verdict("wrong_call", f"{name} is no member of {owners[0]} but stands by itself in Manim", name)
    elsewhere = known.elsewhere_any_member(name)
    if elsewhere:
        return _wrong_version(name, elsewhere, known)
    pool = {
        member for base in lines for member in [*known.current.methods.get(base, {}), *known.current.attributes.get(base, ())]
    }
    return _invented(f"{owners[0]}.{name}", "no class of any release has", known.current.nearest(name, pool))


def _missing_on_own(owner: str, name: str, error: ScriptError, script: Script, known: Api) -> Verdict:
    """A member that an object of one of the script's own classes lacks."""
    own = script.own_attributes | script.functions
    if name in own:
        return Verdict("own_bug", f"{name} is used before the script sets it", name)
    origins = [base for base in script.origins(owner.rpartition(".")[2]) if base in known.current.bases]
    slip = difflib.get_close_matches(name, sorted(own - _OWN_METHOD), n=1, cutoff=_OWN_SLIP)
    if slip or not origins:
        return Verdict("own_bug", f"{name} is like {slip[0]}" if slip else error.message, name)
    verdict = _missing_member(origins, name, known)
    if verdict.cause == "invented_name" and not script.called(name, error.line) and not verdict.nearest:
        return Verdict("own_bug", f"the script never sets {name}", name)
    return verdict


def import_error(error: ScriptError, _script: Script, known: Api) -> Verdict | None:
    """A module or a name that cannot be imported."""
    if error.type not in ("ImportError", "ModuleNotFoundError"):
        return None
    module = error.name or ""
    name = re.search(r"cannot import name '(\w+)'", error.message)
    top = module.split(".")[0]
    if name is not None and top == "manim":
        elsewhere = known.elsewhere_name(name[1])
        if known.current.has_name(name[1]):
            return Verdict("wrong_call", f"{name[1]} is not in {module}", name[1])
        return (
            _wrong_version(name[1], elsewhere, known)
            if elsewhere
            else _invented(name[1], "no release of Manim has", known.current.nearest(name[1]))
        )
    if top == "manim" or top.startswith("manim"):
        elsewhere = known.elsewhere_module(module)
        if elsewhere:
            return _wrong_version(module, elsewhere, known)
        return _invented(module, "no release of Manim has the module", "")
    return Verdict("own_bug", f"the module {module or error.message} is not to be had")


def refused_keyword(error: ScriptError, owner: str, method: str, keyword: str, script: Script, known: Api) -> Verdict:
    """A callable that does not take a keyword. `owner`: class in the message, which may be a base of what the script called."""
    real = owner in known.current.bases or (not owner and method in known.current.functions)
    if owner in script.classes or (not owner and method in script.functions) or not (real or _below_manim(error)):
        return Verdict("own_bug", error.message, keyword)
    # The keyword travelled up the classes; what the script called stands on its line.
    called = [name for name in script.callees(error.line, keyword) if known.current.has_name(name)] or [owner or method]
    elsewhere = known.elsewhere_keyword(called, keyword)
    if elsewhere:
        return Verdict(
            "wrong_version", f"{called[0]} takes {keyword} in {_some(elsewhere)}, not in {known.current.name}", keyword, elsewhere
        )
    if keyword in known.current.keywords:
        return Verdict("wrong_call", f"{called[0]} does not take {keyword}; others do", keyword)
    elsewhere = known.elsewhere_any_keyword(keyword)
    if elsewhere:
        return Verdict(
            "wrong_version", f"{keyword} is a keyword of {_some(elsewhere)}, not of {known.current.name}", keyword, elsewhere
        )
    nearest = known.current.nearest(keyword, known.current.keywords)
    return Verdict("invented_keyword", f"nothing in any release of Manim takes {keyword}", keyword, nearest=nearest)


def _below_manim(error: ScriptError) -> bool:
    return bool(error.traceback) and error.traceback[-1].file.startswith("manim/")


def _wrong_version(name: str, elsewhere: list[str], known: Api) -> Verdict:
    outdated = "outdated API: " if all(_earlier(release, known.current.name) for release in elsewhere) else ""
    return Verdict("wrong_version", f"{outdated}{name} is in {_some(elsewhere)}, not in {known.current.name}", name, elsewhere)


def _earlier(release: str, current: str) -> bool:
    """Whether a release came before another; ManimGL and the first Manim go their own way, and what is theirs is old here."""
    return not release.startswith("manim ") or order_of(release) < order_of(current)


def _invented(name: str, said: str, nearest: str) -> Verdict:
    hint = f"; the nearest real name is {nearest}" if nearest else ""
    return Verdict("invented_name", f"{said} {name}{hint}", name, nearest=nearest)


def _some(releases: list[str]) -> str:
    return (
        releases[0] if len(releases) == 1 else f"{releases[0]} … {releases[-1]}" if len(releases) > 2 else " and ".join(releases)
    )
