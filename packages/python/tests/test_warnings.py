"""A warning of an answer is told at the line of the caller."""

from __future__ import annotations

import asyncio
import warnings

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

    def test_each_answer_is_told_of_also_at_the_same_line(self) -> None:
        unknown = {"code": "unknown_id", "parameter": "branch_id", "detail": "is the id of no branch of this clinic"}
        self.server.plays(page([], None, meta={"warnings": [unknown]}))
        with ClinicDataClient(base_url=self.server.url, api_key=API_KEY) as client:
            for is_ignored, count in ((False, 2), (True, 0)):
                with warnings.catch_warnings(record=True) as told:
                    # This suite runs with -W error, programs do not.
                    warnings.filters[:] = [one for one in warnings.filters if one[0] != "error"]  # type: ignore[index]
                    if is_ignored:
                        warnings.simplefilter("ignore", FilterWarning)
                    for branch in ("Haifa", "Eilat"):
                        list(client.appointments.list(branch_id=branch))
                self.assertEqual(len(told), count)
