// A call of each kind with the client that openapi-generator makes for Java.
import java.math.BigDecimal;
import java.net.URI;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.JSON;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

class Calls {
  public static void main(String[] arguments) throws Exception {
    var run = System.getenv("RUN");
    var client = new ApiClient();
    client.setBasePath(System.getenv("BASE_URL"));
    client.setBearerToken(System.getenv("SC_API_KEY"));
    var patients = new PatientsApi(client);

    var first = patients.patientsList().limit(2).execute();
    var second = patients.patientsList().limit(2).cursor(first.getNextCursor()).execute();
    var id = first.getData().get(0).getId();
    check(second.getData().size() == 2 && !second.getData().get(0).getId().equals(id), "pages");

    var patient = patients.patientsGet(id).execute().getData();
    check(patient.getId().equals(id) && patient.getGender().equals("added_later"), "read");

    var request = new LeadRequest().firstName("Dana").phone("052-765-4329").source(LeadSource.SOCIAL).externalId(run)
        .attribution(Map.of("utm_source", new Scalar("java"), "clicks", new Scalar(3.0)));
    var lead = new LeadsApi(client).leadsCreate(request).execute().getData();
    check(lead.getStatus().equals("added_later") && lead.getAttribution().get("clicks").getDouble() == 3, "lead");

    var catalog = new CatalogApi(client);
    var account = catalog.catalogBillingAccountsList().execute().getData().get(0);
    var cash = new PaymentsCreateRequest().amount(123456.78).methodType(PaymentsCreateRequest.MethodTypeEnum.CASH)
        .billingAccountId(account.getId());
    var payments = new PaymentsApi(client);
    var payment = payments.paymentsCreate(id, cash).idempotencyKey(run).execute().getData();
    var again = payments.paymentsCreate(id, cash).idempotencyKey(run).execute().getData();
    check(BigDecimal.valueOf(payment.getAmount()).equals(new BigDecimal("123456.78")) && again.getId().equals(payment.getId()), "payment");

    var webhooks = new WebhooksApi(client);
    var subscription = new WebhookRequest().url(URI.create("https://crm.example.com/hooks"))
        .addEventTypesItem(EventType.PATIENT_CREATED);
    var webhook = webhooks.webhooksCreate(subscription).execute().getData();
    check(webhook.getEventTypes().equals(List.of(EventType.PATIENT_CREATED.getValue())), "webhook");
    webhooks.webhooksDelete(webhook.getId()).execute();
    try {
      webhooks.webhooksGet(webhook.getId()).execute();
      check(false, "deletion");
    } catch (ApiException problem) {
      check(problem.getCode() == 404 && Problem.fromJson(problem.getResponseBody()).getCode().equals("not-found"), "deletion");
    }

    var tag = catalog.catalogBranchesList().executeWithHttpInfo().getHeaders().get("etag").get(0);
    try {
      catalog.catalogBranchesList().ifNoneMatch(tag).execute();
      check(false, "304");
    } catch (ApiException unchanged) {
      check(unchanged.getCode() == 304 && unchanged.getResponseBody().isEmpty(), "304");
    }

    var withNulls = JSON.getGson().newBuilder().serializeNulls().create();
    check(Payment.fromJson(withNulls.toJson(payment)).equals(payment), "kept");
    var events = webhooks.eventsList().since(payment.getCreatedAt()).eventTypes(List.of(EventType.PAYMENT_RECORDED)).execute().getData();
    var recorded = events.stream().filter(event -> payment.getId().equals(event.getData().get("id"))).findFirst().orElseThrow();
    check(Payment.fromJson(withNulls.toJson(recorded.getData())).getAmount().equals(payment.getAmount()), "data of the feed");

    var month = new TimeDimension().field("effective_date").grain(Grain.MONTH);
    var query = new Query().dataset(DatasetName.TREATMENTS).addMeasuresItem("treatment_count")
        .addDimensionsItem(new QueryDimension(month))
        .addFiltersItem(between("2020-01-01", LocalDate.now().toString()));
    var analytics = new AnalyticsApi(client);
    var result = analytics.queryRun(query).execute().getData();
    var sum = result.getRows().stream().mapToDouble(row -> row.get("treatment_count").getDouble()).sum();
    check(result.getRows().size() > 1 && sum == result.getTotals().get("treatment_count").getDouble(), "query");
    query = new Query().dataset(DatasetName.PRODUCTION).addMeasuresItem("avg_net_price")
        .addFiltersItem(between("1990-01-01", "1990-01-02"));
    var empty = analytics.queryRun(query).execute().getData().getTotals();
    check(empty.containsKey("avg_net_price") && empty.get("avg_net_price") == null, "null");

    var status = catalog.catalogAppointmentStatusesList().execute().getData().get(0);
    var visits = new AppointmentsApi(client).appointmentsList().limit(2).execute();
    var visit = visits.getData().get(0);
    check(status.getEnabled() != null && visit.getType().getDurationMinutes() > 0, "parts");
    check(!visit.getStatus().getColor().isEmpty() && !visit.getBranch().getName().isEmpty(), "more parts");

    check(new IdentityApi(client).meGet().execute().getData().getScopes().contains("rooms:read"), "new scope");
    var feed = webhooks.eventsList().limit(1).execute().getData();
    check(feed.get(feed.size() - 1).getType().equals("room.opened"), "new event");
  }

  static QueryFilter between(String first, String last) {
    var days = new FilterValue(List.of(new Scalar(first), new Scalar(last)));
    return new QueryFilter().field("effective_date").op(Operator.BETWEEN).value(days);
  }

  static void check(boolean holds, String what) {
    if (!holds) throw new AssertionError(what);
    System.out.println(what);
  }
}
