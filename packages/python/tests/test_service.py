"""Both clients against the real service: every example of the documentation runs, and the README's programs do."""

from __future__ import annotations

import ast
import asyncio
import contextlib
import doctest
import inspect
import io
import os
import re
import sys
import unittest
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from types import CodeType
from typing import Any

import clinic_data
from clinic_data import (
    AsyncClinicDataClient,
    ClinicDataClient,
    ConflictError,
    FilterWarning,
    ForbiddenError,
    IdempotencyKeyReusedError,
    InvalidRequestError,
    NotFoundError,
    UnauthorizedError,
)
from clinic_data.generated.operation_table import OPERATION_TABLE

ADDRESS = os.environ.get("SC_BASE_URL")
ACCESS: dict[str, Any] = {"base_url": ADDRESS, "api_key": os.environ.get("SC_API_KEY")}
README = Path(__file__).parent.parent / "README.md"


def examples_of(documentation: str | None) -> list[str]:
    examples = doctest.DocTestParser().get_examples(inspect.cleandoc(documentation or ""))
    return [near(one.source) for one in examples]


def near(source: str) -> str:
    """Dates near today, as the reference shows them to its readers: the service looks back for some weeks only."""
    days = timedelta(days=int(os.environ["DAYS_LATER"]))
    return re.sub(r"2026-07-\d\d", lambda found: str(date.fromisoformat(found.group()) + days), source)


def method_of(client: object, operation: str) -> Any:
    at: Any = client
    for name in operation.split("."):
        at = getattr(at, name)
    return at


@unittest.skipIf(ADDRESS is None, "there is no service")
class Service(unittest.TestCase):
    def setUp(self) -> None:
        self.client = ClinicDataClient(**ACCESS)
        self.addCleanup(self.client.close)

    @contextlib.contextmanager
    def quiet(self) -> Iterator[io.StringIO]:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            yield printed

    def test_the_example_of_every_method_runs(self) -> None:
        for operation in OPERATION_TABLE:
            with self.subTest(operation), self.quiet() as printed:
                examples = examples_of(method_of(self.client, operation).__doc__)
                self.assertTrue(examples)
                for source in examples:
                    exec(compile(source, operation, "exec"), {"client": self.client})
                if "print" in examples[-1] and operation not in SELDOM:
                    self.assertNotEqual(printed.getvalue(), "", "it found no row")

    def test_the_example_of_every_method_runs_with_asyncio(self) -> None:
        async def run() -> None:
            # The examples delete and change: those of the other client have another clinic.
            async with AsyncClinicDataClient(base_url=ADDRESS, api_key=os.environ["ASYNC_API_KEY"]) as client:
                for operation in OPERATION_TABLE:
                    with self.subTest(operation), self.quiet():
                        for source in examples_of(method_of(client, operation).__doc__):
                            code = compile(source, operation, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
                            await awaited(code, {"client": client})

        asyncio.run(run())

    def test_the_examples_of_the_classes_run(self) -> None:
        async def run() -> None:
            for one in (ClinicDataClient, AsyncClinicDataClient):
                for described in (one, one.request, one.send):
                    names = {**vars(clinic_data), "os": os, "client": None}
                    names["client"] = one(**ACCESS)
                    for source in examples_of(described.__doc__):
                        await awaited(compile(source, "example", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT), names)

        with self.quiet():
            asyncio.run(run())

    def test_the_programs_of_the_readme_run(self) -> None:
        programs = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
        self.assertGreater(len(programs), 4)
        for source in programs:
            with self.subTest(source), self.quiet():
                exec(compile(near(source), "README.md", "exec"), {"__name__": "__main__"})

    def test_a_walk_over_pages_is_the_whole_list_for_both_clients(self) -> None:
        async def walked() -> list[str]:
            async with AsyncClinicDataClient(**ACCESS) as client:
                return [row["id"] async for row in client.patients.list(limit=7)]

        ids = [row["id"] for row in self.client.patients.list(limit=7)]
        self.assertEqual(len(ids), len(set(ids)))
        self.assertGreater(len(ids), 30)
        self.assertEqual(asyncio.run(walked()), ids)

    def test_a_payment_that_is_sent_twice_with_one_key_is_one_payment(self) -> None:
        def pay(amount: float) -> str:
            return self.client.payments.create(
                "p1042", amount=amount, method_type="cash", billing_account_id="main", idempotency_key=key
            )["id"]

        key = f"python-{os.getpid()}"
        self.assertEqual(pay(5), pay(5))
        with self.assertRaises(IdempotencyKeyReusedError):
            pay(6)

    def test_an_amount_is_sent_and_read_as_a_decimal_without_losing_a_digit(self) -> None:
        for text in ("0.30", "999999.99", "19.99", "100"):
            amount = Decimal(text)
            payment = self.client.payments.create(
                "p1042", amount=amount, method_type="cash", billing_account_id="main", external_id=f"decimal-{text}"
            )
            self.assertEqual(Decimal(str(payment["amount"])), amount)
        self.assertTrue(list(self.client.patients.list(owes_more_than=Decimal("0.50"))))

    def test_an_unknown_branch_is_an_error_of_availability_and_a_warning_of_a_list(self) -> None:
        with self.assertRaises(NotFoundError):
            self.client.availability.list(from_=near("2026-07-14"), to=near("2026-07-14"), branch_id="nowhere")
        with self.assertWarnsRegex(FilterWarning, "^branch_id is the id of no branch of this clinic"):
            self.assertEqual(list(self.client.appointments.list(branch_id="nowhere")), [])

    def test_a_problem_of_the_service_is_the_error_of_its_kind(self) -> None:
        with self.assertRaises(NotFoundError) as missing:
            self.client.patients.get("nobody")
        self.assertEqual((missing.exception.status, missing.exception.code), (404, "not-found"))
        self.assertTrue(missing.exception.request_id)
        with self.assertRaises(InvalidRequestError) as invalid:
            self.client.request("calls.list", query={"limit": 0, "branch": "x"})
        self.assertEqual(len(invalid.exception.errors), 2)
        self.assertTrue(all(fault["detail"] for fault in invalid.exception.errors))
        other = ClinicDataClient(base_url=ADDRESS, api_key="sk_live_" + "x" * 32)
        self.addCleanup(other.close)
        with self.assertRaises(UnauthorizedError):
            other.me.get()
        narrow = ClinicDataClient(base_url=ADDRESS, api_key=os.environ["NARROW_API_KEY"])
        self.addCleanup(narrow.close)
        with self.assertRaises(ForbiddenError) as forbidden:
            narrow.webhooks.list()
        self.assertEqual(forbidden.exception.required_scope, "webhooks:manage")
        self.assertFalse(issubclass(ForbiddenError, ConflictError))

    def test_an_event_of_the_feed_is_read_with_its_cursor(self) -> None:
        begun = self.client.events.list().page()
        self.client.payments.create("p1042", amount=7, method_type="cash", billing_account_id="main")
        page = self.client.events.list(cursor=begun.resume_cursor, wait=5).page()
        self.assertEqual([event["type"] for event in page.data], ["payment.recorded"])


SELDOM = {"events.list", "webhooks.deliveries.list", "chat.templates.list"}
"""Their lists may be empty where nothing has happened yet."""


async def awaited(code: CodeType, names: dict[str, Any]) -> None:
    found = eval(code, names)
    if inspect.isawaitable(found):
        await found


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
