"""`assay cdn`: what the local CDN holds, and filling it."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import Annotated

import typer

from agent.cli.printing import JsonFlag, print_json, say
from tools.text import how_many

app = typer.Typer(no_args_is_help=True, help="The local CDN: libraries from npm that pages get in place of the network's.")


@app.command("warm")
def cdn_warm(
    sources: Annotated[list[str], typer.Argument(metavar="URL|FILE|FOLDER", help="Addresses, or files that name some.")],
    limit_s: Annotated[float, typer.Option(help="Wall seconds this may take.")] = 600.0,
    as_json: JsonFlag = False,
) -> None:
    """Fetch the libraries that pages will ask for, so that they can be evaluated without a network."""
    from tools.browser.cdn.census import fill

    warmed = asyncio.run(fill(sources, limit_s=limit_s))
    if as_json:
        print_json(asdict(warmed))
    else:
        for word, urls in (
            ("not at the CDN", warmed.absent),
            ("not to be had", warmed.withheld),
            ("not done", warmed.unfinished),
        ):
            for url in urls:
                say(f"{word}: {url}")
        if not (warmed.served or warmed.absent or warmed.withheld or warmed.unfinished):
            say("no address of a known CDN is named there")
        say(f"{how_many(len(warmed.served), 'file')} fetched or there already")
    raise typer.Exit(3 if warmed.withheld or warmed.unfinished else 0)


@app.command("list")
def cdn_list(as_json: JsonFlag = False) -> None:
    """List the packages in the local CDN's cache."""
    from tools.browser.cdn.census import packages_kept

    kept = packages_kept()
    if as_json:
        print_json([asdict(item) for item in kept])
    else:
        for each_kept in kept:
            say(f"{each_kept.size / 1e6:8.1f} MB  {each_kept.files:6} files  {each_kept.name}@{each_kept.version}")
        say(f"{len(kept)} packages, {sum(item.size for item in kept) / 1e6:.0f} MB")
