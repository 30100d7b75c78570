"""Events as they happen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ._http import Transport
from ._retry import wait_for
from .errors import BoardOrderError, ProtocolError, ServiceConnectionError

if TYPE_CHECKING:
    from .types import Event

_REMEMBERED = 2_000


class EventFeed:
    """Events as they happen, oldest first, over any number of broken connections.

    ``cursor`` is what to write down: all events before it were handled; None until the first reply where no ``after`` was
    given. The feed ends with a CursorExpiredError where events were lost, and with an error where asking again cannot help,
    such as a revoked key.
    """

    def __init__(self, transport: Transport, after: str | None, types: Sequence[str] | None, on_failure: Callable[[BoardOrderError], object] | None, wait_s: int) -> None:
        self.cursor = after
        self._transport = transport
        self._types = ",".join(types) if types else None
        self._on_failure = on_failure
        self._wait_s = wait_s
        self._seen: dict[str, None] = {}

    def __iter__(self) -> Iterator[Event]:
        failures = 0
        while True:
            try:
                page = self._ask()
                failures = 0
            except BoardOrderError as error:
                if not _passes(error):
                    raise
                if self._on_failure:
                    self._on_failure(error)
                failures += 1
                self._transport.sleep(wait_for(failures, error.retry_after_s))
                continue
            for event in page["events"]:
                if event["id"] in self._seen:
                    continue
                yield event
                self._remember(event["id"])  # only once the caller is done with it
            self.cursor = page["next_cursor"]

    def _ask(self) -> dict[str, Any]:
        page: dict[str, Any] = self._transport.call("GET", "/v1/events", query={"after": self.cursor, "types": self._types, "limit": 100, "wait_s": self._wait_s}, max_retries=0)
        if not isinstance(page.get("events"), list) or not isinstance(page.get("next_cursor"), str):
            raise ProtocolError("A page of events that is none.", status=200)
        return page

    def _remember(self, event_id: str) -> None:
        self._seen[event_id] = None
        if len(self._seen) > _REMEMBERED:
            del self._seen[next(iter(self._seen))]


def _passes(error: BoardOrderError) -> bool:
    """Whether asking again may help: no connection, a reply that is none, and what the service or a proxy before it gets over."""
    return isinstance(error, ServiceConnectionError) or (isinstance(error, ProtocolError) and error.status == 200) or error.status in (408, 429) or error.status >= 500
