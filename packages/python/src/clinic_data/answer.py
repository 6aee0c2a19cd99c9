"""An answer, or the failure in its place, read from the bytes that came."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, cast

import httpx

from .errors import (
    AnswerTimeoutError,
    ClinicDataError,
    ConnectionFailedError,
    UnauthorizedError,
    UnexpectedAnswerError,
    problem_error,
)
from .request import PreparedRequest
from .retry import pause_before_retry, retry_after
from .secret import Secret


@dataclass(frozen=True)
class Answer:
    """A successful answer."""

    body: Any
    """Parsed. None if there is none (204)."""
    status: int
    headers: Mapping[str, str]
    request_id: str | None
    """Identifies the request to support."""

    @property
    def data(self) -> Any:
        """What was asked for, without what stands beside it."""
        body = fields_of(self.body)
        if "data" in body:
            return body["data"]
        raise UnexpectedAnswerError(
            "the answer has no data: is base_url the service's address?", self.status, self.request_id
        )


@dataclass(frozen=True)
class Failure:
    """An attempt that failed."""

    error: ClinicDataError
    retry_after_seconds: float | None = None


class Course:
    """The course of one call: how it goes on after each failed attempt."""

    def __init__(self, request: PreparedRequest, is_renewable: bool) -> None:
        self._request = request
        self._may_renew = is_renewable
        self._attempts = 0

    def wants_other_secret(self, outcome: Answer | Failure) -> bool:
        """A 401 did nothing, so it is made again with another token, once."""
        is_wanted = self._may_renew and isinstance(outcome, Failure) and isinstance(outcome.error, UnauthorizedError)
        if is_wanted:
            self._may_renew = False
        return is_wanted

    def pause_after(self, failure: Failure) -> float:
        """Seconds until the next attempt. Raises the error when there is none."""
        self._attempts += 1
        pause = pause_before_retry(
            failure.error, failure.retry_after_seconds, self._attempts, self._request.is_repeatable
        )
        if pause is None or self._attempts > self._request.max_retries:
            raise failure.error
        return pause


def read_answer(request: PreparedRequest, status: int, headers: httpx.Headers, content: bytes) -> Answer | Failure:
    """Raises nothing: what is not an answer of the service is a failure."""
    request_id = headers.get("x-request-id")
    if status == 204:
        return Answer(None, status, headers, request_id)
    is_json, body = _parsed(content)
    if 200 <= status < 300 and is_json:
        return Answer(body, status, headers, request_id)
    error: ClinicDataError
    problem = fields_of(body)
    if isinstance(problem.get("type"), str) and isinstance(problem.get("title"), str):
        error = problem_error(problem, status, request_id)
    else:
        error = UnexpectedAnswerError(_what_came(request, status), status, request_id)
    return Failure(error, retry_after(headers.get("retry-after"), datetime.now(timezone.utc)))


def late(request: PreparedRequest) -> Failure:
    """No whole answer came in time."""
    message = f"no whole answer of {request.origin} came within {request.timeout_seconds:g} s"
    return Failure(AnswerTimeoutError(message))


def broken(request: PreparedRequest, error: Exception, secret: Secret) -> Failure:
    """The connection failed. httpx's own error is left behind: it holds the request, and with it the key."""
    reason = str(error).replace(secret.reveal(), "…") or type(error).__name__
    return Failure(ConnectionFailedError(f"the connection to the service failed: {request.origin} ({reason})"))


def fields_of(body: object) -> Mapping[str, Any]:
    """The fields of a JSON object. Anything else has none."""
    return cast("dict[str, Any]", body) if isinstance(body, dict) else {}


def _parsed(content: bytes) -> tuple[bool, Any]:
    try:
        return True, json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError):
        return False, None


def _what_came(request: PreparedRequest, status: int) -> str:
    """Describes the answer without quoting it: it may come from anyone and be about anyone."""
    if 300 <= status < 400:
        return (
            f"the answer of {request.origin} is a redirect, which the client does not follow: "
            "it would carry the key elsewhere"
        )
    return f"the answer of {request.origin}, of status {status}, is not one of the service: is base_url its address?"
