"""The whole interface, by area."""

from __future__ import annotations

import json
import ssl
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from ._http import Transport
from ._pages import walk_pages
from ._upload import NamedFile, Source, open_source, pack_files, write_form
from .errors import BoardOrderError, WaitTimeoutError
from .feed import EventFeed

if TYPE_CHECKING:
    from .types import (
        AcceptQuote, AnswerQuestion, BuyLink, BuyLinkRequest, Capabilities, CodeSent, DesignCheckReport, DesignCheckRequest, DesignReview, Event, FormalOrder, FormalOrderForm, KeyCheck, Paid, PartCheckReply,
        PartCheckRequest, PaymentConfirmed, PendingQuoteReply, PreviousOrders, PreviousOrdersRequest, PriceTable, PriceTableRequest, QuoteComparison, QuoteReply, QuoteRequest, QuoteStanding, ReorderRequest,
        ResendReply, ResendRequest, Savings, TestedEndpoint, Upload, WebhookDelivery, WebhookEndpointChange, WebhookEndpointList, WebhookEndpointReply, WebhookEndpointRequest,
    )

Progress = Callable[["PendingQuoteReply"], object]

_TIMEOUT_S = 600.0
_WAIT_S, _WAIT_S_WITH_PROGRESS = 20, 4


class BoardOrder:
    """A client of one service with one key.

    ``url`` is the address of the service, as ``https://api.example.com``; a test key (``bo_test_…``) costs nothing.
    ``max_retries``: how often a call is sent again that failed for a moment. ``timeout_s``: seconds without a sign of the
    service, beside what it was asked to wait and what unpacking files takes. ``allow_plain_http`` allows http to another
    machine, which sends the key in the open. ``context``: TLS as you want it. ``sleep``: how pauses are made, for tests.
    It may be used by many threads at once.
    """

    def __init__(self, url: str, key: str, *, max_retries: int = 2, timeout_s: float = 60, allow_plain_http: bool = False, context: ssl.SSLContext | None = None, sleep: Callable[[float], object] = time.sleep) -> None:
        transport = Transport(url, key, max_retries=max_retries, timeout_s=timeout_s, allow_plain_http=allow_plain_http, context=context, sleep=sleep)
        self.uploads = Uploads(transport)
        self.quotes = Quotes(transport)
        self.price_tables = PriceTables(transport)
        self.design_checks = DesignChecks(transport)
        self.part_checks = PartChecks(transport)
        self.buy_links = BuyLinks(transport)
        self.orders = Orders(transport)
        self.customers = Customers(transport)
        self.events = Events(transport)
        self.webhook_endpoints = WebhookEndpoints(transport)
        self.account = Account(transport)


class _Area:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def _settle(self, begin: Callable[[int], Any], again: Callable[[str, int], Any], timeout_s: float, on_progress: Progress | None) -> Any:
        """Asks until there is a result: first with the call that begins it, then by its request_id."""
        end = time.monotonic() + timeout_s
        reply = begin(_wait(end, on_progress))
        while reply.get("status") == "pending":
            if on_progress:
                on_progress(reply)
            self._pause(reply, end)
            reply = again(reply["request_id"], _wait(end, on_progress))
        return reply

    def _repeat(self, ask: Callable[[int], Any], runs: Callable[[Any], bool], timeout_s: float, on_progress: Callable[[Any], object] | None) -> Any:
        """Sends the same check until it has ended."""
        end = time.monotonic() + timeout_s
        while runs(reply := ask(_wait(end, on_progress))):
            if on_progress:
                on_progress(reply)
            self._pause(reply, end)
        return reply

    def _pause(self, reply: Mapping[str, Any], end: float) -> None:
        pause = reply.get("retry_after_s", 1)
        if time.monotonic() + pause >= end:
            raise WaitTimeoutError(reply)
        self._transport.sleep(pause)


def _wait(end: float, on_progress: object) -> int:
    return max(0, min(_WAIT_S_WITH_PROGRESS if on_progress else _WAIT_S, int(end - time.monotonic()) + 1))


class Uploads(_Area):
    """Design files."""

    def create(self, sources: Source | Sequence[Source], *, idempotency_key: str | None = None) -> Upload:
        """Sends files: paths, NamedFiles, or the path of a folder, which is packed without what tools leave in it.

        At most 20 files of 50 MB, 100 MB in all. They are deleted six hours later.
        """
        form = write_form([], [("files", file) for file in pack_files(sources)])
        return cast("Upload", self._transport.call("POST", "/v1/uploads", form=form, idempotency_key=idempotency_key))

    def get(self, upload_id: str) -> Upload:
        """What an upload holds, and in ``classified`` what each file was taken for; ``reading`` until that is known."""
        return cast("Upload", self._transport.call("GET", "/v1/uploads/{upload_id}", ids={"upload_id": upload_id}))

    def revoke_links(self, upload_id: str) -> Upload:
        """Ends all links of an upload; the reply has a new one."""
        return cast("Upload", self._transport.call("POST", "/v1/uploads/{upload_id}/revoke-links", ids={"upload_id": upload_id}, repeatable=True))


class Quotes(_Area):
    """Prices, and where they stand."""

    def create(self, request: QuoteRequest, *, timeout_s: float = _TIMEOUT_S, on_progress: Progress | None = None, idempotency_key: str | None = None) -> QuoteReply:
        """A quote, waited for: of ``mode`` ``instant`` with a price, or ``review`` where the team prices it once the customer asks.

        Raises NeedsAnswersError with questions, or DesignError with findings: ``with_answer`` puts an answer into the request.
        """
        reply = self._settle(lambda s: self._transport.call("POST", "/v1/quotes", query={"wait_s": s}, body=request, idempotency_key=idempotency_key), self._ask, timeout_s, on_progress)
        return cast("QuoteReply", reply)

    def start(self, request: QuoteRequest, *, idempotency_key: str | None = None) -> QuoteReply | PendingQuoteReply:
        """Begins a quote without waiting for it."""
        return cast("QuoteReply | PendingQuoteReply", self._transport.call("POST", "/v1/quotes", query={"wait_s": 0}, body=request, idempotency_key=idempotency_key))

    def wait(self, request_id: str, *, timeout_s: float = _TIMEOUT_S, on_progress: Progress | None = None) -> QuoteReply:
        """The quote that a request leads to, waited for."""
        return cast("QuoteReply", self._settle(lambda s: self._ask(request_id, s), self._ask, timeout_s, on_progress))

    def _ask(self, request_id: str, wait_s: int) -> Any:
        return self._transport.call("GET", "/v1/quote-requests/{request_id}", ids={"request_id": request_id}, query={"wait_s": wait_s})

    def get(self, quote_id: str) -> QuoteStanding:
        """Where a quote stands, and its order once it is paid."""
        return cast("QuoteStanding", self._transport.call("GET", "/v1/quotes/{quote_id}", ids={"quote_id": quote_id}))

    def refresh(self, quote_id: str, *, timeout_s: float = _TIMEOUT_S, on_progress: Progress | None = None, idempotency_key: str | None = None) -> QuoteReply:
        """The same quote at today's price, as a quote of its own."""
        reply = self._settle(lambda s: self._transport.call("POST", "/v1/quotes/{quote_id}/refresh", ids={"quote_id": quote_id}, query={"wait_s": s}, idempotency_key=idempotency_key), self._ask, timeout_s, on_progress)
        return cast("QuoteReply", reply)

    def compare(self, quote_id: str, other_quote_id: str) -> QuoteComparison:
        """What the second quote has otherwise than the first."""
        return cast("QuoteComparison", self._transport.call("GET", "/v1/quotes/{quote_id}/compare/{other_quote_id}", ids={"quote_id": quote_id, "other_quote_id": other_quote_id}))

    def savings(self, quote_id: str, *, timeout_s: float = _TIMEOUT_S, on_progress: Progress | None = None, idempotency_key: str | None = None) -> Savings:
        """What would make a quote cheaper, each really priced."""
        reply = self._settle(
            lambda s: self._transport.call("POST", "/v1/quotes/{quote_id}/savings", ids={"quote_id": quote_id}, query={"wait_s": s}, idempotency_key=idempotency_key),
            lambda savings_id, s: self._transport.call("GET", "/v1/quotes/{quote_id}/savings/{savings_id}", ids={"quote_id": quote_id, "savings_id": savings_id}, query={"wait_s": s}), timeout_s, on_progress,
        )
        return cast("Savings", reply)


class PriceTables(_Area):
    """Prices of several quantities, build times and destinations at once."""

    def create(self, request: PriceTableRequest, *, timeout_s: float = _TIMEOUT_S, on_progress: Progress | None = None, idempotency_key: str | None = None) -> PriceTable:
        """A table, waited for. A cell becomes a quote of the same request with ``cell["quote_request"]`` in place of ``quantities`` and ``ship_to``."""
        reply = self._settle(lambda s: self._transport.call("POST", "/v1/price-tables", query={"wait_s": s}, body=request, idempotency_key=idempotency_key), self._ask, timeout_s, on_progress)
        return cast("PriceTable", reply)

    def get(self, price_table_id: str) -> PriceTable | PendingQuoteReply:
        """A table that was made within a day."""
        return cast("PriceTable | PendingQuoteReply", self._ask(price_table_id, 0))

    def _ask(self, price_table_id: str, wait_s: int) -> Any:
        return self._transport.call("GET", "/v1/price-tables/{price_table_id}", ids={"price_table_id": price_table_id}, query={"wait_s": wait_s})


class DesignChecks(_Area):
    """Would this board come out right?"""

    def run(self, request: DesignCheckRequest, *, timeout_s: float = _TIMEOUT_S, on_progress: Callable[[DesignCheckReport], object] | None = None) -> DesignCheckReport:
        """The report of a design, waited for."""
        report = self._repeat(lambda s: self._transport.call("POST", "/v1/design-checks", body={**request, "wait_s": s}, repeatable=True), lambda r: bool(r["status"] == "checking"), timeout_s, on_progress)
        return cast("DesignCheckReport", report)


class PartChecks(_Area):
    """Can these parts be bought?"""

    def run(self, request: PartCheckRequest, *, timeout_s: float = _TIMEOUT_S, on_progress: Callable[[PartCheckReply], object] | None = None) -> PartCheckReply:
        """What can be bought of a list, waited for. Parts whose supplier could not be reached stay ``checking``."""
        reply = self._repeat(lambda s: self._transport.call("POST", "/v1/part-checks", body={**request, "wait_s": s}, repeatable=True), lambda r: bool(r["phase"] == "fab"), timeout_s, on_progress)
        return cast("PartCheckReply", reply)


class BuyLinks(_Area):
    """Buy buttons for a partner's pages."""

    def create(self, request: BuyLinkRequest, *, idempotency_key: str | None = None) -> BuyLink:
        """A permanent link, with a button to embed in ``notes``."""
        return cast("BuyLink", self._transport.call("POST", "/v1/buy-links", body=request, idempotency_key=idempotency_key))

    def close(self, link: str) -> None:
        """Closes a link for good. ``link`` is its id, or its ``buy_url``."""
        self._transport.call("DELETE", "/v1/buy-links/{buy_link_id}", ids={"buy_link_id": link.rpartition("/")[2]})


class Orders(_Area):
    """Orders that the operator's team quotes, for any fabricator or assembler."""

    def submit(self, order: FormalOrderForm, *, gerbers: Source | None = None, bom: Source | None = None, cpl: Source | None = None, idempotency_key: str | None = None) -> FormalOrder:
        """Sends an order with its files; with the same ``request_id`` it is the same order."""
        fields = [(name, value if isinstance(value, str) else json.dumps(value)) for name, value in order.items() if value is not None]
        files: list[tuple[str, NamedFile]] = [(name, open_source(source)) for name, source in (("gerbers", gerbers), ("bom", bom), ("cpl", cpl)) if source is not None]
        return cast("FormalOrder", self._transport.call("POST", "/v1/orders", form=write_form(fields, files), idempotency_key=idempotency_key, repeatable="request_id" in order))  # which does what the key does

    def list(self, *, limit: int | None = None) -> Iterator[FormalOrder]:
        """All orders, newest first."""
        return walk_pages(lambda cursor: cast("dict[str, Any]", self._transport.call("GET", "/v1/orders", query={"cursor": cursor, "limit": limit})), "orders")

    def get(self, order: str) -> FormalOrder:
        """How an order stands. ``order`` is its ``order_id`` or ``order_ref``."""
        return cast("FormalOrder", self._transport.call("GET", "/v1/orders/{identifier}", ids={"identifier": order}))

    def design_review(self, order: str) -> DesignReview:
        """What was found in an order's design."""
        return cast("DesignReview", self._transport.call("GET", "/v1/orders/{identifier}/design-review", ids={"identifier": order}))

    def quote_pdf(self, order: str) -> bytes:
        """The current quote as a PDF."""
        return self._transport.download("/v1/orders/{identifier}/quote.pdf", {"identifier": order})

    def accept(self, order: str, terms: AcceptQuote) -> FormalOrder:
        """Accepts an option, in the terms that the customer approved."""
        return cast("FormalOrder", self._transport.call("POST", "/v1/orders/{identifier}/accept-quote", ids={"identifier": order}, body=terms, repeatable=True))

    def answer(self, order: str, answer: AnswerQuestion, *, idempotency_key: str | None = None) -> FormalOrder:
        """Answers the question that is open."""
        return cast("FormalOrder", self._transport.call("POST", "/v1/orders/{identifier}/answers", ids={"identifier": order}, body=answer, idempotency_key=idempotency_key))


class Customers(_Area):
    """Returning customers: earlier orders, ordering again, paying with saved details."""

    def previous_orders(self, request: PreviousOrdersRequest, *, idempotency_key: str | None = None) -> PreviousOrders:
        """With ``email`` alone a code is mailed; with ``code``, or a ``history_token``, the earlier orders."""
        return cast("PreviousOrders", self._transport.call("POST", "/v1/previous-orders", body=request, idempotency_key=idempotency_key))

    def reorder(self, request: ReorderRequest, *, timeout_s: float = _TIMEOUT_S, on_progress: Progress | None = None, idempotency_key: str | None = None) -> QuoteReply:
        """Prices an earlier order again, and waits for it."""
        reply = self._settle(
            lambda s: self._transport.call("POST", "/v1/reorders", query={"wait_s": s}, body=request, idempotency_key=idempotency_key),
            lambda request_id, s: self._transport.call("GET", "/v1/quote-requests/{request_id}", ids={"request_id": request_id}, query={"wait_s": s}), timeout_s, on_progress,
        )
        return cast("QuoteReply", reply)

    def send_payment_code(self, quote_id: str, *, idempotency_key: str | None = None) -> CodeSent:
        """Mails the customer a code to pay a quote with saved details."""
        return cast("CodeSent", self._transport.call("POST", "/v1/quotes/{quote_id}/saved/code", ids={"quote_id": quote_id}, idempotency_key=idempotency_key))

    def verify_payment_code(self, quote_id: str, code: str, *, idempotency_key: str | None = None) -> PaymentConfirmed:
        """Confirms with the code. Say the summary to the customer before you pay."""
        return cast("PaymentConfirmed", self._transport.call("POST", "/v1/quotes/{quote_id}/saved/verify", ids={"quote_id": quote_id}, body={"code": code}, idempotency_key=idempotency_key))

    def pay(self, quote_id: str, confirm_token: str) -> Paid:
        """Charges the saved card, once.

        An UnavailableError with ``payment_unknown`` means: do not pay again, the quote tells how it ended.
        """
        return cast("Paid", self._transport.call("POST", "/v1/quotes/{quote_id}/saved/pay", ids={"quote_id": quote_id}, body={"confirm_token": confirm_token}, repeatable=True))


class Events(_Area):
    """What happens to quotes, orders, checks and uploads."""

    def follow(self, after: str | None = None, *, types: Sequence[str] | None = None, on_failure: Callable[[BoardOrderError], object] | None = None, wait_s: int = 60) -> EventFeed:
        """Follows the feed: ``for event in client.events.follow(cursor)``. Write ``cursor`` of the feed down as you go.

        ``after`` is the cursor of an earlier run, ``now``, or None for the oldest event that is kept. ``on_failure`` is told of
        each failure that the feed gets over by asking again; ``wait_s`` is how long one call waits for an event.
        """
        return EventFeed(self._transport, after, types, on_failure, wait_s)

    def get(self, event_id: str) -> Event:
        """One event by its id."""
        return cast("Event", self._transport.call("GET", "/v1/events/{event_id}", ids={"event_id": event_id})["event"])


class WebhookEndpoints(_Area):
    """Addresses that events are sent to."""

    def create(self, request: WebhookEndpointRequest, *, idempotency_key: str | None = None) -> WebhookEndpointReply:
        """Has events sent to an address. The reply has the secret, this once."""
        return cast("WebhookEndpointReply", self._transport.call("POST", "/v1/webhook-endpoints", body=request, idempotency_key=idempotency_key))

    def list(self) -> WebhookEndpointList:
        return cast("WebhookEndpointList", self._transport.call("GET", "/v1/webhook-endpoints"))

    def get(self, endpoint_id: str) -> WebhookEndpointReply:
        return cast("WebhookEndpointReply", self._transport.call("GET", "/v1/webhook-endpoints/{endpoint_id}", ids={"endpoint_id": endpoint_id}))

    def change(self, endpoint_id: str, change: WebhookEndpointChange) -> WebhookEndpointReply:
        """Changes, pauses or resumes an endpoint: only what is sent is changed."""
        return cast("WebhookEndpointReply", self._transport.call("PATCH", "/v1/webhook-endpoints/{endpoint_id}", ids={"endpoint_id": endpoint_id}, body=change))

    def delete(self, endpoint_id: str) -> None:
        self._transport.call("DELETE", "/v1/webhook-endpoints/{endpoint_id}", ids={"endpoint_id": endpoint_id})

    def rotate_secret(self, endpoint_id: str, overlap_hours: int | None = None, *, idempotency_key: str | None = None) -> WebhookEndpointReply:
        """Replaces the secret; both are valid for ``overlap_hours``, 24 unless they are given."""
        body = {} if overlap_hours is None else {"overlap_hours": overlap_hours}
        return cast("WebhookEndpointReply", self._transport.call("POST", "/v1/webhook-endpoints/{endpoint_id}/rotate-secret", ids={"endpoint_id": endpoint_id}, body=body, idempotency_key=idempotency_key))

    def test(self, endpoint_id: str, *, idempotency_key: str | None = None) -> TestedEndpoint:
        """Sends a test event to this endpoint alone."""
        return cast("TestedEndpoint", self._transport.call("POST", "/v1/webhook-endpoints/{endpoint_id}/test", ids={"endpoint_id": endpoint_id}, idempotency_key=idempotency_key))

    def resend(self, endpoint_id: str, what: ResendRequest, *, idempotency_key: str | None = None) -> ResendReply:
        """Sends one event again, or all since a time."""
        return cast("ResendReply", self._transport.call("POST", "/v1/webhook-endpoints/{endpoint_id}/resend", ids={"endpoint_id": endpoint_id}, body=what, idempotency_key=idempotency_key))

    def deliveries(self, endpoint_id: str, *, limit: int | None = None) -> Iterator[WebhookDelivery]:
        """What was sent, and what came back, newest first."""
        path, ids = "/v1/webhook-endpoints/{endpoint_id}/deliveries", {"endpoint_id": endpoint_id}
        return walk_pages(lambda cursor: cast("dict[str, Any]", self._transport.call("GET", path, ids=ids, query={"cursor": cursor, "limit": limit})), "deliveries")


class Account(_Area):
    """The key, and what can be ordered."""

    def check_key(self) -> KeyCheck:
        """Whom the key belongs to, and its quotas."""
        return cast("KeyCheck", self._transport.call("GET", "/auth/check"))

    def capabilities(self) -> Capabilities:
        """What the primary fabricator builds."""
        return cast("Capabilities", self._transport.call("GET", "/v1/capabilities"))

    def key_events(self, *, limit: int | None = None) -> Iterator[dict[str, Any]]:
        """What was done to the account's keys, newest first."""
        return walk_pages(lambda cursor: cast("dict[str, Any]", self._transport.call("GET", "/v1/key-events", query={"cursor": cursor, "limit": limit})), "events")
