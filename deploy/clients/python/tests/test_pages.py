from __future__ import annotations

from itertools import islice
from typing import Any

import pytest
from boardorder import BoardOrder, BoardOrderError

from .conftest import named, read_vectors, serve_script

_VECTORS = read_vectors("pages")


@pytest.mark.parametrize("case", **named(_VECTORS["cases"]))
def test_pages(case: dict[str, Any]) -> None:
    items, error = [], None
    with serve_script([{"status": r.get("status", 200), "body": r["reply"]} for r in case["requests"]]) as service:
        try:
            for order in islice(BoardOrder(service.url, "k").orders.list(limit=case.get("limit")), case.get("take")):
                items.append(order["order_id"])
        except BoardOrderError as e:
            error = e.kind
    assert (items, error) == (case["items"], case.get("error"))
    limit = str(case["limit"]) if "limit" in case else None
    assert [(r.path, r.query.get("cursor"), r.query.get("limit")) for r in service.requests] == [(_VECTORS["path"], r["cursor"], limit) for r in case["requests"]]
