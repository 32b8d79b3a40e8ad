"""Of all forms that are met on some apps, how many are filled in whole, and how many of these the app accepts.

    .venv/bin/python -m tests.benchmarks.forms FOLDER_OF_ZIPS [--apps 20] [--skip 0] [--out FILE.jsonl] [--limit-s 240]

Each app (a zipped project) is installed and served as `assay eval` does. Forms are looked for on the first page, behind its links
of the site's own, and behind buttons that open one; each is filled on a page opened afresh. Prints a line an app and the shares.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path

from agent.trials.carrying import carry_out, open_afresh
from agent.trials.forms import FormFilled, fill_whole
from agent.trials.quiet import quiet
from agent.trials.session import opened
from configs.settings import Settings
from tools.browser.stage import Stage
from tools.errors import AssayError
from tools.page.assertions import Clean, Target
from tools.page.changes import difference
from tools.page.model import PageModel
from tools.page.parts import Field, Form
from tools.page.trials import Press, Trial

OPENED_AT_MOST, FORMS_AT_MOST = 5, 5


@dataclass(frozen=True)
class Found:
    """A form, and what must be pressed from the first page to get to it."""

    form: Form
    way: tuple[Press, ...]


def _key(form: Form, page: PageModel) -> str:
    names = sorted(part.name for key in (*form.fields, *form.choices, *form.toggles) if (part := page.of(key)))
    return "|".join(names)


def _wanted(form: Form, page: PageModel) -> bool:
    """It takes something in: it has more than a search with its filters."""
    typed = [part for key in form.fields if isinstance(part := page.of(key), Field) and part.kind not in {"select", "combobox"}]
    kinds = {"search" if part.name.casefold().startswith("search") else part.kind for part in typed}
    return bool(kinds - {"search", "slider"}) and (
        bool(form.submit) or len(form.fields) + len(form.choices) > 1 or not form.native
    )


async def find_forms(stage: Stage, entry: str) -> list[Found]:
    """Forms on the first page, and behind one press or a link and one press."""
    found: dict[str, Found] = {}
    await open_afresh(stage, entry)
    first = await quiet(stage)

    def take(page: PageModel, way: tuple[Press, ...]) -> None:
        for form in page.forms:
            if _wanted(form, page):
                found.setdefault(_key(form, page), Found(form, way))

    take(first, ())
    links = {
        link.href: link for link in first.links if link.item < 0 and link.href.split("#")[0].rstrip("/") != entry.rstrip("/")
    }
    pages: list[tuple[PageModel, tuple[Press, ...]]] = [(first, ())]
    for link in list(links.values())[:3]:
        way = (Press(target=Target.of(link, first)),)
        page = await _after(stage, entry, way)
        if page is not None:
            take(page, way)
            pages.append((page, way))
    tried: set[str] = set()
    for page, way in pages:
        at_page = False
        for button in page.buttons:
            if len(tried) >= OPENED_AT_MOST or len(found) >= FORMS_AT_MOST:
                break
            if button.disabled or button.name in tried or button.key in {form.submit for form in page.forms} or button.item > 0:
                continue
            tried.add(button.name)
            press = Press(target=Target.of(button, page))
            # A press that changed nothing leaves the page as it was for the next one.
            seen = await _after(stage, "" if at_page else entry, (press,) if at_page else (*way, press))
            at_page = seen is not None and difference(page, seen).empty
            if seen is not None:
                take(seen, (*way, press))
    return list(found.values())[:FORMS_AT_MOST]


async def _after(stage: Stage, entry: str, way: tuple[Press, ...]) -> PageModel | None:
    record = await carry_out(Trial(why="Goes there", acts=way, asserts=(Clean(),)), stage, fresh=entry)
    return None if record.stopped is not None or not record.acts else record.acts[-1].after


async def fill_one(stage: Stage, entry: str, found: Found) -> FormFilled | str:
    """The form filled on a fresh page, or why it could not be got to."""
    if found.way:
        page = await _after(stage, entry, found.way)
    else:
        await open_afresh(stage, entry)
        page = await quiet(stage)
    if page is None:
        return "not got to"
    form = Target(kind="forms", key=found.form.key, name=found.form.name, selector=found.form.selector).find(page)
    if not isinstance(form, Form):
        return "not there again"
    try:
        return await fill_whole(stage, form, page)
    except ValueError as error:
        return str(error)


async def measure(archive: Path, folder: Path, rows: list[dict[str, object]]) -> None:
    """One row a form of one app, as soon as it was tried."""
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(folder / "app")
    inner = [one for one in (folder / "app").iterdir() if one.is_dir() and (one / "package.json").is_file()]
    project = folder / "app" if (folder / "app" / "package.json").is_file() else inner[0]
    async with opened(str(project), Settings(rhythm=0), folder / "run") as session, session.stage() as stage:
        for found in await find_forms(stage, session.entry):
            began_s = time.monotonic()
            result = await fill_one(stage, session.entry, found)
            row: dict[str, object] = {"app": archive.stem, "form": found.form.key, "way": [one.words() for one in found.way]}
            if isinstance(result, str):
                row |= {"whole": False, "accepted": False, "problem": result}
            else:
                row |= {
                    "whole": result.whole, "accepted": result.accepted, "empty": result.empty, "refused": result.refused,
                    "problem": result.problem, "sent": len(result.acts),
                    "fills": [one.words() for one in result.acts[-1].fills] if result.acts else [],
                }  # fmt: skip
            rows.append({**row, "s": round(time.monotonic() - began_s, 1)})


async def main(options: argparse.Namespace) -> None:
    """Measure and print."""
    rows: list[dict[str, object]] = []
    for archive in sorted(options.folder.glob("*.zip"))[options.skip : options.skip + options.apps]:
        began_s = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="assay-forms-") as folder:
            found: list[dict[str, object]] = []
            try:
                await asyncio.wait_for(measure(archive, Path(folder), found), options.limit_s)
            except (AssayError, TimeoutError) as error:
                sys.stdout.write(f"{archive.stem}: ended early: {type(error).__name__} {str(error)[:200]}\n")
        rows += found
        whole, accepted = sum(bool(one["whole"]) for one in found), sum(bool(one["accepted"]) for one in found)
        line = (
            f"{archive.stem}: {len(found)} forms, {whole} filled whole, {accepted} accepted, {time.monotonic() - began_s:.0f} s\n"
        )
        sys.stdout.write(line)
        sys.stdout.flush()
        if options.out is not None:
            with options.out.open("a", encoding="utf-8") as stream:
                stream.writelines(json.dumps(one, ensure_ascii=False) + "\n" for one in found)
    whole = sum(bool(one["whole"]) for one in rows)
    both = sum(bool(one["whole"]) and bool(one["accepted"]) for one in rows)
    sys.stdout.write(f"all: {len(rows)} forms, {whole} filled whole, {both} of these accepted\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--apps", type=int, default=20)
    parser.add_argument("--skip", type=int, default=0)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--limit-s", type=float, default=240)
    asyncio.run(main(parser.parse_args()))
