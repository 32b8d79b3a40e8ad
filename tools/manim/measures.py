"""What is said of a run beside the audit: why it failed, how much text it adds, PADVC and TD of its film if there is one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tools.errors import EnvironmentFault
from tools.manim.contract import Check
from tools.manim.errors import diagnose
from tools.media.padvc_fit import PUBLISHED, Centre
from tools.media.textexpand import text_expansion


def with_measures(
    check: Check, source: str, prompt: str, folder: Path, *, centres: Mapping[str, Mapping[str, Centre]] | None = None
) -> Check:
    """The same check with category, cause and figures. `folder`: where the recording lies; `centres`: by language and measure."""
    found = diagnose(check.outcome, source)
    notes = list(check.notes)
    metrics: dict[str, float | None] = dict(check.metrics)
    if found is not None:
        notes.append(f"{(found.category or found.cause).replace('_', ' ')}: {found.why}")
    expansion = text_expansion(source, prompt)
    metrics["text_expand"] = expansion.ratio if expansion is not None else None
    films = [folder / scene.video for scene in check.outcome.scenes if scene.video and (folder / scene.video).is_file()]
    if films and check.outcome.status == "rendered":
        compat = any(audit.compat == "prism" for audit in check.audits)
        try:
            metrics |= film_measures(films, prompt, code=compat, centres=centres)
        except EnvironmentFault as error:
            notes.append(f"PADVC and TD were not measured: {error}")
        if centres is None and not compat and metrics.get("padvc") is not None:
            notes.append("PADVC is not centred: the published centre was fitted to the released code's scale (--compat prism).")
    return check.model_copy(
        update={
            "category": found.category if found is not None else "",
            "cause": found.cause if found is not None else "",
            "metrics": metrics,
            "notes": tuple(notes),
        }
    )


def film_measures(
    films: list[Path], prompt: str, *, code: bool = False, centres: Mapping[str, Mapping[str, Centre]] | None = None
) -> dict[str, float | None]:
    """PADVC and TD of a script's films, taken as one: events together, the peak of text over all, TD by the number of frames.

    `code`: as the released code reckons. PADVC is centred with the given centres, or with the published ones where the scale is
    theirs; TD, whose formula leaves nothing open, always is.
    """
    from tools.media.ocr import detect  # noqa: PLC0415 - models, only where there is a film
    from tools.media.padvc import measure_dynamics, padvc  # noqa: PLC0415
    from tools.media.padvc_prompt import density, language_of  # noqa: PLC0415

    parts = [measure_dynamics(film, prompt, find_text=detect, variant="code" if code else "paper") for film in films]
    pvd = density(prompt).pvd
    steps = sum(part.frames - 1 for part in parts)
    td = sum((part.td or 0.0) * (part.frames - 1) for part in parts) / steps if steps else None
    raw = padvc(
        [event.energy for part in parts for event in part.events],
        max(part.text_burden or 0.0 for part in parts),
        pvd,
        divide=code,
    )
    language = language_of(prompt)
    own = dict((centres or {}).get(language, {}))
    centre_td = own.get("td", PUBLISHED[language]["td"])
    centre_padvc = own.get("padvc") or (PUBLISHED[language]["padvc"] if code else None)
    return {
        "padvc": raw,
        "padvc_centred": centre_padvc.score(raw) if centre_padvc is not None else None,
        "td": td,
        "td_centred": centre_td.score(td) if td is not None else None,
        "pvd": float(pvd),
        "events": float(sum(len(part.events) for part in parts)),
        "film_s": sum(part.duration_s for part in parts),
    }
