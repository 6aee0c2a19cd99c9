"""What no schema can say of a valid request: each value here is replaced by one that is, with the reason beside it."""

from datetime import datetime, timedelta, timezone

import schemathesis

PHONE = "050-123-4567"


@schemathesis.hook
def before_call(ctx, case, kwargs):
    if case.meta is None or case.meta.generation.mode.value != "positive":
        return
    query = case.query or {}
    # Opaque: only what a list gave is one.
    query.pop("cursor", None)
    # The numbering plans of the world are no pattern.
    if "phone" in query:
        query["phone"] = PHONE
    # A search holds a letter or a digit of any script: Python's patterns have no word for that.
    if "query" in query and not any(character.isalnum() for character in query["query"]):
        query["query"] = "dana"
    # A period must not end before it begins, and some must not be long.
    if "from" in query and "to" in query:
        query["to"] = query["from"]
    body = case.body if isinstance(case.body, dict) else {}
    if case.operation.label == "POST /v1/leads" and "phone" in body:
        body["phone"] = PHONE
    elif case.operation.label == "POST /v1/leads" and "email" in body:
        # An empty text is an absent one, and one that cannot be read is enough only beside a good phone.
        body["email"] = "dana@example.com"
    # A range of events lies in the past, and ends after it begins.
    if case.operation.label == "POST /v1/webhooks/{id}/replay" and "since" in body:
        body["since"] = (datetime.now(timezone.utc) - timedelta(days=1)).isoformat()
        body.pop("until", None)
    if case.operation.label == "POST /v1/chat/messages" and "to_phone" in body:
        body["to_phone"] = PHONE
