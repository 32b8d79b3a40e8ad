"""Files that are given to file choosers: a person's own, or one made here of the kind that its name says."""

from __future__ import annotations

import shutil
from pathlib import Path

import cv2
import numpy as np

from agent.trials.stops import Stop

_TEXTS = {
    ".txt": "Amber Lake\n", ".csv": "name,amount\nAmber Lake,12\nBirch Hill,7\n", ".json": '{"name": "Amber Lake"}\n',
    ".md": "# Amber Lake\n",
    ".svg": '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>\n',
    ".pdf": "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n"
    "trailer<</Root 1 0 R>>\n%%EOF\n",
}  # fmt: skip
_PICTURES = {".png", ".jpg", ".jpeg", ".webp"}


def given_file(name: str, folder: Path) -> Path:
    """A copy in `folder`, where the browser may read it, of the file of that name; one made for the name where there is none.

    Raises `Stop` for a name that is neither.
    """
    own = Path(name)
    folder.mkdir(mode=0o755, parents=True, exist_ok=True)
    target, suffix = folder / own.name, own.suffix.lower()
    if own.is_file():
        shutil.copyfile(own, target)
    elif suffix in _PICTURES:
        picture = np.full((120, 160, 3), (96, 160, 64), np.uint8)
        target.write_bytes(cv2.imencode(suffix, picture)[1].tobytes())
    elif suffix in _TEXTS:
        target.write_text(_TEXTS[suffix], encoding="utf-8")
    else:
        raise Stop("no such option", f"there is no file {name}, and none of its kind can be made")
    target.chmod(0o644)
    return target
