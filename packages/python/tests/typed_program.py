"""A program of others, which type checkers read: each ignored line is a fault that they must find."""

from __future__ import annotations

from datetime import date, datetime, timezone
from decimal import Decimal
from typing import Any

from clinic_data import (
    AsyncClinicDataClient,
    ClinicDataClient,
    EventEnvelope,
    NotFoundError,
    Patient,
    PatientDetailed,
    ProblemError,
    QueryFilter,
    verify_webhook,
)


def names(client: ClinicDataClient, query: str | None) -> list[str]:
    found = [patient["first_name"] or "" for patient in client.patients.list(query=query)]
    detailed: PatientDetailed = client.patients.get("p1", response_format="detailed")
    patient: Patient = client.patients.get("p1")
    # A detailed patient is a patient.
    for one in (patient, detailed):
        found.append(one["first_name"] or "")
    # The detailed form always has them, also where they are null.
    owed = detailed["balance"]
    found.extend([str(owed["amount"]) if owed else "", detailed["id_number"] or "", *(one["value"] for one in detailed["contacts"])])
    client.leads.create(first_name="Dana", phone="050", source="website")
    client.leads.create(first_name="Dana", source="elsewhere")  # type: ignore[arg-type]
    client.payments.create("p1", amount=Decimal("350.10"), method_type="cash")
    client.payments.create("p1", amount="350", method_type="cash")  # type: ignore[arg-type]
    client.patients.list(nam="Levi")  # type: ignore[call-overload]
    found.append(patient["nam"])  # type: ignore[typeddict-item]
    client.appointments.list(from_=date(2026, 7, 12), to=datetime.now(timezone.utc), updated_since="2026-07-12T00:00:00Z")
    client.appointments.list(updated_since=date(2026, 7, 12))  # type: ignore[call-overload]
    client.availability.list(from_="2026-07-12", to="2026-07-13", branch_id="a", further_branch_ids=["b", "c"])
    client.webhooks.update("wh1", event_types=None, enabled=True)
    days: QueryFilter = {"field": "payment_date", "op": "between", "value": [date(2026, 1, 1), date(2026, 6, 30)]}
    client.query.run(dataset="payments", measures=["net_collected"], filters=[days])
    return found


async def rows(client: AsyncClinicDataClient) -> str | None:
    page = await client.calls.list(from_="2026-07-12", direction="inbound").page()
    async for call in client.calls.list(cursor=page.next_cursor):
        # A later version may add directions, so it is compared as any text.
        if call["direction"] == "sideways":
            return call["id"]
    client.calls.list(direction="sideways")  # type: ignore[arg-type]
    return (await client.me.get())["clinic_id"]


def received(secret: str, headers: dict[str, str], body: bytes) -> str | None:
    event: EventEnvelope = verify_webhook(secret=secret, headers=headers, body=body)
    if event["type"] == "patient.created":
        return event["data"]["first_name"]
    if event["type"] == "payment.recorded":
        event["data"]["first_name"]  # type: ignore[typeddict-item]
        return event["data"]["status"]
    return event["data"]["id"]


def over_asgi(secret: str, scope: dict[str, Any], body: bytes, raw: list[tuple[bytes, bytes]]) -> str:
    verify_webhook(secret=secret, headers=scope["headers"], body=body)
    verify_webhook(secret=secret, headers={"webhook-id": 7}, body=body)  # type: ignore[arg-type]
    return verify_webhook(secret=secret, headers=raw, body=body)["id"]


def paid(client: ClinicDataClient) -> Decimal:
    return sum((Decimal(str(payment["amount"])) for payment in client.payments.list("p1")), Decimal())


def status(error: Exception) -> int:
    if isinstance(error, NotFoundError):
        return error.status
    return error.status if isinstance(error, ProblemError) and error.errors[0]["detail"] else 0
