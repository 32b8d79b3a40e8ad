"""Serving a subject, whatever it is: one call, one value with an address to open or the reason there is none."""

from __future__ import annotations

from dataclasses import replace
from http import HTTPStatus
from pathlib import Path
from urllib.parse import urlsplit

from configs.settings import Settings
from tools.app import sources
from tools.app.answer.assembly import svg_page
from tools.app.answer.extract import extract
from tools.app.artifact import Artifact
from tools.app.http_probe import Silence, ask
from tools.app.markup import references
from tools.app.project import open_project
from tools.app.scaffold import build, needs_build, write_files
from tools.app.served import Site, SiteProblem, SourceText
from tools.app.serving import Plan, plan_folder, plan_page, serve
from tools.app.subject import Subject, find_page
from tools.errors import SubjectError
from tools.processes import ProcessList
from tools.secrets import SECRETS

__all__ = ["Site", "SiteProblem", "SourceText", "open_site"]

PREFLIGHT_S = 5.0


async def open_site(subject: Subject, *, run_dir: Path, processes: ProcessList, settings: Settings) -> Site:
    """Serve a subject. Everything written lies in `run_dir`, every process is in `processes`; ending those closes the site.

    What is wrong with an app or its surroundings is in the site's `problem`. Raises `SubjectError` for a URL that does not answer
    (or answers with an error status), `MissingProgram` where Node.js or npm is needed and missing.
    """
    run_dir = run_dir.resolve()
    run_dir.mkdir(parents=True, exist_ok=True)
    path = subject.path
    if subject.variety == "url":
        return await _open_url(subject.given, settings.access.http_credentials, public_only=not settings.private_addresses)
    if subject.variety == "answer":
        return await _open_answer(subject.text, run_dir, processes, settings)
    if path is None:
        raise SubjectError(f"{subject.given} has no path.")
    if subject.variety == "project":
        return await open_project(path, run_dir=run_dir, processes=processes, settings=settings)
    if subject.variety == "folder":
        page = find_page(path)
        if page is None:
            raise SubjectError(f"{path} has no HTML page any more.")
        plan = plan_folder(path, page)
        found = sources.of_folder(plan.root, first=page)
    elif path.suffix.lower() == ".svg":
        return await _open_picture(path, run_dir, processes)
    else:
        plan = plan_page(path)
        found = sources.of_folder(plan.root, first=path, only=plan.only, pages=_linked_pages(path, plan.root))
    served = await serve(plan, log=run_dir / "logs" / "static.log", processes=processes)
    return Site(subject.variety, served.base_url, served.entry, found, plan.notes, None, None, served.pid)


async def _open_url(given: str, secret: str, *, public_only: bool) -> Site:
    """A site that somebody else serves, after one request that shows that it is there. `secret`: the name of its credentials."""
    credentials = SECRETS.value(secret) if secret else ""
    answer = await ask(given, timeout_s=PREFLIGHT_S, public_only=public_only, credentials=credentials)
    if isinstance(answer, Silence):
        raise SubjectError(f"Nothing answers at {given}: {answer.reason}.", hint="Is the address right and the server running?")
    if answer.status == HTTPStatus.UNAUTHORIZED and secret:
        raise SubjectError(f"{given} refuses the user name and password of the secret {secret} (status 401).")
    if answer.status == HTTPStatus.UNAUTHORIZED:
        hint = "--http-credentials NAME, with NAME=user:password in the environment or a key file."
        raise SubjectError(f"{given} asks for a user name and a password (status 401).", hint=hint)
    if answer.status >= 400:
        raise SubjectError(f"{given} answers with status {answer.status}.", hint="Give the address of a page that can be opened.")
    fragment = urlsplit(given).fragment
    entry = answer.url if not fragment or urlsplit(answer.url).fragment else f"{answer.url}#{fragment}"
    moved = answer.url.split("#")[0].rstrip("/") != given.split("#", maxsplit=1)[0].rstrip("/")
    parts = urlsplit(entry)
    notes = (f"{given} leads to {answer.url}",) if moved else ()
    return Site("url", f"{parts.scheme}://{parts.netloc}/", entry if moved else given, notes=notes)


def _linked_pages(page: Path, root: Path) -> frozenset[str]:
    """The documents below `root` that a page links to, relative to it."""
    names = {reference.local_path for reference in references(page.read_text(encoding="utf-8", errors="replace"))}
    found = {(root / name.lstrip("/") if name.startswith("/") else page.parent / name).resolve() for name in names if name}
    return frozenset(path.relative_to(root).as_posix() for path in found if path.is_relative_to(root))


async def _open_picture(path: Path, run_dir: Path, processes: ProcessList) -> Site:
    """An SVG file, put into a page of its own."""
    picture = path.read_text(encoding="utf-8-sig", errors="replace")
    write_files(run_dir / "site", {path.name: picture, "index.html": svg_page(picture)})
    plan = Plan(run_dir / "site", "index.html", charset="utf-8")
    served = await serve(plan, log=run_dir / "logs" / "static.log", processes=processes)
    notes = ("an SVG picture was put into a page of its own; files it refers to are not served",)
    return Site("html", served.base_url, served.entry, (SourceText(path.name, "svg", picture),), notes, None, None, served.pid)


async def _open_answer(text: str, run_dir: Path, processes: ProcessList, settings: Settings) -> Site:
    """The app taken out of a raw answer."""
    artifact = extract(text)
    if artifact.kind == "none":
        return Site("none", "", "", notes=artifact.notes, problem=_no_artifact(artifact))
    if artifact.kind == "project":
        write_files(run_dir / "answer", artifact.files)
        site = await open_project(run_dir / "answer", run_dir=run_dir, processes=processes, settings=settings)
        return replace(site, notes=(*artifact.notes, *site.notes))
    shown = {name: text for name, text in artifact.files.items() if not (artifact.original and name == artifact.entry)}
    found = sources.of_files({artifact.original or artifact.entry: shown[artifact.original or artifact.entry], **shown})
    notes, entry = artifact.notes, artifact.entry
    if needs_build(artifact):
        built = await build(artifact, run_dir=run_dir, processes=processes, settings=settings)
        notes, entry = (*notes, *built.notes), built.entry
        if built.problem is not None:
            return Site("none", "", "", found, notes, built.problem)
    else:
        write_files(run_dir / "site", artifact.files)
    plan = Plan(run_dir / "site", entry, charset="utf-8")
    served = await serve(plan, log=run_dir / "logs" / "static.log", processes=processes)
    return Site("answer", served.base_url, served.entry, found, notes, None, None, served.pid)


def _no_artifact(artifact: Artifact) -> SiteProblem:
    """Why an answer has nothing to open. An app in a language that Assay cannot serve is not the answer's failing."""
    seen = "; ".join(artifact.notes)
    message = "The answer contains no app that can be opened" + (f": {seen}." if seen else ".")
    return SiteProblem("no_artifact", message, "environment" if artifact.unserved else "app")
