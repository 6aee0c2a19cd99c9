"""Which deliveries `verify_webhook` accepts, and why it refuses the others."""

from __future__ import annotations

import base64
import email.message
import json
import os
import unittest
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta, timezone
from typing import Any
from unittest.mock import patch

from clinic_data import WebhookVerificationError, verify_webhook

SIGNED: Any = json.loads(os.environ["SIGNED_DELIVERY"]) if "SIGNED_DELIVERY" in os.environ else None
"""A delivery that the service's own code has signed: see `python.test.ts`."""

NOW = datetime(2026, 7, 12, 6, 30, 5, 900_000, tzinfo=timezone.utc)


@unittest.skipIf(SIGNED is None, "the service has signed no delivery")
class Webhooks(unittest.TestCase):
    def setUp(self) -> None:
        self.secret: str = SIGNED["secret"]
        self.body: str = SIGNED["body"]
        self.headers: dict[str, str] = dict(SIGNED["headers"])

    def verified(self, **changes: Any) -> Any:
        delivery = {"secret": self.secret, "headers": self.headers, "body": self.body, "now": NOW, **changes}
        return verify_webhook(**delivery)

    def refuses(self, reason: str, message: str = "", **changes: Any) -> None:
        with self.assertRaises(WebhookVerificationError) as refused:
            self.verified(**changes)
        self.assertEqual(refused.exception.reason, reason, changes)
        self.assertIn(message, str(refused.exception))

    def only(self, *prefixes: str) -> dict[str, str]:
        return {name: value for name, value in self.headers.items() if name.lower().startswith(prefixes)}

    def test_a_delivery_as_the_service_signs_it_is_its_event_whatever_holds_headers_and_body(self) -> None:
        message = email.message.Message()
        for name, value in self.headers.items():
            message[name] = value
        upper = {name.upper(): value for name, value in self.headers.items()}
        asgi = [(name.lower().encode(), value.encode()) for name, value in self.headers.items()]
        raw = [(name.encode(), value.encode()) for name, value in upper.items()]
        for headers in (self.headers, upper, list(self.headers.items()), message, asgi, raw, iter(asgi)):
            for body in (self.body, self.body.encode(), bytearray(self.body.encode()), memoryview(self.body.encode())):
                given = iter(asgi) if isinstance(headers, Iterator) else headers
                self.assertEqual(self.verified(headers=given, body=body), json.loads(self.body))
        self.refuses("signature_mismatch", headers=[*asgi, (b"webhook-id", b"\xff")])

    def test_either_kind_of_signature_is_enough_and_none_is_not(self) -> None:
        for kind in ("x-service-", "webhook-"):
            self.assertEqual(self.verified(headers=self.only(kind))["id"], "evt5512")
        self.refuses("header_missing", "no signature", headers={})
        self.refuses("header_missing", "no signature", headers={"content-type": "application/json"})
        for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
            left = {other: value for other, value in self.headers.items() if other != name}
            self.refuses("header_missing", f"the header {name} is missing", headers=left)
        own = self.only("x-service-")
        self.refuses("header_missing", "webhook-id", headers=own, require_signed_timestamp=True)

    def test_a_forged_body_secret_id_or_timestamp_is_refused(self) -> None:
        other = f"whsec_{base64.b64encode(bytes(32)).decode()}"
        self.refuses("signature_mismatch", body=self.body + " ")
        self.refuses("signature_mismatch", secret=other)
        for name in self.headers:
            if name.lower() in ("webhook-id", "webhook-timestamp", "webhook-signature", "x-service-signature"):
                forged: Sequence[str] = (f"{self.headers[name]}0", self.headers[name][:-2], "", "é", "\udcff")
                for value in forged:
                    self.refuses("signature_mismatch", headers={**self.headers, name: value})
        for name in ("webhook-id", "webhook-timestamp", "X-Service-Signature"):
            self.refuses("signature_mismatch", headers=[*self.headers.items(), (name, self.headers[name])])

    def test_both_signatures_must_be_right_when_both_are_there(self) -> None:
        for name in ("X-Service-Signature", "webhook-signature"):
            value = self.headers[name]
            changed = value[:-3] + ("AAA" if not value.endswith("AAA") else "BBB")
            self.refuses("signature_mismatch", headers={**self.headers, name: changed})

    def test_every_secret_is_compared_in_constant_time(self) -> None:
        import hmac

        other = f"whsec_{base64.b64encode(bytes(32)).decode()}"
        with patch("clinic_data.webhooks.hmac.compare_digest", wraps=hmac.compare_digest) as compared:
            self.verified(secret=[self.secret, other])
        self.assertEqual(compared.call_count, 4)

    def test_an_old_delivery_and_one_from_the_future_are_refused_unless_the_tolerance_allows_them(self) -> None:
        for seconds, reason in ((301, "timestamp_too_old"), (-302, "timestamp_too_new")):
            self.refuses(reason, now=NOW + timedelta(seconds=seconds))
            self.verified(now=NOW + timedelta(seconds=seconds), tolerance_seconds=1_000)
        self.verified(now=NOW + timedelta(seconds=300))
        self.refuses("timestamp_too_old", tolerance_seconds=float("nan"))

    def test_a_rotation_accepts_the_deliveries_of_both_secrets_and_of_each_alone(self) -> None:
        former: str = SIGNED["former"]["secret"]
        headers = SIGNED["former"]["headers"]
        for secret in (self.secret, former, [self.secret, former], [former, self.secret]):
            self.assertEqual(self.verified(secret=secret, headers=headers)["id"], "evt5512")

    def test_a_signed_body_that_is_no_event_or_another_one_is_refused(self) -> None:
        for wrong in SIGNED["malformed"]:
            self.refuses("body_malformed", body=wrong["body"], headers=wrong["headers"])
        for name in ("X-Service-Event-Id", "X-Service-Event-Type"):
            self.refuses("event_mismatch", headers={**self.headers, name: "other"})

    def test_an_event_of_a_later_type_is_accepted(self) -> None:
        later = SIGNED["later"]
        event = self.verified(body=later["body"], headers=later["headers"])
        self.assertEqual((event["type"], event["data"]), ("robot.built", {"id": "r1"}))

    def test_a_wrong_secret_or_a_parsed_body_is_a_fault_of_the_program(self) -> None:
        for secret in ("", [], "whsec_short", f"{self.secret} ", "whsec_…" + self.secret[-4:], None, 7, [None]):
            with self.assertRaises(TypeError, msg=str(secret)):
                self.verified(secret=secret)
        bodies: list[Any] = [{}, None, 7, ["a"]]
        for body in bodies:
            with self.assertRaises(TypeError):
                self.verified(body=body)

    def test_a_misspelt_option_is_a_fault_of_the_program(self) -> None:
        with self.assertRaisesRegex(TypeError, "require_signed_timestmap"):
            self.verified(require_signed_timestmap=True)
