"""Whether a delivery comes from the service."""

from __future__ import annotations

import base64
import binascii
import hmac
import re
import time
from collections.abc import Iterable
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Literal, Protocol, cast

from standardwebhooks.webhooks import Webhook

from .errors import parse_object

if TYPE_CHECKING:
    from .types import Event

Fault = Literal["secret", "headers", "timestamp", "signature", "body"]
_SHORTEST = 24  # bytes of a secret


class Headers(Protocol):
    """Headers as the frameworks have them, or a dictionary."""

    def items(self) -> Iterable[tuple[str, str]]: ...


class WebhookError(Exception):
    """The delivery is not to be trusted: answer 400 and do nothing. ``fault`` says what is wrong. It never holds a secret."""

    def __init__(self, fault: Fault, message: str) -> None:
        super().__init__(message)
        self.fault: Fault = fault


def verify_webhook(body: bytes, headers: Headers, secrets: str | Iterable[str], *, now: float | None = None, tolerance_s: int = 300) -> Event:
    """The event of a delivery, once it is known to come from the service.

    ``body`` has the bytes as they came: what a framework has parsed and written again has another signature.
    ``secrets`` is ``whsec_…``, or during a rotation both. ``now`` is in Unix seconds. Raises WebhookError.
    """
    if not isinstance(body, bytes):
        raise TypeError("Verify the raw bytes of the body, before anything parses them.")
    keys = [_read_secret(secret) for secret in ([secrets] if isinstance(secrets, str) else secrets)]
    if not keys:
        raise WebhookError("secret", "There is no secret to verify with.")
    found = {name.lower(): value for name, value in headers.items()}
    event_id, at, signed = (found.get(f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    if not event_id or not at or not signed:
        raise WebhookError("headers", "A header of webhook-id, webhook-timestamp and webhook-signature is missing.")
    if not re.fullmatch(r"[0-9]{1,12}", at) or abs(int(time.time() if now is None else now) - int(at)) > tolerance_s:
        raise WebhookError("timestamp", "webhook-timestamp is not of now: is the clock right?")
    try:
        text = body.decode()
    except UnicodeDecodeError:
        raise WebhookError("signature", "The body is no UTF-8, so it is not what was signed.") from None
    expected = [key.sign(event_id, datetime.fromtimestamp(int(at), timezone.utc), text).encode() for key in keys]
    if not any(hmac.compare_digest(given.encode(errors="replace"), want) for given in signed.split(" ") for want in expected):
        raise WebhookError("signature", "No signature fits. Was the body parsed and written again, or is it another endpoint's secret?")
    event = parse_object(text)
    if not isinstance(event.get("id"), str) or not isinstance(event.get("type"), str):
        raise WebhookError("body", "The body is no event.")
    return cast("Event", event)


def _read_secret(secret: str) -> Webhook:
    try:
        key = base64.b64decode(secret.strip().removeprefix("whsec_"), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if len(key) < _SHORTEST:
        raise WebhookError("secret", "A webhook secret is whsec_ and base64, as the endpoint was given it.") from None
    return Webhook(key)
