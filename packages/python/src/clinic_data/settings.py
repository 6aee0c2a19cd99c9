"""Checks the settings of a client and of a call, before anything is sent."""

from __future__ import annotations

import math
import re
from urllib.parse import urlsplit

from .secret import Secret

TIMEOUT_SECONDS = 30.0
"""The service gives up after ten seconds. The rest is for a slow network."""

MAX_RETRIES = 3

_VISIBLE = re.compile(r"[\x21-\x7e]+")
_LOOPBACK = re.compile(r"localhost|127(\.\d+){3}|::1")


def checked_key(api_key: object) -> Secret:
    """Raises TypeError, which does not quote the key, unless it fits into a header."""
    if isinstance(api_key, str) and _VISIBLE.fullmatch(api_key):
        return Secret(api_key)
    raise TypeError("api_key must be a key: sk_live_… without blanks or line ends")


def checked_token(token: object) -> Secret:
    """Raises TypeError, which does not quote the token, unless it fits into a header."""
    if isinstance(token, str) and _VISIBLE.fullmatch(token):
        return Secret(token)
    raise TypeError("token must answer an access token, without blanks or line ends")


def checked_base_url(base_url: object) -> str:
    """The address without a slash at its end: https, or http to this machine. Raises TypeError for another one."""
    if not isinstance(base_url, str) or "://" not in base_url:
        raise TypeError("base_url must be an address: https://…")
    try:
        url = urlsplit(base_url)
        host, port = url.hostname, url.port
    except ValueError:
        raise TypeError("base_url must be an address: https://…") from None
    if not host or not _VISIBLE.fullmatch(base_url):
        raise TypeError("base_url must be an address: https://…")
    if "@" in url.netloc or "?" in base_url or "#" in base_url:
        raise TypeError("base_url must hold no credentials, query or fragment")
    if url.scheme != "https" and not (url.scheme == "http" and _LOOPBACK.fullmatch(host)):
        raise TypeError("base_url must be https, or http to this machine: the key goes with every request")
    path = url.path.rstrip("/")
    if path.endswith("/v1"):
        raise TypeError("base_url: leave out /v1, which the client adds")
    place = f"[{host}]" if ":" in host else host
    return f"{url.scheme}://{place}{'' if port is None else f':{port}'}{path}"


def checked_timeout(timeout_seconds: object) -> float:
    """Raises TypeError unless it is a time above zero. Infinity waits for ever."""
    if isinstance(timeout_seconds, (int, float)) and not isinstance(timeout_seconds, bool) and timeout_seconds > 0:
        return float(timeout_seconds)
    raise TypeError("timeout_seconds must be a number of seconds above 0")


def checked_retries(max_retries: object) -> float:
    """Raises TypeError unless it is 0, 1, 2 … or infinity."""
    if isinstance(max_retries, int) and not isinstance(max_retries, bool) and max_retries >= 0:
        return max_retries
    if max_retries == math.inf:
        return math.inf
    raise TypeError("max_retries must be a whole number, 0 for none")


def checked_idempotency_key(key: object) -> str:
    """Raises TypeError unless it fits into the header."""
    if isinstance(key, str) and len(key) <= 255 and _VISIBLE.fullmatch(key):
        return key
    raise TypeError("idempotency_key must be 1 to 255 visible ASCII characters")
