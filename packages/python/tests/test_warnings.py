"""A warning of an answer is told at the line of the caller."""

from __future__ import annotations

import asyncio

from clinic_data import AsyncClinicDataClient, ClinicDataClient, FilterWarning

from .both_clients import BothClients
from .scripted_server import API_KEY, page


class Warnings(BothClients):
    def test_an_answer_with_warnings_says_so_at_the_line_that_asked(self) -> None:
        unknown = {"code": "unknown_id", "parameter": "branch_id", "detail": "is the id of no branch of this clinic"}
        self.server.plays(page([], None, meta={"warnings": [unknown]}))

        async def walk() -> None:
            async with AsyncClinicDataClient(base_url=self.server.url, api_key=API_KEY) as client:
                with self.assertWarns(FilterWarning) as told:
                    async for _ in client.appointments.list(branch_id="nowhere"):
                        self.fail("a row")
                self.assertEqual((told.filename, str(told.warning)), (__file__, words))
                with self.assertWarns(FilterWarning) as told:
                    await client.availability.list(from_="2026-07-14", to="2026-07-14", branch_id="x")
                self.assertEqual(told.filename, __file__)
                with self.assertWarns(FilterWarning) as told:
                    await client.query.run(dataset="appointments", measures=["appointment_count"])
                self.assertEqual(told.filename, __file__)

        words = "branch_id is the id of no branch of this clinic"
        with ClinicDataClient(base_url=self.server.url, api_key=API_KEY) as client:
            with self.assertWarns(FilterWarning) as told:
                self.assertEqual(list(client.appointments.list(branch_id="nowhere")), [])
            self.assertEqual((told.filename, str(told.warning)), (__file__, words))
            with self.assertWarns(FilterWarning) as told:
                client.availability.list(from_="2026-07-14", to="2026-07-14", branch_id="x")
            self.assertEqual(told.filename, __file__)
            with self.assertWarns(FilterWarning) as told:
                client.query.run(dataset="appointments", measures=["appointment_count"])
            self.assertEqual((told.filename, str(told.warning)), (__file__, words))
            # Who asks for pages has the warning on the page.
            self.assertEqual(client.appointments.list(branch_id="nowhere").page().warnings, [unknown])
        asyncio.run(walk())
