"""Whether and when a call is sent again."""

from __future__ import annotations

import random
from collections.abc import Callable

_BASE_S, _CAP_S, _LONGEST_RETRY_AFTER_S = 0.5, 8.0, 60
_PASSING = {0, 408, 429, 500, 502, 503, 504}
_IDEMPOTENT = {"GET", "HEAD", "PUT", "DELETE"}
_FINAL = {"payment_unknown", "code_locked"}  # what a person has to decide about


def decide_retry(
    method: str, repeatable: bool, attempt: int, status: int, code: str, retry_after_s: int | None,
    max_retries: int = 2, chance: Callable[[], float] = random.random,
) -> float | None:
    """Seconds to wait before the same call is sent again, or None where it must not be.

    ``repeatable``: sent again it does nothing twice. ``attempt`` counts from 1. ``status`` is 0 where no reply came.
    """
    passes = status in _PASSING or (status == 409 and code == "idempotency_key_in_use")
    if not passes or code in _FINAL or attempt > max_retries or not (repeatable or method in _IDEMPOTENT) or (retry_after_s or 0) > _LONGEST_RETRY_AFTER_S:
        return None
    return wait_for(attempt, retry_after_s, chance)


def wait_for(attempt: int, retry_after_s: int | None, chance: Callable[[], float] = random.random) -> float:
    """Seconds before attempt + 1: what the service said and up to a quarter more, or doubled each time, half by chance."""
    if retry_after_s:
        return retry_after_s * (1 + chance() / 4)
    return min(_BASE_S * 2.0 ** min(attempt - 1, 10), _CAP_S) * (1 + chance()) / 2
