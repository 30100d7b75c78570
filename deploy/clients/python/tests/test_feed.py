from __future__ import annotations

from typing import Any

import pytest
from boardorder import BoardOrder, BoardOrderError, CursorExpiredError

from .conftest import named, read_vectors, serve_script

_VECTORS = read_vectors("feed")


@pytest.mark.parametrize("case", **named(_VECTORS["cases"]))
def test_feed(case: dict[str, Any]) -> None:
    events: list[str] = []
    error: BoardOrderError | None = None
    with serve_script([line["reply"] for line in case["script"]]) as service:
        feed = BoardOrder(service.url, "k", sleep=lambda _: None).events.follow(case.get("after"), types=case.get("types"))
        try:
            for event in feed:
                events.append(event["id"])
                if len(events) == case.get("take"):
                    break
        except BoardOrderError as e:
            error = None if e.status == 418 else e  # the script is over
    assert (events, feed.cursor, error and error.kind) == (case["events"], case["cursor"], case.get("error"))
    if isinstance(error, CursorExpiredError):
        assert error.oldest_cursor == case["oldest_cursor"]
    types = ",".join(case["types"]) if "types" in case else None
    assert [(r.path, r.query.get("after"), r.query.get("types")) for r in service.requests] == [(_VECTORS["path"], line.get("after"), types) for line in case["script"]]


def test_an_event_that_was_not_done_with_comes_again() -> None:
    page = {"ok": True, "events": [{"id": "e1"}, {"id": "e2"}], "has_more": False, "next_cursor": "c2"}
    seen: list[str] = []
    with serve_script([{"body": page}, {"body": page}]) as service:
        feed = BoardOrder(service.url, "k").events.follow()
        for event in feed:
            seen.append(event["id"])
            if len(seen) == 2:
                break
        seen.append(next(iter(feed))["id"])
    assert seen == ["e1", "e2", "e2"]
