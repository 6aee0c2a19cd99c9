"""A field that is left out, where None is a value of its own."""

from __future__ import annotations

from enum import Enum
from typing import Final


class Omitted(Enum):
    """The type of `OMITTED`."""

    OMITTED = "omitted"

    def __repr__(self) -> str:
        return "OMITTED"


OMITTED: Final = Omitted.OMITTED
"""The default of a field that can also be null: it is not sent, so the service keeps what it has."""
