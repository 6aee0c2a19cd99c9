"""Replaces generated values that fit the schema but break a rule that no schema can state. Each has its reason beside it."""

from datetime import datetime, timedelta, timezone

import schemathesis

PHONE = "050-123-4567"


@schemathesis.hook
def before_call(ctx, case, kwargs):
    if case.meta is None or case.meta.generation.mode.value != "positive":
        return
    query = case.query or {}
    # Opaque: only a list can make a valid one.
    query.pop("cursor", None)
    # No pattern can state the world's numbering plans.
    if "phone" in query:
        query["phone"] = PHONE
    # A search holds a letter or a digit of any script. Python's patterns cannot say that.
    if "query" in query and not any(character.isalnum() for character in query["query"]):
        query["query"] = "dana"
    # A period must not end before it begins, and some periods have a maximum length.
    if "from" in query and "to" in query:
        query["to"] = query["from"]
    body = case.body if isinstance(case.body, dict) else {}
    # At most three decimals. As `multipleOf` validators would refuse good amounts, because they divide in binary.
    for values, name in ((query, "owes_more_than"), (body, "amount")):
        if name in values:
            values[name] = max(0.01, round(float(values[name]), 2))
    if case.operation.label == "POST /v1/leads" and "phone" in body:
        body["phone"] = PHONE
    elif case.operation.label == "POST /v1/leads" and "email" in body:
        # An empty text counts as absent, and an unreadable one is accepted only beside a readable phone.
        body["email"] = "dana@example.com"
    # A range of events lies in the past, and ends after it begins.
    if case.operation.label == "POST /v1/webhooks/{id}/replay" and "since" in body:
        body["since"] = (datetime.now(timezone.utc) - timedelta(days=1)).isoformat()
        body.pop("until", None)
    if case.operation.label == "POST /v1/chat/messages" and "to_phone" in body:
        body["to_phone"] = PHONE
