"""What the clients send and answer, and that they never show the key."""

from __future__ import annotations

import asyncio
import json
import pickle
import traceback
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import httpx

from clinic_data import (
    OMITTED,
    AsyncClinicDataClient,
    ClinicDataClient,
    ClinicDataError,
    ConnectionFailedError,
    FilterWarning,
    UnexpectedAnswerError,
)
from clinic_data.generated.operation_table import OPERATION_TABLE

from .both_clients import BothClients
from .scripted_server import API_KEY, KINDS, Scripted, ScriptedServer, page, problem


class Requests(BothClients):
    def test_ids_go_into_the_path_and_the_rest_into_query_or_body(self) -> None:
        for one in self.each():
            one.call(lambda c: c.patients.get, "p/1 ä", response_format="detailed")
            one.call(lambda c: c.webhooks.deliveries.retry, "wh1", "dlv?1")
            one.call(lambda c: c.leads.create, first_name="דנה", phone="050", source="website")
            one.call(lambda c: c.request, "patients.list", query={"query": "Le vi&", "limit": 3, "phone": None})
            sent = [(request.method, request.path, request.body) for request in self.server.requests]
            self.assertEqual(
                sent,
                [
                    ("GET", "/v1/patients/p%2F1%20%C3%A4?response_format=detailed", ""),
                    ("POST", "/v1/webhooks/wh1/deliveries/dlv%3F1/retry", ""),
                    ("POST", "/v1/leads", '{"first_name":"דנה","source":"website","phone":"050"}'),
                    ("GET", "/v1/patients?query=Le%20vi%26&limit=3", ""),
                ],
            )
            for request in self.server.requests:
                self.assertEqual(request.headers["authorization"], f"Bearer {API_KEY}")
                self.assertRegex(request.headers["user-agent"], r"^clinic-data-python/\d")
            types = [request.headers.get("content-type") for request in self.server.requests]
            self.assertEqual(types, [None, None, "application/json", None])

    def test_a_keyword_of_the_language_a_boolean_and_a_list_are_written_as_the_service_reads_them(self) -> None:
        for one in self.each():
            self.server.plays(page([], None))
            one.rows(one.pages_of(lambda c: c.calls.list, from_="2026-07-12", has_recording=True))
            one.rows(one.pages_of(lambda c: c.events.list, event_types=["patient.created", "payment.recorded"]))
            self.assertEqual(
                self.server.paths(),
                [
                    "/v1/calls?from=2026-07-12&has_recording=true",
                    "/v1/events?event_types=patient.created%2Cpayment.recorded",
                ],
            )

    def test_a_day_and_an_instant_are_sent_as_the_service_reads_them_and_one_without_a_zone_is_refused(self) -> None:
        noon = datetime(2026, 7, 12, 12, 0, tzinfo=timezone(timedelta(hours=3)))
        for one in self.each():
            self.server.plays(page([], None))
            one.rows(one.pages_of(lambda c: c.calls.list, from_=date(2026, 7, 12), to=noon))
            one.call(lambda c: c.webhooks.replay, "wh1", since=noon)
            self.assertEqual(
                self.server.paths()[0], "/v1/calls?from=2026-07-12&to=2026-07-12T12%3A00%3A00%2B03%3A00"
            )
            self.assertEqual(self.server.requests[-1].body, '{"since":"2026-07-12T12:00:00+03:00"}')
            with self.assertRaisesRegex(ValueError, "must have a zone"):
                one.rows(one.pages_of(lambda c: c.calls.list, from_=datetime(2026, 7, 12)))
            self.assertEqual(len(self.server.requests), 2)

    def test_what_is_left_out_is_not_sent_and_null_is_sent_where_it_means_something(self) -> None:
        for one in self.each():
            one.call(lambda c: c.webhooks.update, "wh1", event_types=None)
            one.call(lambda c: c.webhooks.update, "wh1", description=OMITTED, enabled=False)
            self.assertEqual([r.body for r in self.server.requests], ['{"event_types":null}', '{"enabled":false}'])

    def test_an_id_that_leads_elsewhere_and_an_unknown_operation_are_refused_before_anything_is_sent(self) -> None:
        for one in self.each():
            ids: list[Any] = ["", ".", "..", None, 7, {}]
            for wrong in ids:
                with self.assertRaises(TypeError):
                    one.call(lambda c: c.patients.get, wrong)
            for operation in ["patients.remove", "__class__"]:
                with self.assertRaises(TypeError):
                    one.call(lambda c: c.request, operation)
            with self.assertRaises(TypeError):
                one.call(lambda c: c.send, "GET", "v1/me")
            self.assertEqual(self.server.requests, [])

    def test_an_impossible_setting_is_refused_before_anything_is_sent(self) -> None:
        wrong: list[dict[str, Any]] = [
            *({"max_retries": value} for value in (-1, 1.5, float("nan"), True)),
            *({"timeout_seconds": value} for value in (0, -1, float("nan"), "1")),
            *({"idempotency_key": value} for value in ("", "a\nb", "a b", "מפתח", "x" * 256)),
        ]
        for one in self.each():
            for options in wrong:
                with self.assertRaises(TypeError, msg=str(options)):
                    one.call(lambda c: c.payments.create, "p1", amount=1, method_type="cash", **options)
            with self.assertRaises(ValueError):
                one.call(lambda c: c.payments.create, "p1", amount=float("nan"), method_type="cash")
            self.assertEqual(self.server.requests, [])
            one.call(lambda c: c.me.get, timeout_seconds=float("inf"))
            self.assertEqual(len(self.server.requests), 1)

    def test_a_base_address_may_have_a_path_and_one_that_would_expose_the_key_is_refused(self) -> None:
        for one in self.each(base_url=f"{self.server.url}/clinic-api/"):
            one.call(lambda c: c.me.get)
            self.assertEqual(self.server.paths(), ["/clinic-api/v1/me"])
        for good in ("https://api.clinic.example", "http://localhost:8080/", "http://[::1]:1", "http://127.9.9.9"):
            ClinicDataClient(base_url=good, api_key=API_KEY).close()
        for base_url in (
            *(
                "http://api.clinic.example",
                "http://127.0.0.1.evil.example",
                "http://localhost.example",
                "ftp://localhost",
            ),
            *(
                "https://user:word@api.clinic.example",
                "https://api.clinic.example/?a=1",
                "https://a.example/#x",
                "api",
                "",
            ),
            *(None, "https://", "https://a.example:port", "https://a b.example", "https://a.example/v1/"),
        ):
            for client in (ClinicDataClient, AsyncClinicDataClient):
                with self.assertRaises(TypeError, msg=str(base_url)):
                    client(base_url=base_url, api_key=API_KEY)

    def test_one_of_key_and_token_is_needed(self) -> None:
        wrong: list[dict[str, Any]] = [
            {},
            {"api_key": API_KEY, "token": lambda _: "t"},
            {"token": "t"},
            {"api_key": "a\nb"},
        ]
        for settings in wrong:
            for client in (ClinicDataClient, AsyncClinicDataClient):
                with self.assertRaises(TypeError):
                    client(base_url=self.server.url, **settings)

    def test_a_method_answers_the_data_with_what_it_does_not_know(self) -> None:
        for one in self.each():
            self.server.plays(Scripted(body='{"data":{"id":"c1","direction":"sideways","new":[1]},"beside":2}'))
            self.assertEqual(one.call(lambda c: c.calls.get, "c1"), {"id": "c1", "direction": "sideways", "new": [1]})
            answer = one.call(lambda c: c.request, "calls.get", params={"id": "c1"})
            self.assertEqual((answer.status, answer.body["beside"], answer.data["id"]), (200, 2, "c1"))
            self.server.plays(Scripted(204))
            self.assertIsNone(one.call(lambda c: c.webhooks.delete, "wh1"))
            warning = {"code": "unknown_id", "parameter": "branch_id", "detail": "d"}
            self.server.plays(Scripted(body=json.dumps({"data": [], "meta": {"warnings": [warning]}})))
            with self.assertWarns(FilterWarning) as told:
                slots = one.call(lambda c: c.availability.list, from_="2026-07-14", to="2026-07-14", branch_id="x")
            self.assertEqual((slots, slots.warnings), ([], [warning]))
            self.assertEqual(str(told.warning), "branch_id d")

    def test_a_decimal_is_sent_as_the_very_number_and_one_that_would_be_rounded_is_refused(self) -> None:
        amounts = ["350", "350.00", "0.30", "1234567.89", "0.001", "99999999.999", "1E+3", "0.1"]
        for one in self.each():
            for amount in amounts:
                one.call(lambda c: c.payments.create, "p1", amount=Decimal(amount), method_type="cash")
                sent = json.loads(self.server.requests[-1].body, parse_float=Decimal, parse_int=Decimal)
                self.assertEqual(sent["amount"], Decimal(amount))
            one.call(lambda c: c.request, "leads.create", body={"attribution": {"spent": Decimal("0.10")}})
            self.assertEqual(self.server.requests[-1].body, '{"attribution":{"spent":0.1}}')
            self.server.plays(page([], None))
            one.rows(one.pages_of(lambda c: c.patients.list, owes_more_than=Decimal("1E+2")))
            one.rows(one.pages_of(lambda c: c.patients.list, owes_more_than=Decimal("0.50")))
            asked = ["/v1/patients?owes_more_than=100", "/v1/patients?owes_more_than=0.50"]
            self.assertEqual(self.server.paths(), asked)
            for wrong in ("0.1234567890123456789", "12345678901234567.8", "NaN", "Infinity", "1E+400"):
                with self.assertRaises(ValueError, msg=wrong):
                    one.call(lambda c: c.payments.create, "p1", amount=Decimal(wrong), method_type="cash")
                with self.assertRaises(ValueError, msg=wrong):
                    one.rows(one.pages_of(lambda c: c.patients.list, owes_more_than=Decimal(wrong)))
            with self.assertRaises(TypeError):
                one.call(lambda c: c.request, "leads.create", body={"first_name": object()})

    def test_rows_are_requested_page_by_page_only_while_they_are_walked_and_again_by_each_walk(self) -> None:
        for one in self.each():
            patients = one.pages_of(lambda c: c.patients.list, query="Levi", limit=2)
            self.assertEqual(self.server.requests, [])
            self.server.plays(page(["a", "b"], "c1"), page([], "c2"), page(["c"], None))
            self.assertEqual([row["id"] for row in one.rows(patients)], ["a", "b", "c"])
            asked = [f"/v1/patients?query=Levi&limit=2{cursor}" for cursor in ("", "&cursor=c1", "&cursor=c2")]
            self.assertEqual(self.server.paths(), asked)
            self.server.plays(page(["a", "b"], "c1"))
            one.rows(patients, 1)
            self.assertEqual(len(self.server.requests), 1)

    def test_one_page_has_its_cursors_and_warnings_and_pages_go_on_from_the_cursor_of_the_call(self) -> None:
        for one in self.each():
            self.server.plays(page(["a"], "c9", resume_cursor="r1", meta={"warnings": [{"code": "unknown_id"}]}, new=1))
            got = one.page(one.pages_of(lambda c: c.events.list, cursor="c8"))
            self.assertEqual((got.data, got.next_cursor, got.resume_cursor), ([{"id": "a"}], "c9", "r1"))
            self.assertEqual((got.warnings, got.body["new"]), ([{"code": "unknown_id"}], 1))
            self.assertEqual(self.server.paths(), ["/v1/events?cursor=c8"])
            self.server.plays(page(["a"], "c9"), page(["b"], None))
            self.assertEqual([len(p.data) for p in one.all_pages(one.pages_of(lambda c: c.patients.list))], [1, 1])

    def test_further_pages_are_as_large_as_allowed_unless_the_call_says_otherwise(self) -> None:
        for one in self.each():
            self.server.plays(page(["a"], "c1"), page(["b"], None))
            one.rows(one.pages_of(lambda c: c.patients.list, query="Levi"))
            self.assertIn("walk it with", repr(one.pages_of(lambda c: c.patients.list)))
            asked = ["/v1/patients?query=Levi", "/v1/patients?query=Levi&limit=100&cursor=c1"]
            self.assertEqual(self.server.paths(), asked)

    def test_a_redirect_is_refused_and_the_key_is_sent_nowhere_else(self) -> None:
        elsewhere = ScriptedServer()
        self.addCleanup(elsewhere.close)
        for one in self.each():
            for status in (301, 302, 303, 307, 308):
                self.server.plays(Scripted(status, headers={"location": f"{elsewhere.url}/v1/me"}))
                with self.assertRaises(UnexpectedAnswerError):
                    one.call(lambda c: c.me.get)
        self.assertEqual(elsewhere.requests, [])

    def test_every_operation_has_its_method_in_both_clients(self) -> None:
        for one in self.each():
            for operation in OPERATION_TABLE:
                at: Any = one.client
                for name in operation.split("."):
                    at = getattr(at, name)
                self.assertTrue(callable(at), operation)

    def test_the_client_its_errors_and_their_contexts_never_show_the_key(self) -> None:
        for kind in KINDS:
            with self.client(kind, max_retries=0) as one:
                shown: list[str] = [repr(one.client), str(vars(one.client))]
                for step in (problem("unauthorized", 401), "reset", "truncate", Scripted(200, "<html>")):
                    self.server.plays(step)
                    try:
                        one.call(lambda c: c.me.get)
                        self.fail("it did not fail")
                    except ClinicDataError as error:
                        self.assertIsNone(error.__context__)
                        shown += [str(error), repr(error), str(vars(error)), "".join(traceback.format_exception(error))]
                with self.assertRaises(TypeError):
                    pickle.dumps(vars(one.client)["_key"])
            for text in shown:
                self.assertNotIn(API_KEY, text)
        with self.assertRaises(TypeError) as refused:
            ClinicDataClient(base_url=self.server.url, api_key=f"{API_KEY}\n")
        self.assertNotIn(API_KEY, str(refused.exception))

    def test_a_client_closes_its_own_connections(self) -> None:
        with ClinicDataClient(base_url=self.server.url, api_key=API_KEY) as client:
            client.me.get()
        with self.assertRaises(RuntimeError):
            client.me.get()

        async def closed() -> None:
            async with AsyncClinicDataClient(base_url=self.server.url, api_key=API_KEY) as one:
                await one.me.get()
            with self.assertRaises(RuntimeError):
                await one.me.get()

        asyncio.run(closed())

    def test_a_careless_transport_that_quotes_the_request_is_not_quoted(self) -> None:
        def careless(request: httpx.Request) -> httpx.Response:
            raise httpx.ConnectError(f"failed: {request.headers['authorization']}", request=request)

        http = httpx.Client(transport=httpx.MockTransport(careless))
        client = ClinicDataClient(base_url=self.server.url, api_key=API_KEY, http=http, max_retries=0)
        with self.assertRaises(ConnectionFailedError) as failed:
            client.patients.get("p1042")
        self.assertNotIn(API_KEY, str(failed.exception))
        self.assertNotIn("p1042", str(failed.exception))
        self.assertIsNone(failed.exception.request_id)
        client.close()
        self.assertFalse(http.is_closed)
        http.close()
