"""Checks that the service signed a delivery, and returns its event."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timezone
from typing import Any, Final, Literal, NoReturn, Protocol, cast, runtime_checkable

from .generated.resources import EventEnvelope

TOLERANCE_SECONDS: Final = 300
"""The tolerance of Standard Webhooks, for clocks that differ and slow networks."""

WebhookFault = Literal[
    "header_missing",
    "signature_mismatch",
    "timestamp_too_old",
    "timestamp_too_new",
    "body_malformed",
    "event_mismatch",
]

_MESSAGES: Mapping[WebhookFault, str] = {
    "signature_mismatch": "the signature is not that of this body under this secret",
    "timestamp_too_old": "the delivery was signed too long ago",
    "timestamp_too_new": "the delivery was signed too far in the future",
    "body_malformed": "the body is not an event",
    "event_mismatch": "the headers and the body name different events",
}

_PREFIX = "whsec_"
_SECRET_BYTES = 32
_STANDARD = ("webhook-id", "webhook-timestamp", "webhook-signature")
_OWN = "x-service-signature"


@runtime_checkable
class Headers(Protocol):
    """The headers of Flask, Django, FastAPI, aiohttp, `http.server`, or a dict. Names may be in any case."""

    def items(self) -> Iterable[tuple[str, str]]: ...


class WebhookVerificationError(Exception):
    """The delivery cannot be trusted: answer 400 and do nothing. `reason` says why."""

    def __init__(self, reason: WebhookFault, message: str) -> None:
        super().__init__(message)
        self.reason: WebhookFault = reason


def verify_webhook(
    *,
    secret: str | Sequence[str],
    headers: Headers | Iterable[tuple[str, str]] | Iterable[tuple[bytes, bytes]],
    body: str | bytes,
    now: datetime | None = None,
    tolerance_seconds: float = TOLERANCE_SECONDS,
    require_signed_timestamp: bool = False,
) -> EventEnvelope:
    """The event of a delivery, after its signatures were checked: `webhook-signature` and `X-Service-Signature`, whichever are there.

    A delivery can arrive twice: deduplicate on the event's `id`.

    Args:
        secret: From the answer that made the subscription or rotated its secret. Give both while you rotate them.
        headers: Of the request: a mapping, or a list of pairs, as ASGI has it in `scope["headers"]`. Names may be in any case.
        body: The raw bytes, before any parsing.
        now: For tests.
        tolerance_seconds: The largest difference between the signed timestamp and `now`.
        require_signed_timestamp: Refuses deliveries without the headers of Standard Webhooks: `X-Service-Signature` alone does not
            cover its timestamp.

    Raises:
        WebhookVerificationError: The delivery is not to be trusted.
        TypeError: The secret or the body has an impossible form.

    Example:
        >>> event = verify_webhook(secret=secret, headers=request.headers, body=request.body)
        >>> if event["type"] == "patient.created":
        ...     print(event["data"]["id"])
    """
    secrets = _secrets(secret)
    content = _content(body)
    found = _by_lower_case(headers)
    is_standard = any(name in found for name in _STANDARD)
    _require_headers(found, is_standard, require_signed_timestamp)
    # A list, and not a generator: all are compared, so the time does not tell which one fits.
    if not any([_is_signed(one, found, content, is_standard) for one in secrets]):
        _fail("signature_mismatch")
    if is_standard:
        _check_age(found["webhook-timestamp"], now or datetime.now(timezone.utc), tolerance_seconds)
    event = _event(content)
    named = [found.get("webhook-id"), found.get("x-service-event-id")]
    if any(one is not None and one != event["id"] for one in named):
        _fail("event_mismatch")
    if found.get("x-service-event-type", event["type"]) != event["type"]:
        _fail("event_mismatch")
    return cast("EventEnvelope", event)


def _require_headers(found: Mapping[str, str], is_standard: bool, is_timestamp_required: bool) -> None:
    missing = [name for name in _STANDARD if name not in found]
    if missing and (is_standard or is_timestamp_required):
        _fail("header_missing", f"the header {missing[0]} is missing")
    if not is_standard and _OWN not in found:
        _fail("header_missing", "the delivery has no signature: neither webhook-signature nor X-Service-Signature")


def _is_signed(secret: str, found: Mapping[str, str], content: bytes, is_standard: bool) -> bool:
    """Every signature that is there must be right."""
    own = found.get(_OWN)
    signatures = found.get("webhook-signature", "")
    # With several signatures listed, `X-Service-Signature` may be that of another secret. The list covers all that it covers.
    is_rotating = " " in signatures
    is_own_right = own is None or is_rotating or _is_equal(own, _service_signature(secret, content))
    if not is_standard:
        return is_own_right
    message = f"{found['webhook-id']}.{found['webhook-timestamp']}.".encode("utf-8", "surrogatepass") + content
    expected = _standard_signature(secret, message)
    # The header may hold several signatures: during a rotation of secrets, and in later versions.
    return any([_is_equal(one, expected) for one in signatures.split(" ")]) and is_own_right


def _service_signature(secret: str, content: bytes) -> str:
    return f"sha256={hmac.new(secret.encode(), content, hashlib.sha256).hexdigest()}"


def _standard_signature(secret: str, message: bytes) -> str:
    key = base64.b64decode(secret[len(_PREFIX) :])
    return f"v1,{base64.b64encode(hmac.new(key, message, hashlib.sha256).digest()).decode()}"


def _is_equal(signature: str, expected: str) -> bool:
    """Compares in constant time. The length is no secret."""
    return hmac.compare_digest(signature.encode("utf-8", "surrogatepass"), expected.encode())


def _check_age(timestamp: str, now: datetime, tolerance_seconds: float) -> None:
    """Written so that NaN is refused."""
    signed_at = int(timestamp) if re.fullmatch(r"[0-9]{1,15}", timestamp) else math.nan
    age = math.floor(now.timestamp()) - signed_at
    if age < -tolerance_seconds:
        _fail("timestamp_too_new")
    if not abs(age) <= tolerance_seconds:
        _fail("timestamp_too_old")


def _event(content: bytes) -> dict[str, Any]:
    """Checks the form only. The service signed the rest."""
    event: Any = None
    try:
        event = json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError):
        _fail("body_malformed")
    if not isinstance(event, dict):
        _fail("body_malformed")
    read = cast("dict[str, Any]", event)
    texts = [read.get(name) for name in ("id", "type", "created_at")]
    if not all(isinstance(text, str) for text in texts) or not isinstance(read.get("data"), dict):
        _fail("body_malformed")
    return read


def _by_lower_case(
    headers: Headers | Iterable[tuple[str, str]] | Iterable[tuple[bytes, bytes]],
) -> dict[str, str]:
    read: dict[str, str] = {}
    pairs: Iterable[tuple[str | bytes, str | bytes]] = headers.items() if isinstance(headers, Headers) else headers
    for given, content in pairs:
        key, value = _header_text(given).lower(), _header_text(content)
        # A repeated header is joined, as HTTP defines, and then matches nothing.
        read[key] = f"{read[key]}, {value}" if key in read else value
    return read


def _header_text(part: str | bytes) -> str:
    """ASGI and raw headers are bytes, in which HTTP means Latin-1."""
    return part if isinstance(part, str) else part.decode("latin-1")


def _secrets(secret: str | Sequence[str]) -> Sequence[str]:
    """A wrong configuration must not look like a forged delivery."""
    secrets = [secret] if isinstance(secret, str) else list(secret or [])
    if not secrets or not all(_is_secret(one) for one in secrets):
        raise TypeError("a webhook secret is whsec_ and 44 characters, as the answer that made it shows it, not masked")
    return secrets


def _is_secret(text: object) -> bool:
    if not isinstance(text, str) or not text.startswith(_PREFIX):
        return False
    try:
        key = base64.b64decode(text[len(_PREFIX) :].encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError):
        return False
    return len(key) == _SECRET_BYTES and text == _PREFIX + base64.b64encode(key).decode()


def _content(body: object) -> bytes:
    if isinstance(body, str):
        return body.encode("utf-8", "surrogatepass")
    if isinstance(body, (bytes, bytearray, memoryview)):
        return bytes(cast("bytes", body))
    raise TypeError("the body must be the raw one, a str or bytes: one that was parsed cannot be verified")


def _fail(reason: WebhookFault, message: str = "") -> NoReturn:
    raise WebhookVerificationError(reason, message or _MESSAGES[reason])
