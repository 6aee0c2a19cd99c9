"""The client for asyncio: like `client.py`, with methods that are awaited."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable, Mapping
from types import TracebackType
from typing import Any

import httpx

from .answer import Answer, Course, Failure, broken, late, read_answer
from .errors import ClinicDataError
from .generated.async_methods import AsyncResources
from .omitted import OMITTED
from .pages import AsyncPages, Page, fields_of_page, page_of, rows_of, told_data
from .request import CallOptions, PreparedRequest, Preparer, parts_of, record_of
from .secret import Secret
from .settings import MAX_RETRIES, TIMEOUT_SECONDS, checked_base_url, checked_key, checked_token

AsyncTokenSource = Callable[[str | None], str | Awaitable[str]]
"""Like `TokenSource`. It may be a coroutine function."""


class AsyncClinicDataClient(AsyncResources):
    """The Clinic Data API for asyncio. Everything is as in `ClinicDataClient`, and its methods are awaited.

    Lists are walked with `async for`, without `await`: they ask while they are walked.

    Args:
        base_url: The service's address: https, or http to this machine.
        api_key: `sk_live_…`. It belongs on servers. None (an unset environment variable, say) is refused, unless there is a `token`.
        token: In place of a key: answers the access token of a clinic that has connected your app.
        timeout_seconds: Time for the whole answer of each attempt.
        max_retries: Repeats of one call after a temporary failure.
        http: Replaces the client's own `httpx.AsyncClient`, for a proxy or for tests. You close it.
        pause: Waits before a repeat, which follows the error. A test need not wait.

    Raises:
        TypeError: A malformed key, neither key nor token source, or an address that is not https.

    Example:
        >>> client = AsyncClinicDataClient(base_url=os.environ["SC_BASE_URL"], api_key=os.environ["SC_API_KEY"])
        >>> async for patient in client.patients.list(query="levi"):
        ...     print(patient["first_name"])
        >>> me = await client.me.get()
    """

    def __init__(
        self,
        *,
        base_url: str | None,
        api_key: str | None = None,
        token: AsyncTokenSource | None = None,
        timeout_seconds: float = TIMEOUT_SECONDS,
        max_retries: float = MAX_RETRIES,
        http: httpx.AsyncClient | None = None,
        pause: Callable[[float, ClinicDataError], Awaitable[None]] | None = None,
    ) -> None:
        super().__init__(self)
        if api_key is not None and token is not None:
            raise TypeError("give api_key or token, not both")
        if token is not None and not callable(token):
            raise TypeError("token must be a function that answers an access token")
        self._key = None if token is not None else checked_key(api_key)
        self._token = token
        self._preparer = Preparer(checked_base_url(base_url), timeout_seconds, max_retries)
        self._is_own = http is None
        self._http = httpx.AsyncClient() if http is None else http
        self._pause = pause or _paused

    async def __aenter__(self) -> AsyncClinicDataClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the connections. Use `async with`, or call this before the loop ends."""
        if self._is_own:
            await self._http.aclose()

    async def request(
        self,
        operation: str,
        *,
        params: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
        body: object = OMITTED,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
        idempotency_key: str | None = None,
    ) -> Answer:
        """Calls any operation by its id, with the request's parts by the contract's names. Returns status and headers too.

        Repeats after a temporary failure (429, 500, 502, 503, a broken connection) where that is safe: reads, and writes with an
        `Idempotency-Key`.

        Raises:
            ClinicDataError: The call failed.
            TypeError: There is no such operation, or an id is impossible.

        Example:
            >>> answer = await client.request("patients.list", query={"limit": 2})
            >>> print(answer.status, answer.request_id, answer.body["next_cursor"])
        """
        options = CallOptions(timeout_seconds, max_retries, idempotency_key)
        return await self._ask(self._preparer.of_operation(operation, params or {}, query or {}, body, options))

    async def send(
        self,
        method: str,
        path: str,
        *,
        body: object = OMITTED,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
        idempotency_key: str | None = None,
    ) -> Answer:
        """Sends any request, by method and path with its query. A POST gets an `Idempotency-Key`.

        Repeated like the operation that has this method and path. What no operation has is repeated only as a read.

        Raises:
            ClinicDataError: The call failed.
            TypeError: The path does not begin with `/`.

        Example:
            >>> patients = (await client.send("GET", "/v1/patients?limit=2")).data
        """
        options = CallOptions(timeout_seconds, max_retries, idempotency_key)
        return await self._ask(self._preparer.of_path(method, path, body, options))

    async def data_of(
        self, operation: str, ids: Mapping[str, str], fields: Mapping[str, Any] | None, options: CallOptions
    ) -> Any:
        """The `data` of an operation's answer, None where it answers nothing: behind the methods."""
        answer = await self._call(operation, ids, fields, options)
        shape = record_of(operation).shape
        if shape == "none":
            return None
        return rows_of(answer) if shape == "bounded" else told_data(answer)

    def pages_of(
        self, operation: str, ids: Mapping[str, str], fields: Mapping[str, Any] | None, options: CallOptions
    ) -> AsyncPages[Any]:
        """The pages of an operation's list: behind the methods."""
        if record_of(operation).shape != "page":
            raise TypeError(f"{operation} has no pages")

        async def ask(cursor: str | None) -> Page[Any]:
            wanted = fields_of_page(fields or {}, cursor)
            return page_of(await self._call(operation, ids, wanted, options))

        return AsyncPages(ask)

    async def _call(
        self, operation: str, ids: Mapping[str, str], fields: Mapping[str, Any] | None, options: CallOptions
    ) -> Answer:
        query, body = parts_of(operation, fields)
        return await self._ask(self._preparer.of_operation(operation, ids, query, body, options))

    async def _ask(self, request: PreparedRequest) -> Answer:
        """Repeats after a temporary failure, where that is safe, and once with another token."""
        course = Course(request, self._token is not None)
        while True:
            outcome = await self._attempt(request, course)
            if isinstance(outcome, Answer):
                return outcome
            await self._pause(course.pause_after(outcome), outcome.error)

    async def _attempt(self, request: PreparedRequest, course: Course) -> Answer | Failure:
        secret = await self._secret(None)
        outcome = await self._sent(request, secret)
        if not course.wants_other_secret(outcome):
            return outcome
        other = await self._secret(secret)
        return outcome if other == secret else await self._sent(request, other)

    async def _secret(self, refused: Secret | None) -> Secret:
        if self._token is None:
            return self._key or checked_key(None)
        token = self._token(None if refused is None else refused.reveal())
        return checked_token(await token if inspect.isawaitable(token) else token)

    async def _sent(self, request: PreparedRequest, secret: Secret) -> Answer | Failure:
        ends_at = time.monotonic() + request.timeout_seconds
        content = bytearray()
        try:
            async with self._http.stream(
                request.method,
                request.url,
                headers=request.headers_with(secret),
                content=request.content,
                timeout=request.httpx_timeout,
                follow_redirects=False,
            ) as response:
                async for chunk in response.aiter_bytes():
                    content += chunk
                    # httpx bounds the wait for each part alone.
                    if time.monotonic() > ends_at:
                        return late(request)
        except httpx.TimeoutException:
            return late(request)
        except httpx.RequestError as error:
            return broken(request, error, secret)
        return read_answer(request, response.status_code, response.headers, bytes(content))


async def _paused(seconds: float, _error: ClinicDataError) -> None:
    await asyncio.sleep(seconds)
