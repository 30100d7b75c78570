"""Order printed circuit boards by API: send design files, get a delivered price, follow the order."""

from . import types
from ._upload import NamedFile, Source
from .answers import is_open, with_answer
from .client import BoardOrder
from .errors import (
    AuthenticationError, BoardOrderError, ConflictError, CursorExpiredError, DesignError, FilesError, GoneError, InvalidError, NeedsAnswersError, NotFoundError, PaymentError, PermissionDeniedError, ProtocolError,
    RateLimitedError, ServerError, ServiceConnectionError, UnavailableError, WaitTimeoutError,
)
from .feed import EventFeed
from .money import Money, currency_digits, format_money, parse_money
from .webhooks import WebhookError, verify_webhook

__all__ = [
    "AuthenticationError", "BoardOrder", "BoardOrderError", "ConflictError", "CursorExpiredError", "DesignError", "EventFeed", "FilesError", "GoneError", "InvalidError", "Money", "NamedFile", "NeedsAnswersError",
    "NotFoundError", "PaymentError", "PermissionDeniedError", "ProtocolError", "RateLimitedError", "ServerError", "ServiceConnectionError", "Source", "UnavailableError", "WaitTimeoutError", "WebhookError",
    "currency_digits", "format_money", "is_open", "parse_money", "types", "verify_webhook", "with_answer",
]
