"""Images and motion.

Sources: an image is sharp where it has a pixel for each it is shown with, and true where its proportions are kept (HTML
standard, `object-fit`; web.dev, properly sized images); transitions of 50 to 600 ms with easing – Material Design 3, motion;
Nielsen's 0.1 s and 1 s limits; moving things that never stop – WCAG 2.2, 2.2.2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tools.probes.aesthetics.ramp import mean, ramp

LEAST_CONTROLS = 3


def image_quality(images: Sequence[Mapping[str, Any]]) -> float | None:
    """Share of the images that are neither blown up nor squeezed; None without images."""
    return mean(_quality(image) for image in images if image["w"] >= 16 and image["h"] >= 16)


def _quality(image: Mapping[str, Any]) -> float:
    across, down = image["w"] / image["naturalW"], image["h"] / image["naturalH"]
    true = (
        1.0
        if image["fit"] in {"cover", "contain", "scale-down", "none"}
        else ramp(max(across, down) / min(across, down), 1.25, 1.04)
    )
    sharp = 1.0 if image["vector"] else ramp(max(across, down), 2.2, 1.3)
    return min(true, sharp)


def motion_quality(motion: Mapping[str, Any]) -> float | None:
    """Controls answer with short, eased transitions, and little on the page moves for ever; None where nothing is animated."""
    durations = [float(value) for value in motion["durations"]]
    if motion["controls"] < LEAST_CONTROLS or not (durations or motion["endless"]):
        return None
    eased = 1 - motion["plainEasing"] / len(durations) if durations else 0.0
    quick = mean(min(ramp(value, 20, 60), ramp(value, 1200, 600)) for value in durations) or 0.0
    answers = ramp(len(durations) / motion["controls"], 0.0, 0.5)
    return 0.3 * answers + 0.3 * quick + 0.2 * eased + 0.2 * ramp(motion["endless"], 12, 3)
