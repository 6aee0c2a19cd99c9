"""Days and instants that are sent: as the service reads them, which is not as Python prints them."""

from __future__ import annotations

from datetime import date, datetime


def time_text(value: date) -> str:
    """ISO 8601. Raises ValueError for an instant without a zone: it may be meant in the clinic's or in this machine's."""
    if isinstance(value, datetime) and value.utcoffset() is None:
        raise ValueError("a datetime that is sent must have a zone, for example datetime.now(timezone.utc)")
    return value.isoformat()
