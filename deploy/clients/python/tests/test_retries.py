from __future__ import annotations

from typing import Any

import pytest
from boardorder import BoardOrder, BoardOrderError, NamedFile
from boardorder._retry import decide_retry
from boardorder.errors import read_error

from .conftest import named, read_vectors, serve_script

_VECTORS = read_vectors("retries")


@pytest.mark.parametrize("case", **named(_VECTORS["decisions"]))
def test_decisions(case: dict[str, Any]) -> None:
    status = case.get("status", 0)
    retry_after_s = read_error(status, case.get("headers", {}), b"").retry_after_s
    waits = [decide_retry(case["method"], case["idempotency_key"], case["attempt"], status, case.get("code", ""), retry_after_s, chance=lambda: chance) for chance in (0.0, 1.0)]
    assert waits == ([None, None] if case["decision"] == "stop" else [ms / 1000 for ms in case["wait_ms"]])


@pytest.mark.parametrize("case", **named(_VECTORS["calls"]))
def test_calls(case: dict[str, Any]) -> None:
    result = "ok"
    with serve_script(case["replies"]) as service:
        client = BoardOrder(service.url, "k", sleep=lambda _: None)
        try:
            if case["method"] == "GET":
                client.uploads.get("up_1")
            else:
                client.uploads.create(NamedFile("a.gbr", b"\x01content"), idempotency_key=case.get("idempotency_key"))
        except BoardOrderError as error:
            result = error.kind
    keys = {r.headers["idempotency-key"] for r in service.requests if "idempotency-key" in r.headers}
    assert (result, len(service.requests), len(keys)) == (case["result"], case["requests"], case["distinct_idempotency_keys"])
    if "idempotency_key_sent" in case:
        assert keys == {case["idempotency_key_sent"]}
    assert all(b"\x01content" in r.body for r in service.requests if case["method"] == "POST"), "an attempt was sent without the file"
