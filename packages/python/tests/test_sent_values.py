"""A value arrives as it was meant, or is refused by its name before anything is sent."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from .both_clients import BothClients


class SentValues(BothClients):
    def test_a_value_that_cannot_be_sent_is_refused_by_its_name(self) -> None:
        days = {"field": "payment_date", "op": "between", "value": [1, float("nan")]}
        for one in self.each():
            for wrong in (float("nan"), float("inf"), float("-inf"), Decimal("NaN"), datetime(2026, 7, 12)):
                with self.assertRaisesRegex(ValueError, r"^amount\b"):
                    one.call(lambda c: c.payments.create, "p1", amount=wrong, method_type="cash")
                with self.assertRaisesRegex(ValueError, r"^owes_more_than\b"):
                    one.rows(one.pages_of(lambda c: c.patients.list, owes_more_than=wrong))
            with self.assertRaisesRegex(ValueError, r"^filters\[0\]\.value\[1\] is nan"):
                one.call(lambda c: c.query.run, dataset="payments", measures=["net_collected"], filters=[days])
            with self.assertRaisesRegex(TypeError, "^first_name is of type object"):
                one.call(lambda c: c.request, "leads.create", body={"first_name": object()})
            self.assertEqual(self.server.requests, [])
