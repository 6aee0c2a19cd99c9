// A call of each kind with the client that oapi-codegen makes for Go.
package main

import (
	"clients/api"
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"time"
)

func check(ok bool, what string, err error, body []byte) {
	if err != nil || !ok {
		fmt.Fprintln(os.Stderr, what, err, string(body))
		os.Exit(1)
	}
	fmt.Println(what)
}

func main() {
	ctx, run := context.Background(), os.Getenv("RUN")
	key := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("SC_API_KEY"))
		return nil
	}
	client, err := api.NewClientWithResponses(os.Getenv("BASE_URL"), api.WithRequestEditorFn(key))
	if err != nil {
		panic(err)
	}

	limit := int32(2)
	first, err := client.PatientsListWithResponse(ctx, &api.PatientsListParams{Limit: &limit})
	check(err == nil && first.JSON200 != nil, "page", err, first.Body)
	second, err := client.PatientsListWithResponse(ctx, &api.PatientsListParams{Limit: &limit, Cursor: first.JSON200.NextCursor})
	id := first.JSON200.Data[0].Id
	check(err == nil && second.JSON200.Data[0].Id != id, "next page", err, second.Body)

	patient, err := client.PatientsGetWithResponse(ctx, id, &api.PatientsGetParams{})
	check(err == nil && patient.JSON200 != nil && *patient.JSON200.Data.Gender == "added_later", "read", err, patient.Body)

	var source, clicks api.Scalar
	source.FromScalar0("go")
	clicks.FromScalar1(3)
	phone := "052-765-4322"
	lead, err := client.LeadsCreateWithResponse(ctx, nil, api.LeadRequest{
		FirstName: "Dana", Phone: &phone, Source: "social", ExternalId: &run,
		Attribution: &map[string]api.Scalar{"utm_source": source, "clicks": clicks},
	})
	check(err == nil && lead.JSON201 != nil && lead.JSON201.Data.Status == "added_later", "lead", err, lead.Body)

	existing, err := client.LeadsCreateWithResponse(ctx, nil, api.LeadRequest{FirstName: "Dana", Phone: &phone, Source: "social", ExternalId: &run})
	check(err == nil && existing.JSON201 == nil && existing.JSON200 != nil && existing.JSON200.Data.Id == lead.JSON201.Data.Id, "same lead", err, existing.Body)
	branches, err := client.CatalogBranchesListWithResponse(ctx, nil)
	check(err == nil && branches.JSON200 != nil, "branches", err, branches.Body)
	tag := branches.HTTPResponse.Header.Get("ETag")
	unchanged, err := client.CatalogBranchesListWithResponse(ctx, &api.CatalogBranchesListParams{IfNoneMatch: &tag})
	check(err == nil && unchanged.StatusCode() == http.StatusNotModified && unchanged.JSON200 == nil, "304", err, unchanged.Body)

	accounts, err := client.CatalogBillingAccountsListWithResponse(ctx, nil)
	check(err == nil && accounts.JSON200 != nil, "list", err, accounts.Body)
	once := api.PaymentsCreateParams{IdempotencyKey: &run}
	amount := api.PaymentsCreateJSONRequestBody{Amount: 123456.78, MethodType: "cash", BillingAccountId: &accounts.JSON200.Data[0].Id}
	payment, err := client.PaymentsCreateWithResponse(ctx, id, &once, amount)
	check(err == nil && payment.JSON201 != nil && payment.JSON201.Data.Amount == 123456.78, "payment", err, payment.Body)
	again, err := client.PaymentsCreateWithResponse(ctx, id, &once, amount)
	check(err == nil && again.JSON201 != nil && again.JSON201.Data.Id == payment.JSON201.Data.Id, "same payment", err, again.Body)

	webhook, err := client.WebhooksCreateWithResponse(ctx, nil, api.WebhookRequest{
		Url: "https://crm.example.com/hooks", EventTypes: &[]api.EventType{"patient.created"},
	})
	check(err == nil && webhook.JSON201 != nil && webhook.JSON201.Data.EventTypes[0] == "patient.created", "webhook", err, webhook.Body)
	deleted, err := client.WebhooksDeleteWithResponse(ctx, webhook.JSON201.Data.Id)
	check(err == nil && deleted.StatusCode() == 204, "deletion", err, deleted.Body)
	gone, err := client.WebhooksGetWithResponse(ctx, webhook.JSON201.Data.Id, nil)
	check(err == nil && gone.ApplicationproblemJSON404 != nil && gone.ApplicationproblemJSON404.Status == 404, "problem", err, gone.Body)

	var month api.QueryDimension
	grain := api.Grain("month")
	month.FromTimeDimension(api.TimeDimension{Field: "effective_date", Grain: &grain})
	result, err := client.QueryRunWithResponse(ctx, api.Query{
		Dataset:    "treatments",
		Measures:   []string{"treatment_count"},
		Dimensions: &[]api.QueryDimension{month},
		Filters:    between("2020-01-01", time.Now().Format(time.DateOnly)),
	})
	check(err == nil && result.JSON200 != nil && len(result.JSON200.Data.Rows) > 1, "query", err, result.Body)
	sum := 0.0
	for _, row := range result.JSON200.Data.Rows {
		sum += number(row["treatment_count"])
	}
	check(sum == number(result.JSON200.Data.Totals["treatment_count"]), "totals", nil, result.Body)

	empty, err := client.QueryRunWithResponse(ctx, api.Query{
		Dataset: "production", Measures: []string{"avg_net_price"}, Filters: between("1990-01-01", "1990-01-02"),
	})
	check(err == nil && empty.JSON200 != nil, "empty query", err, empty.Body)
	average, found := empty.JSON200.Data.Totals["avg_net_price"]
	check(found && average == nil, "null", nil, empty.Body)

	statuses, err := client.CatalogAppointmentStatusesListWithResponse(ctx, nil)
	check(err == nil && (statuses.JSON200.Data[0].Enabled || statuses.JSON200.Data[0].Color != ""), "statuses", err, statuses.Body)
	visits, err := client.AppointmentsListWithResponse(ctx, &api.AppointmentsListParams{Limit: &limit})
	check(err == nil && len(visits.JSON200.Data) == 2, "visits", err, visits.Body)
	visit := visits.JSON200.Data[0]
	check(visit.Type.DurationMinutes > 0 && visit.Status.Color != "" && visit.Branch.Name != "", "parts", nil, visits.Body)

	me, err := client.MeGetWithResponse(ctx, nil)
	check(err == nil && slices.Contains(me.JSON200.Data.Scopes, "rooms:read"), "new scope", err, me.Body)
	feed, err := client.EventsListWithResponse(ctx, &api.EventsListParams{Limit: &limit})
	check(err == nil && feed.JSON200.Data[len(feed.JSON200.Data)-1].Type == "room.opened", "new event", err, feed.Body)
}

func between(first, last string) *[]api.QueryFilter {
	var days api.FilterValue
	var scalars [2]api.Scalar
	scalars[0].FromScalar0(first)
	scalars[1].FromScalar0(last)
	days.FromFilterValue3(scalars[:])
	return &[]api.QueryFilter{{Field: "effective_date", Op: "between", Value: days}}
}

func number(cell *api.Cell) float64 {
	value, err := cell.AsCell1()
	if err != nil {
		panic(err)
	}
	return value
}
