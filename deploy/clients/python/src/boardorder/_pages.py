"""Lists, page by page as they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .errors import ProtocolError


def walk_pages(ask: Callable[[str | None], dict[str, Any]], items: str) -> Iterator[Any]:
    """Every item of a list; ``items`` names the property that has those of a page."""
    cursor: str | None = None
    while True:
        page = ask(cursor)
        yield from page[items]
        if not page.get("has_more"):
            return
        if not page.get("next_cursor") or page["next_cursor"] == cursor:
            raise ProtocolError("There is more, and nothing to get it with.")
        cursor = page["next_cursor"]
