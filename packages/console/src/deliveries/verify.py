import base64
import hashlib
import hmac
import os
import time

def is_authentic(raw_body: bytes, headers) -> bool:
    """`headers` finds a header by its name, however that is written."""
    key = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
    event_id, sent_at = headers["webhook-id"], headers["webhook-timestamp"]
    digest = hmac.new(key, f"{event_id}.{sent_at}.".encode() + raw_body, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    is_fresh = abs(time.time() - int(sent_at)) <= 300
    return is_fresh and any(hmac.compare_digest(expected, given) for given in headers["webhook-signature"].split())
