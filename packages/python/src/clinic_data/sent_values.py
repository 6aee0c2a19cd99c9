"""The values that are sent, so that they arrive as they were meant. Whoever gives one that cannot be sent is told its name."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any, TypeVar, cast
from urllib.parse import quote

from .decimals import exact, query_text
from .times import time_text

Value = TypeVar("Value")
Written = TypeVar("Written")


def search(query: Mapping[str, object]) -> str:
    """A query with its `?`, or nothing. None leaves a parameter out. Raises ValueError with the parameter's name."""
    pairs = [
        f"{quote(name, safe='')}={quote(_text(name, value), safe='')}" for name, value in query.items() if value is not None
    ]
    return f"?{'&'.join(pairs)}" if pairs else ""


def json_bytes(body: object) -> bytes:
    """Raises ValueError, or TypeError, with the place of the value: `filters[0].value`."""
    text = json.dumps(_json_value("", body), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode()


def _text(name: str, value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(cast("Sequence[str]", value))
    if isinstance(value, Decimal):
        return _named(name, query_text, value)
    return str(_json_value(name, value) if isinstance(value, (float, date)) else value)


def _json_value(path: str, value: object) -> Any:
    """The value as JSON has it."""
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{path or 'the body'} is {value}, which is not a number that can be sent")
    if isinstance(value, Decimal):
        return _named(path, exact, value)
    if isinstance(value, date):
        return _named(path, time_text, value)
    if isinstance(value, Mapping):
        fields = cast("Mapping[str, object]", value)
        return {name: _json_value(f"{path}.{name}" if path else str(name), one) for name, one in fields.items()}
    if isinstance(value, (list, tuple)):
        return [_json_value(f"{path}[{at}]", one) for at, one in enumerate(cast("Sequence[object]", value))]
    if value is None or isinstance(value, (str, int, float)):
        return value
    raise TypeError(f"{path or 'the body'} is of type {type(value).__name__}, which JSON does not have")


def _named(path: str, written: Callable[[Value], Written], value: Value) -> Written:
    """Says whose value it is."""
    try:
        return written(value)
    except ValueError as error:
        raise ValueError(f"{path or 'the body'}: {error}") from None
