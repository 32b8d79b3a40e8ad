"""Of all forms that are met on some apps, how many are filled in whole, and how many of these the app accepts.

    .venv/bin/python -m tests.benchmarks.forms FOLDER_OF_ZIPS [--apps 20] [--skip 0] [--out FILE.jsonl] [--limit-s 240]

Each app (a zipped project) is installed and served as `assay eval` does. Forms are looked for on the first page, behind its links
of the site's own and behind some buttons, and filled in where they are met. Prints a line an app and the shares.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

from agent.trials.carrying import carry_out, open_afresh
from agent.trials.forms import fill_whole
from agent.trials.quiet import quiet
from agent.trials.session import opened
from configs.settings import Settings
from tools.browser.stage import Stage
from tools.errors import AssayError
from tools.page.assertions import Clean, Target
from tools.page.model import PageModel
from tools.page.parts import Field, Form
from tools.page.trials import Keys, Press, Trial

LINKS_AT_MOST, BUTTONS_AT_MOST, FORMS_AT_MOST = 4, 4, 6
Row = dict[str, object]


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


@dataclass
class Roaming:
    """One way through an app, on which every form that is met is filled in where it stands."""

    stage: Stage
    entry: str
    rows: list[Row]
    known: set[str] = field(default_factory=set[str])
    pressed: set[str] = field(default_factory=set[str])

    async def run(self) -> None:
        """The first page, then what its links lead to; on each what some buttons open."""
        first = page = await self._open()
        links = {link.href: link for link in first.links if link.item < 0 and not self.entry.startswith(link.href.split("#")[0])}
        page = await self._page(page, "first page")
        for link in list(links.values())[:LINKS_AT_MOST]:
            target = Target.of(link, first)
            if target.find(page) is None:
                page = await self._open()
            page = await self._page(await self._press(target, page), link.name)

    async def _open(self) -> PageModel:
        await open_afresh(self.stage, self.entry)
        return await quiet(self.stage)

    async def _press(self, target: Target, page: PageModel) -> PageModel:
        trial = Trial(why="Goes there", acts=(Press(target=target),), asserts=(Clean(),))
        record = await carry_out(trial, self.stage)
        return record.acts[-1].after if record.acts else page

    async def _page(self, page: PageModel, where: str) -> PageModel:
        page = await self._forms(page, where)
        here = page
        for button in here.buttons:
            tried = len([one for one in self.pressed if one.startswith(where)])
            target, name = Target.of(button, here), f"{where} {button.name}"
            sends = {form.submit for form in here.forms}
            if (
                tried >= BUTTONS_AT_MOST
                or button.disabled
                or button.key in sends
                or button.item > 0
                or button.name in "".join(self.pressed)
            ):
                continue
            self.pressed.add(name)
            if target.find(page) is not None:
                page = await self._forms(await self._press(target, page), name)
                if any(layer.modal for layer in page.layers):
                    keys = Trial(why="Closes it", acts=(Keys(keys=("Escape",)),), asserts=(Clean(),))
                    record = await carry_out(keys, self.stage)
                    page = record.acts[-1].after if record.acts else page
        return page

    async def _forms(self, page: PageModel, where: str) -> PageModel:
        """Fill in what is new on the page; the page after that."""
        for form in page.forms:
            name = _key(form, page)
            if name in self.known or len(self.rows) >= FORMS_AT_MOST or not _wanted(form, page):
                continue
            self.known.add(name)
            here = Target.of(form, page).find(page)
            if not isinstance(here, Form):
                continue
            began_s = time.monotonic()
            try:
                result = await fill_whole(self.stage, here, page)
            except ValueError as error:
                self.rows.append({"where": where, "form": form.key, "whole": False, "accepted": False, "problem": str(error)})
                continue
            fills = [one.words() for one in result.acts[-1].fills] if result.acts else []
            self.rows.append({
                "where": where, "form": form.key, "whole": result.whole, "accepted": result.accepted, "empty": result.empty,
                "refused": result.refused, "problem": result.problem, "sent": len(result.acts), "fills": fills,
                "s": round(time.monotonic() - began_s, 1),
            })  # fmt: skip
            return await self._forms(result.after, where)
        return page


async def measure(archive: Path, folder: Path, rows: list[Row]) -> None:
    """One row a form of one app, as soon as it was tried."""
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(folder / "app")
    inner = [one for one in (folder / "app").iterdir() if one.is_dir() and (one / "package.json").is_file()]
    project = folder / "app" if (folder / "app" / "package.json").is_file() else inner[0]
    async with opened(str(project), Settings(rhythm=0), folder / "run") as session, session.stage() as stage:
        await Roaming(stage, session.entry, rows).run()


async def main(options: argparse.Namespace) -> None:
    """Measure and print."""
    rows: list[Row] = []
    for archive in sorted(options.folder.glob("*.zip"))[options.skip : options.skip + options.apps]:
        began_s = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="assay-forms-") as folder:
            found: list[Row] = []
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
                stream.writelines(json.dumps({"app": archive.stem, **one}, ensure_ascii=False) + "\n" for one in found)
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
