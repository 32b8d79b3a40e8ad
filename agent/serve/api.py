"""The HTTP API: routes, what they take and give, and which status says what. The OpenAPI document is made from it."""

from __future__ import annotations

import asyncio
import functools
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, FastAPI, File, Form, Header, HTTPException, Query, Request, UploadFile
from fastapi.responses import FileResponse, JSONResponse, StreamingResponse
from fastapi.security import HTTPBearer
from starlette.routing import compile_path

from agent.batch.jobs import State
from agent.batch.table import DiskFull, Entry
from agent.serve.following import follow
from agent.serve.gatekeeping import App, Gate
from agent.serve.service import Service, TooManyWaiting
from agent.serve.unpacking import CHUNK, Clash
from agent.serve.wire import LANGUAGE, Evaluation, Health, Page, Problem, Submission, told
from evaluator.verdict.model import Verdict
from tools.errors import AssayError, EnvironmentFault, UserError

T = TypeVar("T")
Responses = dict[int | str, dict[str, Any]]


def _problem(words: str) -> dict[str, Any]:
    return {"model": Problem, "description": words}


REFUSED: Responses = {
    401: _problem("The token is missing or wrong."),
    422: _problem("Not as it should be; the detail says what."),
    503: _problem("The disk is full or the table is gone."),
}
TAKING: Responses = {
    400: _problem("The body can't be read."),
    409: _problem("Two files claim one name, or one is a file where another needs a folder."),
    413: _problem("Larger than the server takes."),
    429: _problem("The queue is full; see Retry-After."),
}
UNKNOWN: Responses = {404: _problem("There is no such evaluation.")}
UNFINISHED: Responses = {409: _problem("It has not come to that yet, or never will.")}


def make_app(service: Service, token: str) -> App:
    """The application with its gate. Working on submissions begins and ends with its lifespan."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with service.working():
            yield

    app = FastAPI(
        title="Assay",
        version=version("assay"),
        description="Evaluates web apps: submit one with its brief, follow it, fetch verdict, report and recording.",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.add_exception_handler(AssayError, _answer_error)
    app.add_exception_handler(405, _answer_method)
    # The gate has looked at the token before; this only puts it into the document.
    guarded = APIRouter(prefix="/v1", dependencies=[Depends(HTTPBearer(auto_error=False))], responses=REFUSED)
    _add_submitting(guarded, service)
    _add_asking(guarded, service)
    _add_fetching(guarded, service)
    app.include_router(guarded)

    @app.get("/healthz", operation_id="health")
    async def health() -> Health:
        """Whether submissions are being worked on. Needs no token."""
        return Health(status="paused" if service.trouble else "ok", reason=service.trouble)

    return Gate(app, token=token, most_bytes=int(service.terms.most_upload_mb * 1e6))


async def _answer_error(_: Request, error: Exception) -> JSONResponse:
    detail = {"detail": str(error)}
    match error:
        case TooManyWaiting():
            return JSONResponse(detail, 429, headers={"Retry-After": "30"})
        case DiskFull() | EnvironmentFault():
            return JSONResponse(detail, 503, headers={"Retry-After": "30"})
        case Clash():
            return JSONResponse(detail, 409)
        case UserError():
            return JSONResponse(detail, 422)
        case _:
            return JSONResponse(detail, 503)


async def _answer_method(request: Request, error: Exception) -> JSONResponse:
    """405, with all methods that the path has: one route alone knows only its own."""
    # By the document: which route lies in which router is the framework's affair, and changes.
    paths: dict[str, dict[str, Any]] = request.app.openapi()["paths"]
    fitting = (methods for path, methods in paths.items() if compile_path(path)[0].match(request.url.path))
    allowed = sorted({method.upper() for methods in fitting for method in methods})
    known = (getattr(error, "headers", None) or {}).get("Allow", "").replace(" ", "").split(",")
    return JSONResponse({"detail": "Method Not Allowed"}, 405, headers={"Allow": ", ".join(allowed or sorted(known))})


async def _thread(work: Callable[..., T], *arguments: Any) -> T:
    return await asyncio.to_thread(work, *arguments)


def _add_submitting(routes: APIRouter, service: Service) -> None:
    @routes.post("/evaluations", status_code=202, responses={**REFUSED, **TAKING}, operation_id="submit")
    async def submit(submission: Submission) -> Evaluation:
        """Submit an app: files, a raw answer of a model, or an address. Returns at once; it is kept before the answer is sent."""
        entry = await _thread(service.submit, submission)
        return told(entry, await _thread(service.ahead, entry))

    @routes.post("/archives", status_code=202, responses={**REFUSED, **TAKING}, operation_id="submit_archive")
    async def submit_archive(
        archive: Annotated[UploadFile, File(description=".zip, .tar, .tar.gz, .tar.bz2 or .tar.xz")],
        brief: Annotated[str, Form(min_length=1, max_length=20_000)],
        language: Annotated[str, Form(pattern=LANGUAGE)] = "",
        name: Annotated[str, Form(max_length=100)] = "",
    ) -> Evaluation:
        """Submit an app as an archive: a page with what it needs, or a project with a package.json."""
        with tempfile.NamedTemporaryFile(prefix="assay-upload-") as kept:
            while chunk := await archive.read(CHUNK):
                kept.write(chunk)
            kept.flush()
            entry = await _thread(service.submit_archive, Path(kept.name), brief, language, name)
        return told(entry, await _thread(service.ahead, entry))


def _add_asking(routes: APIRouter, service: Service) -> None:
    find = functools.partial(_find, service)

    @routes.get("/evaluations", responses=REFUSED, operation_id="list")
    async def list_evaluations(
        state: Annotated[State | None, Query()] = None,
        after: Annotated[int, Query(ge=-1, le=2**31 - 1)] = -1,
        limit: Annotated[int, Query(ge=1, le=500)] = 100,
    ) -> Page:
        """Evaluations in the order they were submitted."""
        entries = await _thread(lambda: service.table.entries(state=state, after=after, limit=limit))
        ahead = await _thread(service.ahead, entries[0]) if entries else 0
        shown: list[Evaluation] = []
        for entry in entries:
            shown.append(told(entry, ahead))
            ahead += entry.state is State.waiting
        return Page(evaluations=shown, next=entries[-1].position if len(entries) == limit else None)

    @routes.get("/evaluations/{id}", responses={**REFUSED, **UNKNOWN}, operation_id="get")
    async def get(id: str) -> Evaluation:  # noqa: A002 - the document's name for it
        """One evaluation as it stands."""
        entry = await find(id)
        return told(entry, await _thread(service.ahead, entry))

    @routes.post("/evaluations/{id}/cancel", responses={**REFUSED, **UNKNOWN, **UNFINISHED}, operation_id="cancel")
    async def cancel(id: str) -> Evaluation:  # noqa: A002
        """End an evaluation that has not ended yet."""
        await find(id)
        if not await _thread(service.cancel, id):
            raise HTTPException(409, "It has ended already.")
        return told(await find(id), 0)

    @routes.get(
        "/evaluations/{id}/events",
        responses={200: {"content": {"text/event-stream": {}}}, **REFUSED, **UNKNOWN},
        response_class=StreamingResponse,
        operation_id="events",
    )
    async def events(id: str, last_event_id: Annotated[str, Header(max_length=40)] = "") -> StreamingResponse:  # noqa: A002
        """Progress as server-sent events, until the evaluation has ended."""
        await find(id)
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return StreamingResponse(follow(service, id, last_event_id), media_type="text/event-stream", headers=headers)


async def _find(service: Service, key: str) -> Entry:
    entry = await _thread(service.entry, key)
    if entry is None:
        raise HTTPException(404, "There is no such evaluation.")
    return entry


def _add_fetching(routes: APIRouter, service: Service) -> None:
    async def file(key: str, name: str, media_type: str) -> FileResponse:
        entry = await _find(service, key)
        path = service.run_dir(entry.job) / name
        if entry.state not in {State.scored, State.incomplete} or not path.is_file():
            raise HTTPException(409, f"There is no {name}: the evaluation is {entry.state}. {entry.reason}".strip())
        return FileResponse(path, media_type=media_type, headers={"Content-Security-Policy": "sandbox allow-scripts"})

    documented = {**REFUSED, **UNKNOWN, **UNFINISHED}

    def binary(media_type: str) -> Responses:
        schema = {"type": "string"} if media_type.startswith("text/") else {"type": "string", "format": "binary"}
        partial = {206: {"description": "The part that was asked for.", "content": {media_type: {"schema": schema}}}}
        outside = {416: {"description": "The part asked for lies outside."}}
        return {200: {"content": {media_type: {"schema": schema}}}, **partial, **outside, **documented}

    @routes.get("/evaluations/{id}/verdict", responses=documented, operation_id="verdict", response_model=Verdict)
    async def verdict(id: str) -> FileResponse:  # noqa: A002
        """The verdict: scores with their arithmetic, failures with their evidence, what could not be known."""
        return await file(id, "verdict.json", "application/json")

    @routes.get("/evaluations/{id}/report", responses=binary("text/html"), operation_id="report", response_class=FileResponse)
    async def report(id: str) -> FileResponse:  # noqa: A002
        """The report for people: one file of HTML."""
        return await file(id, "report.html", "text/html; charset=utf-8")

    @routes.get(
        "/evaluations/{id}/recording", responses=binary("video/mp4"), operation_id="recording", response_class=FileResponse
    )
    async def recording(id: str) -> FileResponse:  # noqa: A002
        """The film of the session, with sound; parts of it by range."""
        return await file(id, "recording.mp4", "video/mp4")
