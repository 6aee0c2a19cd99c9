"""The two clients as their methods see them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from .pages import AsyncPages, Pages
from .request import CallOptions


class Caller(Protocol):
    """`ClinicDataClient`."""

    def data_of(
        self, operation: str, ids: Mapping[str, str], fields: Mapping[str, Any] | None, options: CallOptions
    ) -> Any: ...

    def pages_of(
        self, operation: str, ids: Mapping[str, str], fields: Mapping[str, Any] | None, options: CallOptions
    ) -> Pages[Any]: ...


class AsyncCaller(Protocol):
    """`AsyncClinicDataClient`."""

    async def data_of(
        self, operation: str, ids: Mapping[str, str], fields: Mapping[str, Any] | None, options: CallOptions
    ) -> Any: ...

    def pages_of(
        self, operation: str, ids: Mapping[str, str], fields: Mapping[str, Any] | None, options: CallOptions
    ) -> AsyncPages[Any]: ...
