// A call of each kind with the client that openapi-generator makes for Go.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	api "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func check(ok bool, what string, err error) {
	var answer *api.GenericOpenAPIError
	if errors.As(err, &answer) {
		err = fmt.Errorf("%w: %s", err, answer.Body())
	}
	if err != nil || !ok {
		fmt.Fprintln(os.Stderr, what, err)
		os.Exit(1)
	}
	fmt.Println(what)
}

func main() {
	configuration := api.NewConfiguration()
	configuration.Servers = api.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	client := api.NewAPIClient(configuration)
	ctx, run := context.WithValue(context.Background(), api.ContextAccessToken, os.Getenv("SC_API_KEY")), os.Getenv("RUN")

	first, _, err := client.PatientsAPI.PatientsList(ctx).Limit(2).Execute()
	check(err == nil && len(first.Data) == 2, "page", err)
	second, _, err := client.PatientsAPI.PatientsList(ctx).Limit(2).Cursor(first.GetNextCursor()).Execute()
	id := first.Data[0].Id
	check(err == nil && second.Data[0].Id != id, "next page", err)

	patient, _, err := client.PatientsAPI.PatientsGet(ctx, id).Execute()
	check(err == nil && patient.Data.Id == id && patient.Data.GetGender() == "added_later", "read", err)

	source, clicks := "go", 3.0
	request := api.NewLeadRequest("Dana", api.SOCIAL)
	request.SetPhone("052-765-4327")
	request.SetExternalId(run)
	request.SetAttribution(map[string]api.Scalar{"utm_source": {String: &source}, "clicks": {Float64: &clicks}})
	lead, _, err := client.LeadsAPI.LeadsCreate(ctx).LeadRequest(*request).Execute()
	check(err == nil && lead.Data.FirstName == "Dana" && *lead.Data.Attribution["clicks"].Float64 == clicks && lead.Data.Status == "added_later", "lead", err)

	accounts, _, err := client.CatalogAPI.CatalogBillingAccountsList(ctx).Execute()
	check(err == nil && len(accounts.Data) > 0, "list", err)
	cash := api.NewPaymentsCreateRequest(123456.78, "cash")
	cash.SetBillingAccountId(accounts.Data[0].Id)
	pay := client.PaymentsAPI.PaymentsCreate(ctx, id).IdempotencyKey(run).PaymentsCreateRequest(*cash)
	payment, _, err := pay.Execute()
	check(err == nil && payment.Data.Amount == 123456.78, "payment", err)
	again, _, err := pay.Execute()
	check(err == nil && again.Data.Id == payment.Data.Id, "same payment", err)

	subscription := api.NewWebhookRequest("https://crm.example.com/hooks")
	subscription.SetEventTypes([]api.EventType{api.PATIENT_CREATED})
	webhook, _, err := client.WebhooksAPI.WebhooksCreate(ctx).WebhookRequest(*subscription).Execute()
	check(err == nil && webhook.Data.EventTypes[0] == string(api.PATIENT_CREATED), "webhook", err)
	_, err = client.WebhooksAPI.WebhooksDelete(ctx, webhook.Data.Id).Execute()
	check(err == nil, "deletion", err)
	_, gone, err := client.WebhooksAPI.WebhooksGet(ctx, webhook.Data.Id).Execute()
	check(err != nil && gone.StatusCode == http.StatusNotFound, "problem", nil)
	// The text that Go prints holds the reason, which openapi-generator writes only of a field that is always there.
	check(strings.Contains(err.Error(), "No webhook has the id"), err.Error(), nil)
	problem, ok := err.(*api.GenericOpenAPIError).Model().(api.Problem)
	check(ok && problem.Code == "not-found", "typed problem", nil)
	_, branches, err := client.CatalogAPI.CatalogBranchesList(ctx).Execute()
	check(err == nil, "branches", err)
	_, unchanged, err := client.CatalogAPI.CatalogBranchesList(ctx).IfNoneMatch(branches.Header.Get("ETag")).Execute()
	check(err != nil && unchanged.StatusCode == http.StatusNotModified, "304", nil)

	month := api.NewTimeDimension("effective_date")
	month.SetGrain(api.MONTH)
	query := api.NewQuery(api.TREATMENTS, []string{"treatment_count"})
	query.SetDimensions([]api.QueryDimension{{TimeDimension: month}})
	query.SetFilters(between("2020-01-01", time.Now().Format(time.DateOnly)))
	result, _, err := client.AnalyticsAPI.QueryRun(ctx).Query(*query).Execute()
	check(err == nil && len(result.Data.Rows) > 1, "query", err)
	sum := 0.0
	for _, row := range result.Data.Rows {
		sum += *row["treatment_count"].Float64
	}
	check(sum == *result.Data.Totals["treatment_count"].Float64, "totals", nil)

	query = api.NewQuery(api.PRODUCTION, []string{"avg_net_price"})
	query.SetFilters(between("1990-01-01", "1990-01-02"))
	result, _, err = client.AnalyticsAPI.QueryRun(ctx).Query(*query).Execute()
	check(err == nil, "empty query", err)
	average, found := result.Data.Totals["avg_net_price"]
	check(found && average == api.Cell{}, "null", nil)

	statuses, _, err := client.CatalogAPI.CatalogAppointmentStatusesList(ctx).Execute()
	check(err == nil && (statuses.Data[0].Enabled || statuses.Data[0].Color != ""), "statuses", err)
	visits, _, err := client.AppointmentsAPI.AppointmentsList(ctx).Limit(2).Execute()
	check(err == nil && len(visits.Data) == 2, "visits", err)
	kind, state, branch := visits.Data[0].GetType(), visits.Data[0].GetStatus(), visits.Data[0].GetBranch()
	check(kind.DurationMinutes > 0 && state.Color != "" && branch.Name != "", "parts", nil)

	me, _, err := client.IdentityAPI.MeGet(ctx).Execute()
	check(err == nil && slices.Contains(me.Data.Scopes, "rooms:read"), "new scope", err)
	feed, _, err := client.WebhooksAPI.EventsList(ctx).Limit(1).Execute()
	check(err == nil && feed.Data[len(feed.Data)-1].Type == "room.opened", "new event", err)
}

func between(first, last string) []api.QueryFilter {
	days := api.FilterValue{ArrayOfScalar: &[]api.Scalar{{String: &first}, {String: &last}}}
	return []api.QueryFilter{*api.NewQueryFilter("effective_date", api.BETWEEN, days)}
}
