"""Sends calls, and what failed for a moment again."""

from __future__ import annotations

import http.client
import json
import re
import ssl
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ._retry import decide_retry
from ._upload import Form
from .errors import BoardOrderError, InvalidError, ProtocolError, ServiceConnectionError, parse_object, read_error


_UNPACKING_S = 180


class _EveryReply(urllib.request.HTTPErrorProcessor):
    """Gives replies as they are, and follows no redirect."""

    def http_response(self, request: urllib.request.Request, response: Any) -> Any:
        return response

    https_response = http_response


class _Received(NamedTuple):
    status: int
    headers: Mapping[str, str]
    body: bytes


class Transport:
    def __init__(self, url: str, key: str, *, max_retries: int, timeout_s: float, allow_plain_http: bool, context: ssl.SSLContext | None, sleep: Callable[[float], object]) -> None:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc or parts.query:
            raise InvalidError("The address of the service is http(s)://host, without a user.")
        if parts.scheme == "http" and not allow_plain_http and not re.fullmatch(r"localhost|127(\.[0-9]+){3}|::1", parts.hostname):
            raise InvalidError("The key would be sent in the open: use https, or allow_plain_http.")
        self._key = key.strip()
        if not re.fullmatch(r"[\x21-\x7e]+", self._key):
            raise InvalidError("The API key is empty, or has characters that no key has.")
        self._base = f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"
        self._max_retries = max_retries
        self._timeout_s = timeout_s
        self.sleep = sleep
        self._opener = urllib.request.OpenerDirector()
        for handler in (urllib.request.ProxyHandler(), urllib.request.HTTPHandler(), urllib.request.HTTPSHandler(context=context), _EveryReply()):
            self._opener.add_handler(handler)

    def call(
        self, method: str, path: str, *, ids: Mapping[str, str] | None = None, query: Mapping[str, str | int | None] | None = None, body: Mapping[str, Any] | None = None, form: Form | None = None,
        idempotency_key: str | None = None, repeatable: bool = False, max_retries: int | None = None,
    ) -> Any:
        """The reply of an endpoint as JSON, or an error of its class.

        ``repeatable``: the endpoint does the same thing once however often it is called, and takes no Idempotency-Key.
        """
        received = self._send(method, path, ids or {}, query or {}, body, form, idempotency_key, repeatable, self._max_retries if max_retries is None else max_retries)
        if not (reply := parse_object(received.body)):
            raise ProtocolError(f"HTTP {received.status} without JSON", status=received.status, request_id=received.headers.get("Request-Id", ""))
        return reply

    def download(self, path: str, ids: Mapping[str, str]) -> bytes:
        """The reply of an endpoint as bytes."""
        return self._send("GET", path, ids, {}, None, None, None, True, self._max_retries).body

    def _send(
        self, method: str, path: str, ids: Mapping[str, str], query: Mapping[str, str | int | None], body: Mapping[str, Any] | None, form: Form | None, idempotency_key: str | None, repeatable: bool, max_retries: int,
    ) -> _Received:
        given = {name: value for name, value in query.items() if value is not None}
        url = self._base + _fill_path(path, ids) + (f"?{urllib.parse.urlencode(given)}" if given else "")
        headers = {"X-API-Key": self._key, "User-Agent": "boardorder-python"}
        data: bytes | None = b"" if method in ("POST", "PATCH") else None
        if body is not None:
            headers["Content-Type"], data = "application/json", json.dumps(body).encode()
        if form is not None:
            headers["Content-Type"], data = form.content_type, form.body
        key = idempotency_key or (str(uuid.uuid4()) if method == "POST" and not repeatable else None)
        if key is not None:
            headers["Idempotency-Key"] = key
        waits = int(query.get("wait_s") or (body or {}).get("wait_s") or 0)
        timeout_s = self._timeout_s + waits + (_UNPACKING_S if form is not None else 0)
        attempt = 1
        while True:
            error: BoardOrderError
            try:
                received = self._attempt(urllib.request.Request(url, data, headers, method=method), timeout_s)
                if 200 <= received.status < 300:
                    return received
                error = read_error(received.status, received.headers, received.body)
            except (OSError, http.client.HTTPException) as cause:
                error = ServiceConnectionError("The service was not reached, or the connection broke.")
                error.__cause__ = cause
            wait = decide_retry(method, key is not None or repeatable, attempt, error.status, error.code, error.retry_after_s, max_retries)
            if wait is None:
                raise error
            self.sleep(wait)
            attempt += 1

    def _attempt(self, request: urllib.request.Request, timeout_s: float) -> _Received:
        with self._opener.open(request, timeout=timeout_s) as reply:
            return _Received(reply.status, reply.headers, reply.read())


def _fill_path(path: str, ids: Mapping[str, str]) -> str:
    for name, value in ids.items():
        if not value or value in (".", ".."):
            raise InvalidError(f"{name} is no id.", code="invalid_request")
        path = path.replace(f"{{{name}}}", urllib.parse.quote(value, safe=""))
    return path


