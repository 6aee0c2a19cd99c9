"""Decides whether to repeat an attempt, and after what pause (docs/decisions/0014)."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

from .errors import ClinicDataError, ConnectionFailedError

_REPEATED_STATUSES = frozenset({429, 500, 502, 503})
"""With these the service says that it may answer later."""

_REFUSED = 429
"""Refused before anything was done, so repeating any request is safe."""

_UNDER_WAY = 409
"""
With `Retry-After`: another request with the same `Idempotency-Key` is under way. On a repeat that is our previous attempt, whose
answer was lost, so we wait for it. On a first attempt it belongs to another program.
"""

_MAX_RETRY_AFTER_SECONDS = 60.0
"""A longer `Retry-After` is left to the caller, who gets the error."""

_FIRST_BACKOFF_SECONDS = 0.5
_MAX_BACKOFF_SECONDS = 8.0
_MAX_DOUBLINGS = 4
"""The backoff has reached its bound then."""


def pause_before_retry(
    error: ClinicDataError,
    retry_after_seconds: float | None,
    attempts: int,
    is_repeatable: bool,
    draw: Callable[[], float] = random.random,
) -> float | None:
    """Seconds until the next attempt, or None for none.

    Exponential backoff with full jitter: a random part of the backoff keeps clients that failed together from returning together.
    Any `Retry-After` is waited for first.
    """
    status = getattr(error, "status", None)
    is_own_under_way = status == _UNDER_WAY and retry_after_seconds is not None and attempts > 1
    if status is None:
        is_temporary = isinstance(error, ConnectionFailedError)
    else:
        is_temporary = status in _REPEATED_STATUSES or is_own_under_way
    if not is_temporary or not (is_repeatable or status == _REFUSED):
        return None
    if retry_after_seconds is not None and retry_after_seconds > _MAX_RETRY_AFTER_SECONDS:
        return None
    backoff = min(_MAX_BACKOFF_SECONDS, _FIRST_BACKOFF_SECONDS * 2.0 ** min(attempts - 1, _MAX_DOUBLINGS))
    return (retry_after_seconds or 0.0) + draw() * backoff


def retry_after(header: str | None, now: datetime) -> float | None:
    """`Retry-After` in seconds, or as a date, which a proxy may write."""
    if header is None:
        return None
    if re.fullmatch(r"[0-9]{1,9}", header):
        return float(header)
    try:
        moment = parsedate_to_datetime(header)
    except (TypeError, ValueError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
    return max(0.0, (moment - now).total_seconds())
