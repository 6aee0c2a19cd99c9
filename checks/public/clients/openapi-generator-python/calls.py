# A call of each kind with the client that openapi-generator makes for Python.
import os
from datetime import date

import openapi_client as api
from openapi_client.exceptions import NotFoundException

run = os.environ["RUN"]
client = api.ApiClient(api.Configuration(host=os.environ["BASE_URL"], access_token=os.environ["SC_API_KEY"]))
patients = api.PatientsApi(client)

first = patients.patients_list(limit=2)
second = patients.patients_list(limit=2, cursor=first.next_cursor)
assert first.data[0].id != second.data[0].id
print("pages")

patient = patients.patients_get(first.data[0].id).data
assert patient.id == first.data[0].id and patient.gender == "added_later"
print("read")

lead = api.LeadsApi(client).leads_create(
    api.LeadRequest(
        first_name="Dana",
        phone="052-765-4321",
        source=api.LeadSource.SOCIAL,
        external_id=run,
        attribution={"utm_source": api.Scalar("python"), "clicks": api.Scalar(3)},
    )
).data
assert lead.source == api.LeadSource.SOCIAL and lead.attribution["clicks"].actual_instance == 3
assert lead.status == "added_later"
print("lead")

catalog = api.CatalogApi(client)
account = catalog.catalog_billing_accounts_list().data[0]


def pay() -> api.Payment:
    cash = api.PaymentsCreateRequest(amount=123456.78, method_type="cash", billing_account_id=account.id)
    return api.PaymentsApi(client).payments_create(patient.id, cash, idempotency_key=run).data


payment = pay()
assert payment.amount == 123456.78 and pay().id == payment.id
print("payment")

webhooks = api.WebhooksApi(client)
webhook = webhooks.webhooks_create(
    api.WebhookRequest(url="https://crm.example.com/hooks", event_types=[api.EventType.PATIENT_DOT_CREATED])
).data
assert webhook.event_types == [api.EventType.PATIENT_DOT_CREATED]
webhooks.webhooks_delete(webhook.id)
try:
    webhooks.webhooks_get(webhook.id)
    raise AssertionError("the webhook is still there")
except NotFoundException as problem:
    assert problem.data.status == 404
print("webhook")


def between(first: str, last: str) -> api.QueryFilter:
    days = api.FilterValue([api.Scalar(first), api.Scalar(last)])
    return api.QueryFilter(field="effective_date", op=api.Operator.BETWEEN, value=days)


analytics = api.AnalyticsApi(client)
result = analytics.query_run(
    api.Query(
        dataset=api.DatasetName.TREATMENTS,
        measures=["treatment_count"],
        dimensions=[api.QueryDimension(api.TimeDimension(field="effective_date", grain=api.Grain.MONTH))],
        filters=[between("2020-01-01", date.today().isoformat())],
    )
).data
counts = [row["treatment_count"].actual_instance for row in result.rows]
assert len(counts) > 1 and sum(counts) == result.totals["treatment_count"].actual_instance
nothing = between("1990-01-01", "1990-01-02")
empty = analytics.query_run(
    api.Query(dataset=api.DatasetName.PRODUCTION, measures=["avg_net_price"], filters=[nothing])
).data
assert empty.totals["avg_net_price"].actual_instance is None
print("query")

visit = api.AppointmentsApi(client).appointments_list(limit=2).data[0]
assert isinstance(catalog.catalog_appointment_statuses_list().data[0].enabled, bool)
assert visit.type.duration_minutes > 0 and visit.status.color and visit.branch.name
print("parts")

assert "rooms:read" in api.IdentityApi(client).me_get().data.scopes
assert webhooks.events_list(limit=1).data[-1].type == "room.opened"
print("additions")
