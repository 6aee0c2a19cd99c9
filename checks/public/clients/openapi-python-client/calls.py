# A call of each kind with the client that openapi-python-client makes.
import os
from datetime import date

from clinic_data_api_client import AuthenticatedClient
from clinic_data_api_client.api.analytics import query_run
from clinic_data_api_client.api.appointments import appointments_list
from clinic_data_api_client.api.catalog import catalog_appointment_statuses_list, catalog_billing_accounts_list
from clinic_data_api_client.api.identity import me_get
from clinic_data_api_client.api.leads import leads_create
from clinic_data_api_client.api.patients import patients_get, patients_list
from clinic_data_api_client.api.payments import payments_create
from clinic_data_api_client.api.webhooks import events_list, webhooks_create, webhooks_delete, webhooks_get
from clinic_data_api_client.models import (
    DatasetName,
    EventType,
    Grain,
    LeadRequest,
    LeadRequestAttributionType0,
    LeadSource,
    Operator,
    Payment,
    PaymentsCreateRequest,
    PaymentsCreateRequestMethodType,
    Problem,
    Query,
    QueryFilter,
    TimeDimension,
    WebhookRequest,
)

run = os.environ["RUN"]
client = AuthenticatedClient(os.environ["BASE_URL"], os.environ["SC_API_KEY"], raise_on_unexpected_status=True)

first = patients_list.sync(client=client, limit=2)
second = patients_list.sync(client=client, limit=2, cursor=first.next_cursor)
assert len(second.data) == 2 and first.data[0].id != second.data[0].id
print("pages")

patient = patients_get.sync(first.data[0].id, client=client).data
assert patient.id == first.data[0].id and patient.first_name == first.data[0].first_name
assert patient.gender == "added_later"
print("read")

attribution = {"utm_source": "openapi-python-client", "clicks": 3}
request = LeadRequest(
    first_name="Dana",
    phone="052-765-4328",
    source=LeadSource.SOCIAL,
    external_id=run,
    attribution=LeadRequestAttributionType0.from_dict(attribution),
)
lead = leads_create.sync(client=client, body=request).data
assert lead.source == LeadSource.SOCIAL and lead.attribution.to_dict() == attribution
assert lead.status == "added_later"
print("lead")

account = catalog_billing_accounts_list.sync(client=client).data[0]


def pay() -> Payment:
    cash = PaymentsCreateRequest(123456.78, PaymentsCreateRequestMethodType.CASH, billing_account_id=account.id)
    return payments_create.sync(patient.id, client=client, body=cash, idempotency_key=run).data


payment = pay()
assert payment.amount == 123456.78 and pay().id == payment.id
print("payment")

subscription = WebhookRequest("https://crm.example.com/hooks", event_types=[EventType.PATIENT_CREATED])
webhook = webhooks_create.sync(client=client, body=subscription).data
assert webhook.event_types == [EventType.PATIENT_CREATED]
assert webhooks_delete.sync_detailed(webhook.id, client=client).status_code == 204
problem = webhooks_get.sync(webhook.id, client=client)
assert isinstance(problem, Problem) and problem.status == 404
print("webhook")

ever = QueryFilter("effective_date", Operator.BETWEEN, ["2020-01-01", date.today().isoformat()])
result = query_run.sync(
    client=client,
    body=Query(
        dataset=DatasetName.TREATMENTS,
        measures=["treatment_count"],
        dimensions=[TimeDimension("effective_date", Grain.MONTH)],
        filters=[ever],
    ),
).data
counts = [row["treatment_count"] for row in result.rows]
assert len(counts) > 1 and sum(counts) == result.totals["treatment_count"]
nothing = QueryFilter("effective_date", Operator.BETWEEN, ["1990-01-01", "1990-01-02"])
empty = query_run.sync(client=client, body=Query(DatasetName.PRODUCTION, ["avg_net_price"], filters=[nothing])).data
assert empty.totals["avg_net_price"] is None
print("query")

visit = appointments_list.sync(client=client, limit=2).data[0]
assert isinstance(catalog_appointment_statuses_list.sync(client=client).data[0].enabled, bool)
assert visit.type_.duration_minutes > 0 and visit.status.color and visit.branch.name
print("parts")

assert "rooms:read" in me_get.sync(client=client).data.scopes
assert events_list.sync(client=client, limit=1).data[-1].type_ == "room.opened"
print("additions")
