from __future__ import annotations

import json
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

# Where the cases stand that every client library is held to.
_VECTORS = Path(os.environ.get("VECTORS", Path(__file__).parents[2] / "vectors"))


def read_vectors(name: str) -> dict[str, Any]:
    vectors: dict[str, Any] = json.loads((_VECTORS / f"{name}.json").read_text())
    return vectors


def named(cases: list[dict[str, Any]]) -> dict[str, Any]:
    return {"argvalues": cases, "ids": [c["name"] for c in cases]}


class Received(NamedTuple):
    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes


class ScriptOver(Exception):
    """There is no further reply."""


class Service:
    """What a scripted service is, and what it was asked."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.requests: list[Received] = []


@contextmanager
def serve_script(replies: list[dict[str, Any]]) -> Iterator[Service]:
    """A service that gives replies in turn: ``status``, ``headers``, ``body`` or ``text``, ``cut_after_bytes``, or ``disconnect``. Then it gives 418."""

    class Handler(BaseHTTPRequestHandler):
        def handle_any(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            parts = urlsplit(self.path)
            body = self.rfile.read(length)
            if len(service.requests) == len(replies):
                self.send_response(418)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            reply = replies[len(service.requests)]
            query = {name: values[0] for name, values in parse_qs(parts.query, keep_blank_values=True).items()}
            service.requests.append(Received(self.command, parts.path, query, {k.lower(): v for k, v in self.headers.items()}, body))
            if reply.get("disconnect"):
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            given = reply.get("text", reply.get("body", {}))
            text = (given if isinstance(given, str) else json.dumps(given)).encode()
            self.send_response(reply.get("status", 200))
            for name, value in {"Content-Type": "application/json", **reply.get("headers", {}), "Content-Length": str(len(text))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(text[: reply.get("cut_after_bytes", len(text))])

        do_GET = do_POST = do_PATCH = do_DELETE = handle_any

        def log_message(self, format: str, *args: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service = Service(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=lambda: server.serve_forever(0.01))
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
