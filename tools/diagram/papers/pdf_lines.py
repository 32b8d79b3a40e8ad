"""Lines of a PDF with their letter size, as JSON on standard output. Runs as a program of its own: `python -m …pdf_lines FILE`.

PDFs come from strangers. The parent gives it a time limit; it limits its own memory and the pages it reads.
"""

from __future__ import annotations

import ctypes
import json
import re
import sys

MAX_PAGES = 120
MAX_LETTERS = 3_000_000
MEMORY_BYTES = 1_500_000_000


def lines_of(path: str) -> dict[str, object]:
    """`{"pages": n, "lines": [[page, size, text], …]}`; sizes are in points, 0 where unknown."""
    import pypdfium2  # noqa: PLC0415 - after the limits are set
    from pypdfium2 import raw  # noqa: PLC0415

    document = pypdfium2.PdfDocument(path)
    found: list[tuple[int, float, str]] = []
    letters = 0
    for number in range(min(len(document), MAX_PAGES)):
        page = document[number]
        text = page.get_textpage()
        at, whole = 0, text.get_text_range()
        letters += len(whole)
        for line in re.split(r"(\r\n|\r|\n)", whole):
            if line.strip():
                inside = at + len(line) - len(line.lstrip())
                size = float(raw.FPDFText_GetFontSize(text, ctypes.c_int(inside)))
                found.append((number + 1, round(size, 1), line.strip()))
            at += len(line)
        text.close()
        page.close()
        if letters > MAX_LETTERS:
            break
    return {"pages": len(document), "lines": found}


def main() -> int:
    """Reads the file named on the command line; 3 if it is no PDF that can be read."""
    import resource  # noqa: PLC0415 - POSIX only

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    import pypdfium2  # noqa: PLC0415

    try:
        told = lines_of(sys.argv[1])
    except (pypdfium2.PdfiumError, MemoryError, OSError, ValueError) as error:
        sys.stderr.write(f"{type(error).__name__}: {error}"[:300])
        return 3
    sys.stdout.write(json.dumps(told, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
