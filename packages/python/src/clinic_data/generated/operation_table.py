"""What a request of each operation is made of. Written by `npm run golden` from the contract; a test compares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..operation_record import OperationRecord

OPERATION_TABLE: Final[Mapping[str, OperationRecord]] = {
    "me.get": OperationRecord("GET", "/v1/me", "one", "none"),
    "patients.list": OperationRecord("GET", "/v1/patients", "page", "none"),
    "patients.get": OperationRecord("GET", "/v1/patients/{id}", "one", "none"),
    "appointments.list": OperationRecord("GET", "/v1/appointments", "page", "none"),
    "appointments.get": OperationRecord("GET", "/v1/appointments/{id}", "one", "none"),
    "patients.appointments.list": OperationRecord("GET", "/v1/patients/{id}/appointments", "page", "none"),
    "availability.list": OperationRecord("GET", "/v1/availability", "bounded", "none"),
    "treatments.list": OperationRecord("GET", "/v1/patients/{id}/treatments", "page", "none"),
    "treatments.get": OperationRecord("GET", "/v1/treatments/{id}", "one", "none"),
    "payments.list": OperationRecord("GET", "/v1/patients/{id}/payments", "page", "none"),
    "payments.create": OperationRecord("POST", "/v1/patients/{id}/payments", "one", "once a key"),
    "payments.search": OperationRecord("GET", "/v1/payments", "page", "none"),
    "payments.get": OperationRecord("GET", "/v1/payments/{id}", "one", "none"),
    "catalog.appointment_statuses.list": OperationRecord("GET", "/v1/catalog/appointments/statuses", "bounded", "none"),
    "catalog.appointment_types.list": OperationRecord("GET", "/v1/catalog/appointments/types", "bounded", "none"),
    "catalog.billing_accounts.list": OperationRecord("GET", "/v1/catalog/billing/accounts", "bounded", "none"),
    "catalog.branches.list": OperationRecord("GET", "/v1/catalog/branches", "bounded", "none"),
    "catalog.providers.list": OperationRecord("GET", "/v1/catalog/providers", "bounded", "none"),
    "catalog.treatments.list": OperationRecord("GET", "/v1/catalog/treatments", "bounded", "none"),
    "leads.list": OperationRecord("GET", "/v1/leads", "page", "none"),
    "leads.create": OperationRecord("POST", "/v1/leads", "one", "once a key"),
    "leads.get": OperationRecord("GET", "/v1/leads/{id}", "one", "none"),
    "calls.list": OperationRecord("GET", "/v1/calls", "page", "none"),
    "calls.get": OperationRecord("GET", "/v1/calls/{id}", "one", "none"),
    "calls.recording.get": OperationRecord("GET", "/v1/calls/{id}/recording", "link", "none"),
    "patients.calls.list": OperationRecord("GET", "/v1/patients/{id}/calls", "page", "none"),
    "chat.conversations.list": OperationRecord("GET", "/v1/chat/conversations", "page", "none"),
    "chat.conversations.get": OperationRecord("GET", "/v1/chat/conversations/{id}", "one", "none"),
    "chat.conversations.messages.list": OperationRecord("GET", "/v1/chat/conversations/{id}/messages", "page", "none"),
    "chat.messages.list": OperationRecord("GET", "/v1/chat/messages", "page", "none"),
    "chat.messages.create": OperationRecord("POST", "/v1/chat/messages", "one", "once a key"),
    "chat.messages.get": OperationRecord("GET", "/v1/chat/messages/{id}", "one", "none"),
    "chat.messages.media.get": OperationRecord("GET", "/v1/chat/messages/{id}/media", "link", "none"),
    "chat.templates.list": OperationRecord("GET", "/v1/chat/templates", "page", "none"),
    "patients.chat_messages.list": OperationRecord("GET", "/v1/patients/{id}/chat/messages", "page", "none"),
    "metrics.describe": OperationRecord("GET", "/v1/metrics", "one", "none"),
    "query.run": OperationRecord("POST", "/v1/query", "one", "none"),
    "events.list": OperationRecord("GET", "/v1/events", "page", "none"),
    "webhooks.list": OperationRecord("GET", "/v1/webhooks", "bounded", "none"),
    "webhooks.create": OperationRecord("POST", "/v1/webhooks", "one", "once a key"),
    "webhooks.get": OperationRecord("GET", "/v1/webhooks/{id}", "one", "none"),
    "webhooks.update": OperationRecord("PATCH", "/v1/webhooks/{id}", "one", "repeatable"),
    "webhooks.delete": OperationRecord("DELETE", "/v1/webhooks/{id}", "none", "each time"),
    "webhooks.deliveries.list": OperationRecord("GET", "/v1/webhooks/{id}/deliveries", "page", "none"),
    "webhooks.deliveries.retry": OperationRecord(
        "POST", "/v1/webhooks/{id}/deliveries/{delivery_id}/retry", "one", "each time"
    ),
    "webhooks.replay": OperationRecord("POST", "/v1/webhooks/{id}/replay", "one", "each time"),
    "webhooks.secret.rotate": OperationRecord("POST", "/v1/webhooks/{id}/secret/rotate", "one", "each time"),
    "webhooks.test": OperationRecord("POST", "/v1/webhooks/{id}/test", "one", "each time"),
}
