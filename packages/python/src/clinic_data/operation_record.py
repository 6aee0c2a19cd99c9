"""The facts about an operation that the client needs to call it. The contract's schemas stay at the service."""

from __future__ import annotations

from typing import Literal, NamedTuple


class OperationRecord(NamedTuple):
    """What a request of an operation is made of."""

    method: Literal["GET", "POST", "PATCH", "DELETE"]
    path: str
    shape: Literal["page", "bounded", "one", "link", "none"]
    effect: Literal["none", "once a key", "each time", "repeatable"]
    """The effect of asking twice: none under the same `Idempotency-Key`, the same change again, or none."""
