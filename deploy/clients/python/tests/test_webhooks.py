from __future__ import annotations

import traceback
from typing import Any

import pytest
from boardorder import WebhookError, verify_webhook

from .conftest import named, read_vectors

_VECTORS = read_vectors("webhooks")


@pytest.mark.parametrize("case", **named(_VECTORS["cases"]))
def test_webhooks(case: dict[str, Any]) -> None:
    try:
        event = verify_webhook(case["body"].encode(), case["headers"], case["secrets"], now=case["now"], tolerance_s=_VECTORS["tolerance_s"])
        got: dict[str, Any] = {"event": {"id": event["id"], "type": event["type"]}}
    except WebhookError as error:
        shown = "".join(traceback.format_exception(error))
        assert not any(secret in shown for secret in case["secrets"] if secret), "the error holds the secret"
        got = {"error": error.fault}
    assert got == {name: case[name] for name in ("event", "error") if name in case}


def test_a_body_that_was_parsed_is_told_at_once() -> None:
    with pytest.raises(TypeError, match="raw bytes"):
        verify_webhook("{}", {}, "")  # type: ignore[arg-type]
