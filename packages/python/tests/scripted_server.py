"""A server that plays scripted answers in order and records the requests, and clients that ask it without waiting."""

from __future__ import annotations

import asyncio
import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Union

import httpx

from clinic_data import AsyncClinicDataClient, ClinicDataClient, ClinicDataError

API_KEY = f"sk_live_{'k' * 20}"


@dataclass
class Scripted:
    """An answer."""

    status: int = 200
    body: str = '{"data":{}}'
    headers: dict[str, str] = field(default_factory=dict)


Step = Union[Scripted, str]
"""An answer, or a failure in its place: `reset`, `truncate`, `hang`, `drip`. The last step of a script repeats."""


@dataclass
class Request:
    """A request that arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: str


class ScriptedServer:
    """Listens until `close`."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.script: list[Step] = [Scripted()]
        self._ended = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._ended.set()
        self._server.shutdown()
        self._server.server_close()

    def plays(self, *steps: Step) -> None:
        """Forgets what came before."""
        self.requests.clear()
        self.script = list(steps)

    def paths(self) -> list[str]:
        return [request.path for request in self.requests]

    def _next(self) -> Step:
        return self.script.pop(0) if len(self.script) > 1 else self.script[0]

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def log_message(self, *_: object) -> None:
                return

            def _answer(self) -> None:
                length = int(self.headers.get("content-length") or 0)
                headers = {name.lower(): value for name, value in self.headers.items()}
                request = Request(self.command, self.path, headers, self.rfile.read(length).decode())
                server.requests.append(request)
                server._play(server._next(), self)

            do_GET = do_POST = do_PATCH = do_DELETE = do_PUT = _answer

        return Handler

    def _play(self, step: Step, handler: BaseHTTPRequestHandler) -> None:
        if isinstance(step, Scripted):
            content = b"" if step.status == 204 else step.body.encode()
            handler.send_response(step.status)
            for name, value in {"content-type": "application/json", **step.headers}.items():
                handler.send_header(name, value)
            if step.status != 204:
                handler.send_header("content-length", str(len(content)))
            handler.end_headers()
            handler.wfile.write(content)
            return
        handler.close_connection = True
        if step == "hang":
            self._ended.wait()
        if step in ("truncate", "drip"):
            handler.send_response(200)
            handler.send_header("content-length", "1000")
            handler.end_headers()
            handler.wfile.write(b'{"data":[')
        if step == "drip":
            self._drip(handler)

    def _drip(self, handler: BaseHTTPRequestHandler) -> None:
        """Each byte comes in time, the whole never does."""
        try:
            while not self._ended.wait(0.02):
                handler.wfile.write(b" ")
                handler.wfile.flush()
        except OSError:
            return


def page(ids: list[str], next_cursor: str | None, **more: Any) -> Scripted:
    return Scripted(body=json.dumps({"data": [{"id": one} for one in ids], "next_cursor": next_cursor, **more}))


def problem(slug: str, status: int, headers: dict[str, str] | None = None, **members: Any) -> Scripted:
    """A problem as the service writes it."""
    body = {
        "type": f"https://api.clinic.example/problems/{slug}",
        "title": slug,
        "status": status,
        "request_id": "req_1",
        **members,
    }
    return Scripted(
        status,
        json.dumps(body),
        {"content-type": "application/problem+json", "x-request-id": "req_1", **(headers or {})},
    )


class Sync:
    """The client, as both kinds are asked: `call` ends with the answer or the error."""

    name = "sync"

    def __init__(self, **settings: Any) -> None:
        self.pauses: list[float] = []
        # Nothing here is encrypted, and reading the machine's certificates takes longer than a test.
        self.http = httpx.Client(verify=False)
        self.client = ClinicDataClient(**settings, pause=self._pause, http=self.http)

    def _pause(self, seconds: float, _error: ClinicDataError) -> None:
        self.pauses.append(seconds)

    def call(self, method: Any, *args: Any, **named: Any) -> Any:
        return method(self.client)(*args, **named)

    def rows(self, pages: Any, most: int | None = None) -> list[Any]:
        rows: list[Any] = []
        for row in pages:
            rows.append(row)
            if len(rows) == most:
                break
        return rows

    def page(self, pages: Any) -> Any:
        return pages.page()

    def all_pages(self, pages: Any) -> list[Any]:
        return list(pages.pages())

    def pages_of(self, method: Any, *args: Any, **named: Any) -> Any:
        return method(self.client)(*args, **named)

    def close(self) -> None:
        self.client.close()
        self.http.close()


class Async:
    """The client for asyncio, asked from a loop of its own."""

    name = "async"

    def __init__(self, **settings: Any) -> None:
        self.pauses: list[float] = []
        self.loop = asyncio.new_event_loop()
        self.http = httpx.AsyncClient(verify=False)
        self.client = AsyncClinicDataClient(**settings, pause=self._pause, http=self.http)

    async def _pause(self, seconds: float, _error: ClinicDataError) -> None:
        self.pauses.append(seconds)

    def call(self, method: Any, *args: Any, **named: Any) -> Any:
        return self.loop.run_until_complete(method(self.client)(*args, **named))

    def rows(self, pages: Any, most: int | None = None) -> list[Any]:
        return self.loop.run_until_complete(self._rows(pages, most))

    async def _rows(self, pages: Any, most: int | None) -> list[Any]:
        rows: list[Any] = []
        async for row in pages:
            rows.append(row)
            if len(rows) == most:
                break
        return rows

    def page(self, pages: Any) -> Any:
        return self.loop.run_until_complete(pages.page())

    def all_pages(self, pages: Any) -> list[Any]:
        async def walked() -> list[Any]:
            return [page async for page in pages.pages()]

        return self.loop.run_until_complete(walked())

    def pages_of(self, method: Any, *args: Any, **named: Any) -> Any:
        return method(self.client)(*args, **named)

    def close(self) -> None:
        self.loop.run_until_complete(self.client.aclose())
        self.loop.run_until_complete(self.http.aclose())
        self.loop.run_until_complete(self.loop.shutdown_asyncgens())
        self.loop.close()


KINDS = (Sync, Async)
