"""Errors, one class for each kind of failure. None holds the API key."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, cast

if TYPE_CHECKING:
    from .types import Answer, BoardSize, ErrorReply, FieldProblem, Finding, PartQuestion, Question


class BoardOrderError(Exception):
    """The parent of all errors of this library.

    ``code`` is of the closed list and empty where none was read; act on it, not on the message. ``status`` is 0 where
    there was no reply, ``retry_after_s`` None where nobody said, ``reply`` the whole error for what has no attribute.
    """

    kind: ClassVar[str] = "invalid"

    def __init__(
        self, message: str, *, code: str = "", status: int = 0, fields: list[FieldProblem] | None = None,
        retry_after_s: int | None = None, request_id: str = "", reply: ErrorReply | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        self.fields = fields or []
        self.retry_after_s = retry_after_s
        self.request_id = request_id
        self.reply: ErrorReply = reply or cast("ErrorReply", {})


class AuthenticationError(BoardOrderError):
    """401: no usable key."""

    kind = "authentication"


class PermissionDeniedError(BoardOrderError):
    """403: the key lacks a scope, or a link was altered."""

    kind = "permission"


class NotFoundError(BoardOrderError):
    """404: there is none, or not for this key."""

    kind = "not_found"


class GoneError(BoardOrderError):
    """410: it has expired."""

    kind = "gone"


class CursorExpiredError(GoneError):
    """410 ``cursor_expired``: events after the cursor are not kept any more."""

    kind = "cursor_expired"

    @property
    def oldest_cursor(self) -> str:
        """Where to go on, once the objects that you follow were read."""
        return self.reply.get("oldest_cursor", "")


class ConflictError(BoardOrderError):
    """409: it stands otherwise than the call expects."""

    kind = "conflict"


class PaymentError(BoardOrderError):
    """402: nothing was charged."""

    kind = "payment"

    @property
    def checkout_url(self) -> str | None:
        """Where the customer can pay instead."""
        return self.reply.get("checkout_url")


class FilesError(BoardOrderError):
    """What a refusal tells of the files."""

    @property
    def known(self) -> dict[str, Any]:
        """Options that the files state, with ``layers``, ``width_mm`` and ``height_mm`` as far as they were read."""
        return self.reply.get("known", {})

    @property
    def boards(self) -> list[BoardSize]:
        """Where it is open which board of the upload is meant: each of them."""
        return self.reply.get("boards", [])

    @property
    def findings(self) -> list[Finding]:
        """What was found in the files."""
        return self.reply.get("findings", [])

    @property
    def report_url(self) -> str | None:
        """The design check of these files as one page, for people."""
        return self.reply.get("report_url")

    @property
    def answers(self) -> list[Answer]:
        """Every way on that the service offers: send one with ``with_answer``."""
        return [a for q in self.reply.get("questions", []) for a in q.get("answers", [])] + [a for f in self.findings for a in f.get("answers", [])]


class NeedsAnswersError(FilesError):
    """422 ``needs_details``, ``needs_part_numbers``, ``off_board_parts``: the customer is asked something first."""

    kind = "needs_answers"

    @property
    def questions(self) -> list[Question]:
        return self.reply.get("questions", [])

    @property
    def parts(self) -> list[PartQuestion]:
        """Lines of the bill of materials without a part number."""
        return self.reply.get("parts", [])

    @property
    def off_board_parts(self) -> list[PartQuestion]:
        """Lines of the bill of materials without a place on the board."""
        return self.reply.get("off_board_parts", [])


class DesignError(FilesError):
    """422 ``design_files``: the files have a problem that must be solved first."""

    kind = "design"


class RateLimitedError(BoardOrderError):
    """429: a quota is used up."""

    kind = "rate_limited"


class ServerError(BoardOrderError):
    """500: a fault of the service."""

    kind = "server"


class UnavailableError(BoardOrderError):
    """Any other 5xx: it cannot be done right now."""

    kind = "unavailable"


class InvalidError(BoardOrderError):
    """Any other 4xx, and what this library refuses before anything is sent."""

    kind = "invalid"


class ProtocolError(BoardOrderError):
    """A reply that is none of this service, such as a redirect or a proxy's page."""

    kind = "protocol"


class ServiceConnectionError(BoardOrderError):
    """No reply."""

    kind = "connection"


class WaitTimeoutError(BoardOrderError):
    """The time that the caller gave is over; the work goes on, and ``pending`` is the last reply of it."""

    kind = "timeout"

    def __init__(self, pending: Mapping[str, Any]) -> None:
        super().__init__("The time to wait is over, and the work goes on. Ask again.")
        self.pending = pending


_BY_CODE: dict[str, type[BoardOrderError]] = {
    "cursor_expired": CursorExpiredError, "needs_details": NeedsAnswersError, "needs_part_numbers": NeedsAnswersError,
    "off_board_parts": NeedsAnswersError, "design_files": DesignError,
}
_BY_STATUS: dict[int, type[BoardOrderError]] = {
    401: AuthenticationError, 402: PaymentError, 403: PermissionDeniedError, 404: NotFoundError, 409: ConflictError, 410: GoneError,
    429: RateLimitedError, 500: ServerError,
}


def read_error(status: int, headers: Mapping[str, str], body: bytes) -> BoardOrderError:
    """The error that a reply tells of."""
    whole = parse_object(body)
    reply = whole if isinstance(whole.get("error"), str) else {}
    details = [d for d in whole.get("detail") or [] if isinstance(d, dict) and isinstance(d.get("loc"), list) and isinstance(d.get("msg"), str)]
    fields = [{"field": ".".join(map(str, d["loc"][1:])), "problem": d.get("type"), "message": d["msg"]} for d in details] or (reply["fields"] if isinstance(reply.get("fields"), list) else [])
    message = details[0]["msg"] + (f" (and {len(details) - 1} more)" if len(details) > 1 else "") if details else reply.get("message") or f"HTTP {status}"
    code = "invalid_request" if details else reply.get("error", "")
    if status < 400:
        kind: type[BoardOrderError] = ProtocolError
    else:
        kind = _BY_CODE.get(code) or _BY_STATUS.get(status) or (UnavailableError if status >= 500 else InvalidError)
    said = reply.get("retry_after_s")
    retry_after_s = read_retry_after(headers.get("Retry-After"))
    if retry_after_s is None and isinstance(said, int) and not isinstance(said, bool) and said >= 0:
        retry_after_s = said
    return kind(
        message, code=code, status=status, fields=cast("list[FieldProblem]", fields), retry_after_s=retry_after_s,
        request_id=headers.get("Request-Id", ""), reply=cast("ErrorReply", reply),
    )


def read_retry_after(text: str | None) -> int | None:
    """The header's whole seconds; None where it says none."""
    return int(text) if text is not None and re.fullmatch(r"\s*[0-9]{1,9}\s*", text) else None


def parse_object(body: bytes | str) -> dict[str, Any]:
    """A JSON object; an empty one of whatever is none."""
    try:
        value = json.loads(body)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
