"""Keeps a copy of a clinic's patients, appointments, treatments and payments in a file.

It takes the feed's cursor first, then reads the lists whole, then follows the feed. The cursor is stored with the rows that it stands
for, so a kill loses nothing: run it again. In production, store rows and cursor in one transaction of your database.

    python3 keep-a-copy.py ./copy.json
"""

import argparse
import json
import math
import os
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from clinic_data import ClinicDataClient, ClinicDataError, EventEnvelope, NotFoundError, ProblemError

options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
options.add_argument("file", nargs="?", default="copy.json", help="where the copy is kept (default: copy.json)")
file = Path(options.parse_args().file)
# An outage is waited for, however long it is.
client = ClinicDataClient(
    base_url=os.environ.get("SC_BASE_URL"), api_key=os.environ.get("SC_API_KEY"), max_retries=math.inf
)
of_clinic: dict[str, Any] = {
    "patients": client.patients.list,
    "appointments": client.appointments.list,
    "payments": client.payments.search,
}
of_patient: dict[str, Any] = {
    "appointments": client.patients.appointments.list,
    "treatments": client.treatments.list,
    "payments": client.payments.list,
}


def main() -> None:
    copy = json.loads(file.read_text("utf-8")) if file.exists() else empty()
    print(f"keeping a copy in {file}", flush=True)
    while True:
        try:
            catch_up(copy)
            store(copy)
        except ClinicDataError as error:
            # The cursor is too old, or the service was restored from a backup. What the lists have no more is left out then.
            if not is_out_of_step(error):
                raise
            print("starting over", flush=True)
            copy = empty()


def empty() -> dict[str, Any]:
    return {"cursor": None, "since": {}, "patients": {}, "appointments": {}, "treatments": {}, "payments": {}}


def store(copy: dict[str, Any]) -> None:
    written = file.with_name(f"{file.name}.new")
    with written.open("w", encoding="utf-8") as stream:
        json.dump(copy, stream, ensure_ascii=False)
        stream.flush()
        os.fsync(stream.fileno())
    written.replace(file)


def is_out_of_step(error: ClinicDataError) -> bool:
    faults = error.errors if isinstance(error, ProblemError) else []
    return isinstance(error, NotFoundError) or any(fault.get("parameter") == "cursor" for fault in faults)


def catch_up(copy: dict[str, Any]) -> None:
    first = copy["cursor"] is None
    feed = (client.events.list() if first else client.events.list(cursor=copy["cursor"], limit=100, wait=5)).page()
    changed = {patient_of(event) for event in feed.data} - {None}
    # They also have what has no event: a corrected payment, imported patients.
    for kind, rows in of_clinic.items():
        for row in rows(updated_since=copy["since"].get(kind, "1970-01-01T00:00:00Z"), limit=100):
            known = copy[kind].get(row["id"], {})
            if kind == "patients" and known.get("updated_at") != row["updated_at"]:
                changed.add(row["id"])
            copy[kind][row["id"]] = row
            since = datetime.fromisoformat(row["updated_at"]) - timedelta(seconds=60)
            copy["since"][kind] = since.isoformat()
        if first:
            print(f"read {len(copy[kind])} {kind}", flush=True)
    # Only treatments have no list of the whole clinic. The others have just been read.
    lists = {"treatments": client.treatments.list} if first else of_patient
    for count, patient_id in enumerate(changed, 1):
        read_patient(copy, patient_id, lists)
        if first and count % 100 == 0:
            print(f"read the treatments of {count} patients of {len(changed)}", flush=True)
    if first:
        print(f"read {len(copy['treatments'])} treatments, patient by patient", flush=True)
    copy["cursor"] = feed.resume_cursor


def patient_of(event: EventEnvelope) -> Any:
    data: Any = event["data"]
    return data["id"] if event["type"].startswith("patient.") else (data.get("patient") or {}).get("id")


def read_patient(copy: dict[str, Any], patient_id: str, lists: dict[str, Any]) -> None:
    """All rows of a patient: one may be gone, and each of them holds the patient's name."""
    for kind, rows in lists.items():
        kept = copy[kind].items()
        copy[kind] = {one: row for one, row in kept if (row["patient"] or {}).get("id") != patient_id}
        for row in rows(patient_id, limit=100):
            copy[kind][row["id"]] = row


main()
