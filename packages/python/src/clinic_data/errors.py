"""The errors of the client: one class for each kind of problem, and some for when no usable answer came."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

from .generated.resources import Fault

__all__ = [
    "AddressNotAllowedError",
    "AnswerTimeoutError",
    "ClinicDataError",
    "ConflictError",
    "ConnectionFailedError",
    "ContentTooLargeError",
    "ExpectationFailedError",
    "ForbiddenError",
    "HeaderFieldsTooLargeError",
    "IdempotencyKeyReusedError",
    "InternalError",
    "InvalidRequestError",
    "LinkExpiredError",
    "MethodNotAllowedError",
    "NotFoundError",
    "PROBLEM_ERRORS",
    "ProblemError",
    "RangeNotSatisfiableError",
    "RateLimitedError",
    "RequestTimeoutError",
    "ServiceUnavailableError",
    "UnauthorizedError",
    "UnexpectedAnswerError",
    "UnprocessableError",
    "UnsupportedMediaTypeError",
    "UpstreamError",
    "UriTooLongError",
]


class ClinicDataError(Exception):
    """Any failure of a call. No message and no field holds the key."""

    code: str
    """The kind of the failure: branch on this or on the class."""

    request_id: str | None
    """Identifies the request to support. None when no answer came."""

    def __init__(self, message: str, code: str, request_id: str | None) -> None:
        super().__init__(message if request_id is None else f"{message} (request_id {request_id})")
        self.code = code
        self.request_id = request_id


class ConnectionFailedError(ClinicDataError):
    """No answer came: the connection failed, broke, or was refused. A write may or may not have taken effect."""

    def __init__(self, message: str, code: str = "connection-failed") -> None:
        super().__init__(message, code, None)


class AnswerTimeoutError(ConnectionFailedError):
    """No whole answer came within `timeout_seconds`."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "timeout")


class UnexpectedAnswerError(ClinicDataError):
    """The answer did not come from the service: a redirect or a proxy's page, say. Check `base_url`."""

    def __init__(self, message: str, status: int, request_id: str | None) -> None:
        super().__init__(message, "unexpected-answer", request_id)
        self.status: int = status


class ProblemError(ClinicDataError):
    """The service answered with a problem (RFC 9457). Each known kind has its own class below."""

    def __init__(self, problem: Mapping[str, Any], status: int, request_id: str | None) -> None:
        super().__init__(str(problem.get("detail") or problem["title"]), code_of(problem), request_id)
        self.problem: Mapping[str, Any] = problem
        """The whole body of the answer."""
        self.status: int = status
        self.type: str = str(problem["type"])
        """The address of a page that explains the problem."""
        self.title: str = str(problem["title"])
        self.detail: str | None = _text(problem.get("detail"))
        """How to mend the request, for a person: branch on `code`."""
        self.errors: list[Fault] = _faults(problem.get("errors"))
        """Each fault of the request: where it is and how to mend it."""
        self.required_scope: str | None = _text(problem.get("required_scope"))
        """The scope that the key lacks."""
        self.retry_after: float | None = _number(problem.get("retry_after"))
        """Seconds."""


class InvalidRequestError(ProblemError):
    """400: `errors` names each fault."""


class UnauthorizedError(ProblemError):
    """401: the key is wrong, expired or revoked."""


class ForbiddenError(ProblemError):
    """403: `required_scope` is missing."""


class AddressNotAllowedError(ProblemError):
    """403: the key is valid, and its clinic lets it be used from other addresses alone."""


class NotFoundError(ProblemError):
    """404: no such id for this clinic."""


class MethodNotAllowedError(ProblemError):
    """405."""


class RequestTimeoutError(ProblemError):
    """408: the request came too slowly."""


class ConflictError(ProblemError):
    """409: the request contradicts the state of the resource."""


class LinkExpiredError(ProblemError):
    """410: fetch a new link."""


class ContentTooLargeError(ProblemError):
    """413."""


class UriTooLongError(ProblemError):
    """414."""


class UnsupportedMediaTypeError(ProblemError):
    """415."""


class RangeNotSatisfiableError(ProblemError):
    """416."""


class ExpectationFailedError(ProblemError):
    """417."""


class UnprocessableError(ProblemError):
    """422: well formed, but a rule refuses it."""


class IdempotencyKeyReusedError(ProblemError):
    """422: the same `idempotency_key` was used with other content."""


class RateLimitedError(ProblemError):
    """429, after the retries: wait `retry_after` seconds."""


class HeaderFieldsTooLargeError(ProblemError):
    """431."""


class InternalError(ProblemError):
    """500, after the retries."""


class UpstreamError(ProblemError):
    """502, after the retries."""


class ServiceUnavailableError(ProblemError):
    """503, after the retries."""


PROBLEM_ERRORS: Final[Mapping[str, type[ProblemError]]] = {
    "invalid-request": InvalidRequestError,
    "unauthorized": UnauthorizedError,
    "forbidden": ForbiddenError,
    "address-not-allowed": AddressNotAllowedError,
    "not-found": NotFoundError,
    "method-not-allowed": MethodNotAllowedError,
    "request-timeout": RequestTimeoutError,
    "conflict": ConflictError,
    "link-expired": LinkExpiredError,
    "content-too-large": ContentTooLargeError,
    "uri-too-long": UriTooLongError,
    "unsupported-media-type": UnsupportedMediaTypeError,
    "range-not-satisfiable": RangeNotSatisfiableError,
    "expectation-failed": ExpectationFailedError,
    "unprocessable": UnprocessableError,
    "idempotency-key-reused": IdempotencyKeyReusedError,
    "rate-limited": RateLimitedError,
    "header-fields-too-large": HeaderFieldsTooLargeError,
    "internal-error": InternalError,
    "upstream-error": UpstreamError,
    "service-unavailable": ServiceUnavailableError,
}
"""The class of each problem of the contract, by its code."""


def problem_error(problem: Mapping[str, Any], status: int, request_id: str | None) -> ProblemError:
    """Makes the error of a problem. A kind that a later version adds becomes a plain `ProblemError`."""
    kind = PROBLEM_ERRORS.get(code_of(problem), ProblemError)
    return kind(problem, status, _text(problem.get("request_id")) or request_id)


def code_of(problem: Mapping[str, Any]) -> str:
    """A service of an earlier version sends no code."""
    return str(problem.get("code") or str(problem["type"]).rsplit("/", 1)[-1])


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _number(value: object) -> float | None:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _faults(value: object) -> list[Fault]:
    return cast("list[Fault]", value) if isinstance(value, list) else []
