"""When the clients repeat a request, how long they wait before it, and which error they raise."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any, get_args

from clinic_data import (
    PROBLEM_ERRORS,
    AnswerTimeoutError,
    ClinicDataError,
    ConnectionFailedError,
    ProblemCode,
    ProblemError,
    UnexpectedAnswerError,
)
from clinic_data.generated.operation_table import OPERATION_TABLE
from clinic_data.retry import pause_before_retry, retry_after

from .both_clients import BothClients
from .scripted_server import Async, Scripted, ScriptedServer, Step, Sync, problem

One = Sync | Async


class Repeats(BothClients):
    def failing(self, one: One, steps: list[Step], method: Any, *args: Any, **named: Any) -> Any:
        self.server.plays(*steps)
        with self.assertRaises(ClinicDataError) as failed:
            one.call(method, *args, **named)
        return failed.exception

    def read(self, one: One, *steps: Step) -> Any:
        return self.failing(one, list(steps), lambda c: c.me.get)

    def pay(self, one: One, **named: Any) -> Any:
        return one.call(lambda c: c.payments.create, "p1", amount=1, method_type="cash", **named)

    def test_every_problem_of_the_contract_has_a_class(self) -> None:
        self.assertEqual(sorted(PROBLEM_ERRORS), sorted(get_args(ProblemCode)))

    def test_each_problem_is_an_error_of_its_own_class_with_its_fields(self) -> None:
        fault = {"code": "format", "pointer": "#/phone", "detail": "must be a phone number"}
        for one in self.each():
            for slug, kind in PROBLEM_ERRORS.items():
                members: dict[str, Any] = {
                    "detail": "Do this.",
                    "errors": [fault],
                    "required_scope": "calls:read",
                    "retry_after": 2,
                }
                error = self.read(one, problem(slug, 418, **members))
                self.assertIs(type(error), kind)
                self.assertEqual(
                    (error.code, error.status, error.title, error.detail, error.errors, error.required_scope),
                    (slug, 418, slug, "Do this.", [fault], "calls:read"),
                )
                self.assertEqual((error.retry_after, error.request_id), (2, "req_1"))
                self.assertEqual(error.type, f"https://api.clinic.example/problems/{slug}")
                self.assertEqual(str(error), "Do this. (request_id req_1)")
            later = self.read(one, problem("moved", 418, code="moved-to-another-clinic"))
            self.assertEqual((type(later), later.code), (ProblemError, "moved-to-another-clinic"))

    def test_only_what_may_answer_later_is_repeated_three_times(self) -> None:
        for one in self.each():
            for status in (400, 401, 403, 404, 409, 422, 429, 500, 502, 503, 504):
                self.read(one, problem("any", status))
                self.assertEqual(len(self.server.requests), 4 if status in (429, 500, 502, 503) else 1, status)

    def test_a_read_is_repeated_after_a_connection_that_broke_at_any_point(self) -> None:
        for one in self.each():
            for step in ("reset", "truncate"):
                self.server.plays(step, Scripted(body='{"data":{"clinic_id":"c"}}'))
                self.assertEqual(one.call(lambda c: c.me.get)["clinic_id"], "c")
                self.assertEqual(len(self.server.requests), 2)

    def test_a_write_is_repeated_under_the_same_idempotency_key_and_each_call_has_its_own(self) -> None:
        for one in self.each():
            self.server.plays("reset", problem("internal-error", 500), "truncate", Scripted(201))
            self.pay(one)
            keys = [request.headers["idempotency-key"] for request in self.server.requests]
            self.assertEqual((len(keys), len(set(keys))), (4, 1))
            self.assertRegex(keys[0], r"^[\x21-\x7e]{16,255}$")
            self.pay(one)
            self.pay(one, idempotency_key="order-17")
            later = [request.headers["idempotency-key"] for request in self.server.requests[4:]]
            self.assertNotEqual(later[0], keys[0])
            self.assertEqual(later[1], "order-17")

    def test_what_takes_effect_each_time_is_repeated_only_when_it_was_refused(self) -> None:
        each_time = {name: record for name, record in OPERATION_TABLE.items() if record.effect == "each time"}
        self.assertTrue(each_time)
        for one in self.each():
            for name, record in each_time.items():
                params = {part.strip("{}"): "x" for part in record.path.split("/") if part.startswith("{")}
                for step in ("reset", problem("service-unavailable", 503), problem("internal-error", 500)):
                    self.failing(one, [step], lambda c: c.request, name, params=params, body={})
                    self.assertEqual(len(self.server.requests), 1, name)
                    self.assertNotIn("idempotency-key", self.server.requests[0].headers)
                self.server.plays(problem("rate-limited", 429), Scripted(202))
                one.call(lambda c: c.request, name, params=params, body={})
                self.assertEqual(len(self.server.requests), 2, name)

    def test_a_change_that_leaves_the_same_state_is_repeated_without_a_key(self) -> None:
        for one in self.each():
            self.server.plays("reset", problem("internal-error", 500), Scripted())
            one.call(lambda c: c.webhooks.update, "wh1", description="CRM")
            sent = [(r.method, r.body, r.headers.get("idempotency-key")) for r in self.server.requests]
            self.assertEqual(sent, [("PATCH", '{"description":"CRM"}', None)] * 3)

    def test_what_no_operation_has_is_sent_once_unless_it_reads(self) -> None:
        for one in self.each():
            for method, count in (("GET", 4), ("PUT", 1), ("POST", 1), ("DELETE", 1)):
                self.failing(one, [problem("any", 503)], lambda c: c.send, method, "/v1/of-a-later-version")
                self.assertEqual(len(self.server.requests), count, method)
            self.failing(one, [problem("any", 503)], lambda c: c.send, "POST", "/v1/leads", body={})
            self.assertEqual(len({request.headers["idempotency-key"] for request in self.server.requests}), 1)
            self.assertEqual(len(self.server.requests), 4)

    def test_a_conflict_is_waited_out_only_when_our_own_previous_attempt_is_under_way(self) -> None:
        under_way = problem("conflict", 409, {"retry-after": "1"})
        for one in self.each():
            self.server.plays("reset", under_way, under_way, Scripted(201))
            self.pay(one)
            self.assertEqual(len(self.server.requests), 4)
            scripts: list[list[Step]] = [[under_way], ["reset", problem("conflict", 409)]]
            for script in scripts:
                self.failing(one, script, lambda c: c.leads.create, first_name="D", source="website")
                self.assertEqual(len(self.server.requests), len(script))

    def test_retry_after_is_waited_for_up_to_a_minute_and_longer_ones_are_left_to_the_caller(self) -> None:
        for one in self.each():
            self.server.plays(problem("rate-limited", 429, {"retry-after": "17"}), Scripted())
            one.call(lambda c: c.me.get)
            self.assertTrue(17 <= one.pauses[0] <= 17.5, one.pauses)
            error = self.read(one, problem("rate-limited", 429, {"retry-after": "61"}, retry_after=61))
            self.assertEqual((len(self.server.requests), error.retry_after), (1, 61))
        now = datetime(2026, 7, 12, 6, 30, tzinfo=timezone.utc)
        self.assertEqual(retry_after("Sun, 12 Jul 2026 06:30:09 GMT", now), 9)
        self.assertEqual(retry_after("Sun, 12 Jul 2026 06:29:00 GMT", now), 0)
        self.assertIsNone(retry_after("soon", now))

    def test_the_pause_is_a_random_part_of_a_backoff_that_doubles_up_to_a_bound(self) -> None:
        error = ConnectionFailedError("broken")
        pauses = [pause_before_retry(error, None, attempts, True, lambda: 1.0) for attempts in (1, 2, 3, 4, 5, 6, 5000)]
        self.assertEqual(pauses, [0.5, 1, 2, 4, 8, 8, 8])
        self.assertEqual(pause_before_retry(error, None, 3, True, lambda: 0.25), 0.5)

    def test_repeats_can_be_turned_off_for_the_client_and_for_a_call(self) -> None:
        for one in self.each(max_retries=1):
            self.read(one, problem("internal-error", 500))
            self.assertEqual(len(self.server.requests), 2)
            self.failing(one, [problem("internal-error", 500)], lambda c: c.me.get, max_retries=0)
            self.assertEqual(len(self.server.requests), 1)

    def test_an_attempt_that_takes_too_long_is_repeated_like_a_broken_connection(self) -> None:
        # Its own: a request that was given up may arrive when the next test has begun.
        slow = ScriptedServer()
        self.addCleanup(slow.close)
        for step in ("hang", "drip"):
            slow.plays(step)
            for one in self.each(base_url=slow.url):
                with self.assertRaises(AnswerTimeoutError) as failed:
                    one.call(lambda c: c.me.get, timeout_seconds=0.1, max_retries=1)
                self.assertIsInstance(failed.exception, ConnectionFailedError)
                self.assertEqual((failed.exception.code, len(one.pauses)), ("timeout", 1))

    def test_an_answer_that_is_not_the_services_is_reported(self) -> None:
        html = {"content-type": "text/html"}
        cases: list[tuple[Scripted, int]] = [
            (Scripted(200, "<html>", html), 1),
            (Scripted(200, '{"data":'), 1),
            (Scripted(404, "<html>", html), 1),
            (Scripted(502, "<html>", html), 4),
            (Scripted(500, '{"message":"boom"}'), 4),
            (Scripted(200, '{"message":"hello"}'), 1),
            (Scripted(200, "[" * 100_000), 1),
        ]
        for one in self.each():
            for step, count in cases:
                error = self.read(one, step)
                self.assertIsInstance(error, UnexpectedAnswerError)
                self.assertEqual((error.status, len(self.server.requests)), (step.status, count))

    def test_a_refused_token_is_asked_for_once_more_and_the_request_is_made_again(self) -> None:
        asked: list[str | None] = []

        def token(refused: str | None) -> str:
            asked.append(refused)
            return "new" if refused else "old"

        for one in self.each(api_key=None, token=token):
            asked.clear()
            self.server.plays(problem("unauthorized", 401), Scripted(201))
            self.pay(one)
            sent = [(r.headers["authorization"], r.headers["idempotency-key"]) for r in self.server.requests]
            self.assertEqual([secret for secret, _ in sent], ["Bearer old", "Bearer new"])
            self.assertEqual(len({key for _, key in sent}), 1)
            self.assertEqual(asked, [None, "old"])
            self.read(one, problem("unauthorized", 401))
            self.assertEqual(len(self.server.requests), 2)
