from __future__ import annotations

import logging
import traceback
from typing import Any

import pytest
from boardorder import AuthenticationError, BoardOrder, BoardOrderError, CursorExpiredError, GoneError, NeedsAnswersError

from .conftest import named, read_vectors, serve_script


@pytest.mark.parametrize("case", **named(read_vectors("errors")["cases"]))
def test_errors(case: dict[str, Any]) -> None:
    with serve_script([{"status": case["status"], "headers": case["headers"], "text": case["body"]}]) as service, pytest.raises(BoardOrderError) as raised:
        BoardOrder(service.url, "bo_test_secret", max_retries=0).quotes.get("q")
    error = raised.value
    got: dict[str, Any] = {
        "class": error.kind, "code": error.code, "message": str(error), "retry_after_s": error.retry_after_s, "request_id": error.request_id,
        "fields": [{name: f.get(name) for name in ("field", "problem", "message")} for f in error.fields],
    }
    if isinstance(error, CursorExpiredError):
        got["oldest_cursor"] = error.oldest_cursor
    if isinstance(error, NeedsAnswersError) and error.questions:
        got["questions"] = [q["option"] for q in error.questions]
    assert got == case["want"]


def test_a_class_stands_for_its_kind() -> None:
    assert issubclass(CursorExpiredError, GoneError)
    assert AuthenticationError("").kind == "authentication"


def test_the_key_is_in_no_error_picture_or_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with serve_script([{"status": 401, "body": {"ok": False, "error": "unauthorized", "message": "No."}}, {"disconnect": True}]) as service:
        client = BoardOrder(service.url, " bo_test_secret\n", max_retries=0)
        shown = [repr(client), repr(client.quotes), str(client)]
        for _ in range(2):
            with pytest.raises(BoardOrderError) as raised:
                client.account.check_key()
            shown.append("".join(traceback.format_exception(raised.value)) + repr(vars(raised.value)))
        assert service.requests[0].headers["x-api-key"] == "bo_test_secret"
        for url, key in ((service.url, "bo_test_secret\nX: y"), (service.url, "bo_test_secret ü"), (service.url, ""), ("http://user:bo_test_secret@host", "k")):
            with pytest.raises(BoardOrderError) as raised:
                BoardOrder(url, key)
            shown.append(repr(raised.value))
    for text in [*shown, caplog.text]:
        assert "bo_test_secret" not in text


def test_an_id_leaves_its_place_in_the_address_as_it_is() -> None:
    with serve_script([{"body": {"ok": True}}]) as service:
        client = BoardOrder(service.url, "k")
        client.quotes.get("../auth/check?x=/")
        assert service.requests[0].path == "/v1/quotes/..%2Fauth%2Fcheck%3Fx%3D%2F"
        for quote_id in ("", ".", ".."):
            with pytest.raises(BoardOrderError):
                client.quotes.get(quote_id)


def test_the_key_is_not_sent_in_the_open() -> None:
    for url in ("https://api.example.com/base/", "http://localhost:1", "http://127.0.0.1:1", "http://[::1]:1"):
        BoardOrder(url, "k")
    BoardOrder("http://10.0.0.1", "k", allow_plain_http=True)
    for url in ("http://api.example.com", "http://10.0.0.1", "http://localhost.example.com", "file:///etc/passwd", "ftp://host", "host", "", "http://", "https://host?x=1"):
        with pytest.raises(BoardOrderError):
            BoardOrder(url, "k")
