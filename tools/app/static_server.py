"""A static file server, run as a program of its own: `python -I -S static_server.py CONFIG`, CONFIG being JSON.

    {"fd": 5, "root": "/abs/folder", "prefix": "/", "only": null, "charset": ""}

`fd` is a listening socket that the parent has bound to loopback, so the port is known before this program starts and
connections wait in the socket's queue until it does. `prefix` is the path the root is mounted at. `only` is a list of relative
paths outside of which nothing is served. `charset`, if given, is declared for text; else
UTF-8 for text whose bytes are UTF-8 and that declares nothing else. Requests go to standard output, one a line.

What a page must not reach is not served: paths that leave the root (by `..`, by symbolic links), files whose names begin with a
dot, listings of folders. Standard library only, for start-up time and because it runs apart from everything else.
"""

from __future__ import annotations

import codecs
import hashlib
import json
import os
import re
import socket
import sys
import time
from email.utils import formatdate
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, BinaryIO, cast
from urllib.parse import quote, unquote, urlsplit

CHUNK_BYTES = 1 << 16
IDLE_S = 120.0
DECLARED_BYTES = 1024
"""Within so many bytes a document's declaration of its encoding must lie (HTML standard, 4.2.5.4)."""
DECLARED = re.compile(
    rb"""(?:<meta\s[^>]{0,200}?charset|^@charset|^<\?xml\s[^>]{0,100}?encoding)\s{0,4}=?\s{0,4}["']?\s{0,4}([\w:.-]{1,40})""",
    re.IGNORECASE,
)
"""A declared encoding: HTML, CSS, XML."""

MEDIA_TYPES = {
    "html": "text/html", "htm": "text/html", "xhtml": "application/xhtml+xml", "css": "text/css", "txt": "text/plain",
    "md": "text/markdown", "csv": "text/csv", "xml": "application/xml", "vtt": "text/vtt", "ics": "text/calendar",
    "js": "text/javascript", "mjs": "text/javascript", "cjs": "text/javascript", "jsx": "text/javascript",
    "wasm": "application/wasm", "json": "application/json", "map": "application/json", "geojson": "application/geo+json",
    "topojson": "application/json", "webmanifest": "application/manifest+json", "ipynb": "application/json",
    "gltf": "model/gltf+json", "glb": "model/gltf-binary", "svg": "image/svg+xml", "png": "image/png", "apng": "image/apng",
    "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp", "avif": "image/avif",
    "ico": "image/x-icon", "bmp": "image/bmp", "cur": "image/x-icon", "woff": "font/woff", "woff2": "font/woff2",
    "ttf": "font/ttf", "otf": "font/otf", "eot": "application/vnd.ms-fontobject", "mp3": "audio/mpeg", "wav": "audio/wav",
    "ogg": "audio/ogg", "oga": "audio/ogg", "opus": "audio/ogg", "m4a": "audio/mp4", "aac": "audio/aac", "flac": "audio/flac",
    "weba": "audio/webm", "mid": "audio/midi", "midi": "audio/midi", "mp4": "video/mp4", "m4v": "video/mp4",
    "webm": "video/webm", "ogv": "video/ogg", "mov": "video/quicktime", "pdf": "application/pdf", "zip": "application/zip",
    "gz": "application/gzip", "m3u8": "application/vnd.apple.mpegurl", "ts": "text/javascript", "tsx": "text/javascript",
    "vue": "text/plain", "yml": "text/yaml", "yaml": "text/yaml",
}  # fmt: skip
"""Types by suffix, independent of what the machine's own tables say."""


class StaticServer(ThreadingHTTPServer):
    """Serves one folder on a socket that is already listening."""

    daemon_threads = True

    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__(("127.0.0.1", 0), Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = socket.socket(fileno=int(config["fd"]))
        self.server_address = self.socket.getsockname()
        self.root = Path(os.path.realpath(str(config["root"])))
        self.prefix = "/" + str(config.get("prefix", "/")).strip("/")
        self.only = None if config.get("only") is None else frozenset(cast("list[str]", config["only"]))
        self.charset = str(config.get("charset", ""))

    def locate(self, path: str) -> Path | None:
        """The file or folder that a URL path means, if it may be served."""
        decoded = unquote(path)
        if "\x00" in decoded or "\\" in decoded:
            return None
        if self.prefix != "/":
            if decoded != self.prefix and not decoded.startswith(self.prefix + "/"):
                return None
            decoded = decoded[len(self.prefix) :]
        parts = [part for part in decoded.split("/") if part not in {"", "."}]
        if any(part == ".." or (part.startswith(".") and part != ".well-known") for part in parts):
            return None
        for candidate in self._candidates(parts):
            real = Path(os.path.realpath(candidate))
            allowed = real == self.root or self.root in real.parents
            if allowed and real.exists() and (self.only is None or real.is_dir() or "/".join(parts) in self.only):
                return real
        return None

    def _candidates(self, parts: list[str]) -> list[Path]:
        """The path itself; without a suffix also the page of that name, as hosts of static sites do."""
        plain = self.root.joinpath(*parts)
        return [plain] if not parts or "." in parts[-1] else [plain, plain.with_name(plain.name + ".html")]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that closes a connection early (a video being sought) is no error."""
        del request, client_address
        error = sys.exc_info()[1]
        if not isinstance(error, ConnectionError | TimeoutError):
            print(f"error {error!r}", flush=True)  # noqa: T201 - standard output is this program's log


class Handler(BaseHTTPRequestHandler):
    """Answers GET and HEAD."""

    protocol_version = "HTTP/1.1"
    server_version = "static"
    sys_version = ""
    timeout = IDLE_S

    def do_GET(self) -> None:
        """Send a file."""
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        """Send a file's headers."""
        self._answer(with_body=False)

    def _answer(self, *, with_body: bool) -> None:
        server = cast("StaticServer", self.server)
        path = urlsplit(self.path).path
        if not _is_loopback(self.headers.get("Host", "")):
            # A foreign name that resolves to this machine must not read the site.
            self._refuse(HTTPStatus.FORBIDDEN, with_body)
            return
        found = server.locate(path)
        if found is not None and found.is_dir():
            index = server.locate(path.rstrip("/") + "/index.html")
            if index is not None and index.is_file() and not path.endswith("/"):
                self._redirect(path)
                return
            found = index
        if found is None and self._asked_again(path):
            found = server.locate(server.prefix.rstrip("/") + "/index.html")
        if found is None or not found.is_file():
            self._refuse(HTTPStatus.NOT_FOUND, with_body)
            return
        try:
            stream = found.open("rb")
        except OSError:
            self._refuse(HTTPStatus.NOT_FOUND, with_body)
            return
        with stream:
            self._send(stream, found, with_body)

    def _asked_again(self, path: str) -> bool:
        """Whether the page at an address is loaded again, and the address looks like none of a file.

        There may be no file of it: the code of a single-page app made the address (`history.pushState`), and its hosts answer
        with its first page. A link to where nothing is is no reload, and finds nothing here.
        """
        reloaded = "max-age=0" in self.headers.get("Cache-Control", "")
        return reloaded and self.headers.get("Sec-Fetch-Mode") == "navigate" and "." not in path.rpartition("/")[2]

    def _send(self, stream: BinaryIO, path: Path, with_body: bool) -> None:
        status = os.fstat(stream.fileno())
        tag = f'"{hashlib.sha256(f"{path}:{status.st_mtime_ns}:{status.st_size}".encode()).hexdigest()[:20]}"'
        if tag in self.headers.get("If-None-Match", ""):
            self._head(HTTPStatus.NOT_MODIFIED, {"ETag": tag, "Cache-Control": "no-cache"})
            return
        media_type = MEDIA_TYPES.get(path.suffix.lstrip(".").lower(), "application/octet-stream")
        charset = cast("StaticServer", self.server).charset
        is_text = media_type.startswith("text/") or media_type == "application/json"
        if is_text and (charset := charset or charset_of(stream)):
            media_type = f"{media_type}; charset={charset}"
        headers = {
            "Content-Type": media_type,
            "ETag": tag,
            "Cache-Control": "no-cache",
            "Accept-Ranges": "bytes",
            "Last-Modified": formatdate(status.st_mtime, usegmt=True),
        }
        wanted = self.headers.get("Range", "")
        if self.headers.get("If-Range", tag) != tag:
            wanted = ""
        span = byte_range(wanted, status.st_size)
        if span is None:
            self._head(
                HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE, {"Content-Range": f"bytes */{status.st_size}", "Content-Length": "0"}
            )
            return
        first, last = span
        partial = _is_range(wanted)
        if partial:
            headers["Content-Range"] = f"bytes {first}-{last}/{status.st_size}"
        self._head(HTTPStatus.PARTIAL_CONTENT if partial else HTTPStatus.OK, headers | {"Content-Length": str(last - first + 1)})
        if with_body:
            self._copy(stream, first, last - first + 1)

    def _copy(self, stream: BinaryIO, first: int, length: int) -> None:
        stream.seek(first)
        while length > 0 and (chunk := stream.read(min(CHUNK_BYTES, length))):
            self.wfile.write(chunk)
            length -= len(chunk)
        if length > 0:
            self.close_connection = True  # the file shrank; the promised length cannot be kept

    def _redirect(self, path: str) -> None:
        query = urlsplit(self.path).query
        target = "/" + quote(unquote(path).lstrip("/")) + "/" + (f"?{query}" if query else "")
        self._head(HTTPStatus.MOVED_PERMANENTLY, {"Location": target, "Content-Length": "0", "Cache-Control": "no-cache"})

    def _refuse(self, status: HTTPStatus, with_body: bool) -> None:
        body = f"{status.value} {status.phrase}\n".encode()
        self._head(
            status, {"Content-Type": "text/plain; charset=utf-8", "Content-Length": str(len(body)), "Cache-Control": "no-cache"}
        )
        if with_body:
            self.wfile.write(body)

    def _head(self, status: HTTPStatus, headers: dict[str, str]) -> None:
        self.send_response(status.value)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def log_request(self, code: object = "-", size: object = "-") -> None:
        """One line a request: wall time (s), method, path, status."""
        del size
        shown = re.sub(r"[^\x20-\x7e]", "?", self.path)[:300]
        print(f"{time.time():.3f} {self.command} {shown} {code}", flush=True)  # noqa: T201

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Malformed requests."""
        print(f"{time.time():.3f} " + re.sub(r"[^\x20-\x7e]", "?", format % args)[:300], flush=True)  # noqa: T201


def charset_of(stream: BinaryIO) -> str:
    """The encoding to declare for a text: `utf-8`, or nothing where its bytes say otherwise.

    Otherwise say a byte order mark of UTF-16, a declaration of another encoding near the beginning (`<meta charset>`,
    `@charset`, an XML declaration), and bytes that are not UTF-8: browsers find out what those are.
    """
    stream.seek(0)
    head = stream.read(DECLARED_BYTES)
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return ""
    declared = None if head.startswith(b"\xef\xbb\xbf") else DECLARED.search(head)
    if declared is not None and declared.group(1).lower() not in {b"utf-8", b"utf8"}:
        return ""
    decoder, chunk = codecs.getincrementaldecoder("utf-8")(), head
    try:
        while chunk:
            decoder.decode(chunk)
            chunk = stream.read(CHUNK_BYTES)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return ""
    return "utf-8"


def _is_loopback(host: str) -> bool:
    name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
    return name in {"127.0.0.1", "localhost", "[::1]"}


def _is_range(header: str) -> bool:
    match = re.fullmatch(r"bytes=(?:(\d{1,18})-(\d{0,18})|-\d{1,18})", header.strip())
    return match is not None and not (match.group(2) and int(match.group(2)) < int(match.group(1)))


def byte_range(header: str, size: int) -> tuple[int, int] | None:
    """First and last byte asked for by a Range header; the whole file for none or one not understood; None if it lies outside.

    Several ranges at once are answered with the whole file, as RFC 9110 (section 14.2) allows.
    """
    if not _is_range(header):
        return 0, size - 1
    first_text, _, last_text = header.strip().removeprefix("bytes=").partition("-")
    if not first_text:
        count = int(last_text)
        return None if count == 0 or size == 0 else (max(size - count, 0), size - 1)
    first = int(first_text)
    last = min(int(last_text), size - 1) if last_text else size - 1
    return None if first >= size else (first, last)


def main() -> None:
    """Serve until ended."""
    with StaticServer(json.loads(sys.argv[1])) as server:
        server.serve_forever(poll_interval=0.5)


if __name__ == "__main__":
    main()
