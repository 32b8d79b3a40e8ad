"""What changed between two observations, each thing by its own measure."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.browser.marks import TEXT_LIMIT, Observation
from tools.evidence.rows import Changes

NOISE = 12
"""Smallest difference of a colour channel (of 255) that counts; smaller ones are rounding in the compositor."""
CARET_WIDTH_PX, CARET_HEIGHT_PX = 3, (8, 48)
_FEW_PX = 4000
"""With more changed pixels than this, a caret among them makes no difference."""
_TOO_LITTLE = 0.02
"""A picture of which less than this share stands still says nothing about what an act changed."""

Picture = NDArray[np.uint8]
Mask = NDArray[np.bool_]


def compare(
    before: Observation,
    after: Observation,
    before_picture: Picture | None = None,
    after_picture: Picture | None = None,
    moving_mask: Mask | None = None,
) -> Changes:
    """The differences from `before` to `after`.

    Pictures are RGB (height, width, 3); `moving_mask` (height, width) is true where pixels move by themselves: the union of what
    was watched at both observations. Without pictures of one size, or with nearly everything moving, `picture` is None: not
    measured.
    """
    return Changes(
        url=before.url != after.url,
        dom=before.dom_sha256 != after.dom_sha256,
        text=_text_differs(before, after),
        picture=changed_share(before_picture, after_picture, moving_mask),
        moving=before.moving,
        network=max(0, after.requests - before.requests),
        storage=before.storage_sha256 != after.storage_sha256,
        scroll=before.scroll != after.scroll,
        focus=_focus(before) != _focus(after),
        value=before.values_sha256 != after.values_sha256,
        dialogs=len(after.logs.dialogs),
        errors=len(after.logs.errors),
    )


def changed_share(before: Picture | None, after: Picture | None, moving: Mask | None = None) -> float | None:
    """Share of the still pixels that changed noticeably, 0–1; None where that cannot be told. A blinking caret is no change."""
    if before is None or after is None or before.shape != after.shape:
        return None
    changed = differing(before, after)
    still = changed.size
    if moving is not None and moving.shape == changed.shape:
        still -= int(np.count_nonzero(moving))
        changed &= ~moving
    if still < _TOO_LITTLE * changed.size:
        return None
    count = int(np.count_nonzero(changed))
    if 0 < count <= _FEW_PX:
        count -= _caret_pixels(changed)
    return count / still


def differing(first: Picture, second: Picture) -> Mask:
    """Pixels of which a channel differs by more than noise; (height, width)."""
    red, green, blue = cv2.split(cv2.absdiff(first, second))
    return cv2.max(cv2.max(red, green), blue) > NOISE


def tiles(mask: Mask, size_px: int = 16, spread: int = 1) -> Mask:
    """`mask` made coarse: whole tiles of `size_px` in which anything is set, and their neighbours up to `spread` tiles away.

    What moves by itself is elsewhere a moment later, but not far.
    """
    height, width = mask.shape
    rows, columns = -(-height // size_px), -(-width // size_px)
    padded = np.zeros((rows * size_px, columns * size_px), np.uint8)
    padded[:height, :width] = mask
    coarse = padded.reshape(rows, size_px, columns, size_px).max(axis=(1, 3))
    if spread:
        coarse = cv2.dilate(coarse, np.ones((2 * spread + 1, 2 * spread + 1), np.uint8))
    full = coarse.repeat(size_px, axis=0).repeat(size_px, axis=1)
    return full[:height, :width].astype(bool)


def _caret_pixels(changed: Mask) -> int:
    """How many of the changed pixels belong to thin upright bars of a text cursor's size."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(changed.astype(np.uint8), connectivity=8)
    parts = stats[1:]
    width, height, area = parts[:, cv2.CC_STAT_WIDTH], parts[:, cv2.CC_STAT_HEIGHT], parts[:, cv2.CC_STAT_AREA]
    caret = (width <= CARET_WIDTH_PX) & (height >= CARET_HEIGHT_PX[0]) & (height <= CARET_HEIGHT_PX[1])
    # A solid bar, and one of at most two (where it was and where it is): a row of thin letters is text.
    solid = caret & (area >= 0.9 * width * height)
    return int(area[solid].sum()) if int(solid.sum()) <= 2 else 0


def _text_differs(before: Observation, after: Observation) -> bool:
    """By the digests, which leave out what moves by itself; the texts only tell that nothing differs at all."""
    whole = len(before.text) < TEXT_LIMIT and len(after.text) < TEXT_LIMIT
    return before.text_sha256 != after.text_sha256 and not (whole and before.text == after.text)


def _focus(observation: Observation) -> str:
    mark = observation.mark(observation.focused)
    return mark.signature if mark is not None else ""
