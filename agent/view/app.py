"""The view's pages over HTTP: addresses, and what each shows. Every one but the files' lies below the token."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, FastAPI, Form, HTTPException, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException as StarletteHTTPException

from agent.run.steering import HINT_LIMIT
from agent.run.wishes import Wished
from agent.run.wishes import wish as ask
from agent.serve.gatekeeping import App, PageGate
from agent.view.comparisons import comparing
from agent.view.failure_pictures import FailurePictures
from agent.view.files import file_response
from agent.view.folder import NotThereError, RunsFolder
from agent.view.keys import PREFIX, FileKeys
from agent.view.links import Links
from agent.view.listing import SORTS, VERDICTS, Wish, listed
from agent.view.live import LiveRuns
from agent.view.pages import Pages, files_of, policy
from agent.view.pictures import Thumbnails
from agent.view.summaries import Summaries, Summary, promises_of
from evaluator.marks.file import marks_on, put_mark
from evaluator.marks.model import WORD_CHARS
from evaluator.reports.by_hand import steps_by_hand
from evaluator.reports.causes import by_cause
from evaluator.reports.facts import read_run
from evaluator.verdict.model import Verdict
from tools.errors import AssayError, EnvironmentFault, RunError
from tools.evidence.received import refuse_foreign
from tools.evidence.record import Record
from tools.media.bounds import NoPicture

T = TypeVar("T")
MOST_FORM_BYTES = 20_000
HEADERS = {
    "Content-Security-Policy": policy(),
    "X-Content-Type-Options": "nosniff",
    # A form must be able to say where it comes from; links to files say nothing (`rel=noreferrer`).
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


@dataclass(frozen=True)
class View:
    """All that the pages are made of."""

    folder: RunsFolder
    token: str
    reader: str
    summaries: Summaries
    live: LiveRuns
    thumbnails: Thumbnails
    failure_pictures: FailurePictures
    keys: FileKeys
    links: Links
    pages: Pages

    @classmethod
    def of(cls, root: Path, token: str, reader: str) -> View:
        """A view of a folder. Raises `UserError` if it is none of runs."""
        folder, keys = RunsFolder(root), FileKeys(token)
        links = Links(f"/{token}", keys)
        return cls(
            folder,
            token,
            reader,
            Summaries(folder),
            LiveRuns(),
            Thumbnails(),
            FailurePictures(),
            keys,
            links,
            Pages(links, folder.root),
        )


def make_app(view: View, host: str) -> App:
    """The application with its gate. `host`: the name or address that is listened on."""
    app = FastAPI(title="Assay", docs_url=None, redoc_url=None, openapi_url=None)
    for kind in (AssayError, StarletteHTTPException, RequestValidationError):
        app.add_exception_handler(kind, partial(_answer_error, view))
    routes = APIRouter(prefix=view.links.root)
    _add_list(routes, view)
    _add_run(routes, view)
    _add_marks(routes, view)
    _add_comparison(routes, view)
    app.include_router(routes)
    _add_files(app, view)
    return PageGate(app, token=view.token, most_bytes=MOST_FORM_BYTES, host=host, free=PREFIX)


async def _answer_error(view: View, request: Request, error: Exception) -> Response:
    match error:
        case NotThereError():
            status, says = 404, error.message
        case StarletteHTTPException(status_code=status, detail=says):
            pass
        case EnvironmentFault():
            status, says = 503, str(error)
        case AssayError():
            status, says = 409, str(error)
        case _:
            status, says = 422, "What was sent is not as it should be."
    if not request.url.path.startswith(view.links.root + "/"):
        # What has no token gets no page: its links would hand it out.
        return Response(f"{says}\n", status, media_type="text/plain", headers={"X-Content-Type-Options": "nosniff"})
    return _html(view, "error.html.j2", status, title=HTTPStatus(status).phrase, says=says)


def _html(view: View, template: str, status: int = 200, /, **values: Any) -> HTMLResponse:
    return HTMLResponse(view.pages.render(template, **values), status, headers=HEADERS)


async def _thread(work: Callable[..., T], *arguments: Any) -> T:
    return await asyncio.to_thread(work, *arguments)


def _add_list(routes: APIRouter, view: View) -> None:
    @routes.get("/")
    async def runs(
        status: str = "", text: str = "", verdict: str = "", folder: str = "", sort: str = "when", page: str = "1"
    ) -> HTMLResponse:
        """The list of runs."""
        number = int(page) if page.isdecimal() and len(page) < 7 else 1
        wish = Wish(status, text[:200], verdict, folder[:500], sort, number)
        return await _thread(_list_page, view, wish)

    @routes.get("/thumbnails/{name:path}")
    async def thumbnail(name: str) -> Response:
        """A run's small picture."""
        path = await _thread(view.folder.run, name)
        summary = await _thread(view.summaries.of, name)
        if not summary.picture:
            raise HTTPException(404, "There is no picture of it.")
        try:
            data = await _thread(view.thumbnails.of, view.folder.file(name, summary.picture))
        except (OSError, NoPicture) as error:
            raise HTTPException(404, f"There is no picture in {path.name}: {error}.") from error
        return Response(data, media_type="image/webp", headers={**HEADERS, "Cache-Control": "private, max-age=600"})


def _list_page(view: View, wish: Wish) -> HTMLResponse:
    everything = view.summaries.all()
    found = view.folder.found()
    return _html(
        view,
        "list.html.j2",
        wish=wish,
        listing=listed(everything, wish),
        total=len(everything),
        comparisons=[each_found.name for each_found in found if each_found.kind == "comparison"],
        batches={each_found.name for each_found in found if each_found.kind == "batch"},
        verdicts={key: words for key, (words, _) in VERDICTS.items()},
        sorts=SORTS,
    )


def _add_run(routes: APIRouter, view: View) -> None:
    @routes.get("/runs/{name:path}")
    async def run(name: str) -> HTMLResponse:
        """A run: its verdict with the reader's marks, its report and files; while it goes on, what it does."""
        return await _thread(_run_page, view, name)

    @routes.get("/live/{name:path}")
    async def live(name: str, seen: Annotated[str, Query(max_length=40)] = "") -> Response:
        """What a run does now, as a part of its page; 204 where nothing is new since version `seen`, 205 when it is over."""
        path = await _thread(view.folder.run, name)
        if (await _thread(view.summaries.of, name)).status != "running":
            return Response(status_code=205, headers=HEADERS)
        scene = await _thread(view.live.look, name, path)
        if seen == str(scene["version"]):
            return Response(status_code=204, headers=HEADERS)
        return _html(view, "_live.html.j2", name=name, scene=scene)

    @routes.post("/steer/{name:path}")
    async def steer(
        name: str,
        wish: Annotated[str, Form(pattern="^(pause|step|go_on|hint|stop)$")],
        text: Annotated[str, Form(max_length=2 * HINT_LIMIT)] = "",
    ) -> RedirectResponse:
        """Ask something of a run that goes on, as the console's keys do."""
        path = await _thread(view.folder.run, name)
        if (await _thread(view.summaries.of, name)).status != "running":
            raise HTTPException(409, "It is over.")
        known: Any = wish
        words = " ".join(text.split())[:HINT_LIMIT]
        if wish != "hint" or words:
            await _thread(ask, path, Wished(wish=known, text=words if wish == "hint" else ""))
        return RedirectResponse(f"{view.links.run(name)}#steering", 303, headers=HEADERS)


def _run_page(view: View, name: str) -> HTMLResponse:
    path = view.folder.run(name)
    summary = view.summaries.of(name)
    values: dict[str, Any] = {"run": summary, "files": files_of(path), "path": str(path), "most": WORD_CHARS}
    if summary.status == "running":
        return _html(view, "run.html.j2", scene=view.live.look(name, path), verdict=None, **values)
    judged, marks, problem = _judged(path, summary)
    verdict = judged[1] if judged is not None else None
    pictures = view.failure_pictures.of(*judged) if judged is not None else {}
    groups = [*by_cause(verdict.failures)] if verdict is not None else []
    failures = [failure for group in groups for failure in group]
    return _html(
        view,
        "run.html.j2",
        scene=None,
        verdict=verdict,
        failures=failures,
        suspected=verdict.suspected if verdict is not None else (),
        marks=marks,
        pictures=pictures,
        steps_by_hand=steps_by_hand,
        problem=problem,
        promises=promises_of(path) if verdict is not None else (),
        **values,
    )


def _judged(path: Path, summary: Summary) -> tuple[tuple[Record, Verdict] | None, dict[str, Any], str]:
    """A run's record and verdict with the marks on it; why there is none, or why the marks can't be read."""
    try:
        refuse_foreign(path)
        record, verdict = read_run(path)
    except RunError as error:
        return None, {}, str(error) if summary.status != "interrupted" else ""
    try:
        return (record, verdict), marks_on(path, verdict), ""
    except RunError as error:
        return (record, verdict), {}, str(error)


def _add_marks(routes: APIRouter, view: View) -> None:
    @routes.post("/marks/{name:path}")
    async def mark(
        name: str,
        failure: Annotated[str, Form(max_length=80)],
        opinion: Annotated[str, Form(pattern="^(right|wrong|duplicate|none)$")],
        word: Annotated[str, Form(max_length=2 * WORD_CHARS)] = "",
    ) -> RedirectResponse:
        """Mark a failure, or take its mark back (`none`)."""
        path = await _thread(view.folder.run, name)
        if (await _thread(view.summaries.of, name)).status == "running":
            raise HTTPException(409, "It is being worked on; its failures can be marked once it is over.")

        def write() -> None:
            refuse_foreign(path)
            _, verdict = read_run(path)
            given: Any = None if opinion == "none" else opinion
            put_mark(path, verdict, failure, given, word=word, reader=view.reader)

        await _thread(write)
        return RedirectResponse(f"{view.links.run(name)}#{failure}", 303, headers=HEADERS)


def _add_comparison(routes: APIRouter, view: View) -> None:
    @routes.get("/compare")
    async def compare(run: Annotated[list[str] | None, Query()] = None) -> HTMLResponse:
        """Two runs side by side, in the order in which they were named."""
        names = list(dict.fromkeys(run or ()))
        if len(names) != 2:
            raise HTTPException(422, f"Two runs can stand side by side; {len(names)} were chosen. Tick two in the list.")
        return await _thread(_comparison_page, view, *names)


def _comparison_page(view: View, a: str, b: str) -> HTMLResponse:
    from agent.view.side_by_side import side_by_side  # noqa: PLC0415 - the relations are for this page alone

    path_a, path_b = view.folder.run(a), view.folder.run(b)
    two = side_by_side(view.summaries.of(a), path_a, view.summaries.of(b), path_b)
    return _html(
        view, "compare.html.j2", two=two, paths=(str(path_a), str(path_b)), comparisons=comparing(view.folder, path_a, path_b)
    )


def _add_files(app: FastAPI, view: View) -> None:
    @app.api_route(PREFIX + "{key}/{inside:path}", methods=["GET", "HEAD"])
    async def file(request: Request, key: str, inside: str) -> Response:
        """A file of a run, a batch or a comparison, by the key of its folder; parts of it by range."""
        name = view.keys.name_of(key)
        if name is None:
            raise HTTPException(404, "There is no such file.")
        path = await _thread(view.folder.file, name, inside)
        host = request.headers.get("host", "")
        return file_response(path, inside, f"http://{host}{view.keys.base(name)}")
