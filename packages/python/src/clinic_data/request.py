"""A request before it has its secret: made of an operation's record, or of a method and a path."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import quote, urlsplit
from uuid import uuid4

from .generated.operation_table import OPERATION_TABLE
from .omitted import OMITTED
from .operation_record import OperationRecord
from .secret import Secret
from .sent_values import json_bytes, search
from .settings import checked_idempotency_key, checked_retries, checked_timeout
from .version import VERSION


@dataclass(frozen=True)
class CallOptions:
    """Settings of one call that differ from the client's. None: as the client has it."""

    timeout_seconds: float | None = None
    max_retries: float | None = None
    idempotency_key: str | None = None


@dataclass(frozen=True)
class PreparedRequest:
    """The same for each attempt: also its `Idempotency-Key`."""

    method: str
    url: str
    headers: Mapping[str, str]
    content: bytes | None
    timeout_seconds: float
    max_retries: float
    is_repeatable: bool
    """Whether asking twice has the effect of asking once."""

    @property
    def origin(self) -> str:
        """The address without the path, which may hold a patient's id."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def httpx_timeout(self) -> float | None:
        """For each part of an answer: to connect, to send, to receive."""
        return None if math.isinf(self.timeout_seconds) else self.timeout_seconds

    def headers_with(self, secret: Secret) -> dict[str, str]:
        return {**self.headers, "authorization": f"Bearer {secret.reveal()}"}


class Preparer:
    """Makes the requests of one client."""

    def __init__(self, base_url: str, timeout_seconds: float, max_retries: float) -> None:
        self._base_url = base_url
        self._timeout_seconds = checked_timeout(timeout_seconds)
        self._max_retries = checked_retries(max_retries)

    def of_operation(
        self,
        operation: str,
        params: Mapping[str, str],
        query: Mapping[str, Any],
        body: object,
        options: CallOptions,
    ) -> PreparedRequest:
        record = record_of(operation)
        path = _filled(record.path, params) + search(query)
        is_repeatable = record.effect != "each time"
        return self._prepared(record.method, path, body, record.effect == "once a key", is_repeatable, options)

    def of_path(self, method: str, path: str, body: object, options: CallOptions) -> PreparedRequest:
        """Repeated like the operation that has this method and path. What no operation has is repeated only as a read."""
        if not path.startswith("/"):
            raise TypeError("path must begin with /")
        bare = re.split(r"[?#]", path)[0]
        known = next(
            (one for one in OPERATION_TABLE.values() if one.method == method and _is_path_of(one.path, bare)), None
        )
        is_repeatable = method == "GET" if known is None else known.effect != "each time"
        return self._prepared(method, path, body, method == "POST", is_repeatable, options)

    def _prepared(
        self, method: str, path: str, body: object, is_keyed: bool, is_repeatable: bool, options: CallOptions
    ) -> PreparedRequest:
        headers = {"accept": "application/json", "user-agent": f"clinic-data-python/{VERSION}"}
        if body is not OMITTED:
            headers["content-type"] = "application/json"
        if is_keyed:
            key = str(uuid4()) if options.idempotency_key is None else options.idempotency_key
            headers["idempotency-key"] = checked_idempotency_key(key)
        timeout = self._timeout_seconds if options.timeout_seconds is None else options.timeout_seconds
        retries = self._max_retries if options.max_retries is None else options.max_retries
        return PreparedRequest(
            method=method,
            url=self._base_url + path,
            headers=headers,
            content=None if body is OMITTED else json_bytes(body),
            timeout_seconds=checked_timeout(timeout),
            max_retries=checked_retries(retries),
            is_repeatable=is_repeatable,
        )


def record_of(operation: str) -> OperationRecord:
    """Raises TypeError for an operation that the contract does not have."""
    record = OPERATION_TABLE.get(operation)
    if record is None:
        raise TypeError(f"there is no operation {operation}")
    return record


def parts_of(operation: str, fields: Mapping[str, Any] | None) -> tuple[Mapping[str, Any], object]:
    """The query and the body of an operation's fields. None: the operation takes none."""
    if fields is None:
        return {}, OMITTED
    return ({}, fields) if record_of(operation).method in ("POST", "PATCH") else (fields, OMITTED)


def sent(fields: Mapping[str, object], nullable: Mapping[str, object] | None = None) -> dict[str, Any]:
    """The fields that are sent. None leaves a field out, and a nullable one is left out by `OMITTED`."""
    kept = {name: value for name, value in fields.items() if value is not None}
    kept.update((name, value) for name, value in (nullable or {}).items() if value is not OMITTED)
    return kept


def _is_path_of(pattern: str, path: str) -> bool:
    """Whether the path is one of an operation's: `/v1/patients/{id}` is also `/v1/patients/p1`."""
    steps, parts = pattern.split("/"), path.split("/")
    return len(steps) == len(parts) and all(s.startswith("{") or s == p for s, p in zip(steps, parts))


def _filled(path: str, params: Mapping[str, str]) -> str:
    """In a URL, an id of dots would mean a parent folder, and an empty id would disappear."""

    def written(match: re.Match[str]) -> str:
        name = match.group(1)
        value = cast("object", params.get(name))
        if not isinstance(value, str) or re.fullmatch(r"\.{0,2}", value):
            raise TypeError(f"{name} must be an id: a string, not empty")
        return quote(value, safe="")

    return re.sub(r"\{(\w+)\}", written, path)
