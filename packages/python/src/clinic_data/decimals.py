"""Decimals that are sent: the number that the service reads is the very one that was given (docs/decisions/0139)."""

from __future__ import annotations

from decimal import Decimal


def exact(value: Decimal) -> float:
    """The number of JSON. Raises ValueError where it would be another one: a NaN, or more digits than a double keeps."""
    if value.is_finite() and Decimal(repr(float(value))) == value:
        return float(value)
    raise ValueError("a Decimal that is sent must be a number of at most 15 digits: the service would read another one")


def query_text(value: Decimal) -> str:
    """Never with an exponent."""
    exact(value)
    return format(value, "f")
