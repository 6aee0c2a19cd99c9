"""Keeps a copy of a clinic's patients, appointments, treatments and payments in a file.

It takes the feed's cursor first, then reads the lists whole, then follows the feed. The cursor is stored with the rows that it stands
for, so a kill loses nothing: run it again. The first read is kept beside the file until it is whole, and goes on where it was.
In production, store rows and cursor in one transaction of your database.

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
begun = file.with_name(f"{file.name}.begun")
EVER = "1970-01-01T00:00:00Z"
# Pages of a list in the first read: a kill loses at most these.
STORED_AFTER = 10
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
    kept = next((one for one in (begun, file) if one.exists()), None)
    copy = json.loads(kept.read_text("utf-8")) if kept else empty()
    print(f"keeping a copy in {file}", flush=True)
    following = False
    while True:
        if not copy.get("isFirst") and not following:
            print("following the feed", flush=True)
        following = not copy.get("isFirst")
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
    rows: dict[str, Any] = {"patients": {}, "appointments": {}, "treatments": {}, "payments": {}}
    return {"isFirst": True, "cursor": None, "since": {}, "unread": [], **rows}


def store(copy: dict[str, Any]) -> None:
    """A copy that is whole replaces the former one."""
    target = begun if copy.get("isFirst") else file
    written = target.with_name(f"{target.name}.new")
    with written.open("w", encoding="utf-8") as stream:
        json.dump(copy, stream, ensure_ascii=False)
        stream.flush()
        os.fsync(stream.fileno())
    written.replace(target)
    if target == file:
        begun.unlink(missing_ok=True)


def is_out_of_step(error: ClinicDataError) -> bool:
    faults = error.errors if isinstance(error, ProblemError) else []
    return isinstance(error, NotFoundError) or any(fault.get("parameter") == "cursor" for fault in faults)


def catch_up(copy: dict[str, Any]) -> None:
    first = copy.get("isFirst", False)
    if copy["cursor"] is None:
        copy["cursor"] = client.events.list().page().resume_cursor
    feed = None if first else client.events.list(cursor=copy["cursor"], limit=100, wait=5).page()
    changed = {patient_of(event) for event in feed.data} - {None} if feed else set(copy["unread"])
    # How far each list is: its next cursor, or None for a list that is read.
    at = copy.setdefault("at", {})
    # They also have what has no event: a corrected payment, imported patients.
    for kind, rows in of_clinic.items():
        if first and kind in at and at[kind] is None:
            continue
        start = {"updated_since": EVER if first else copy["since"].get(kind, EVER)}
        if first and kind in at:
            start["cursor"] = at[kind]
        for count, page in enumerate(rows(**start, limit=100).pages(), 1):
            for row in page.data:
                known = copy[kind].get(row["id"], {})
                if kind == "patients" and known.get("updated_at") != row["updated_at"]:
                    changed.add(row["id"])
                copy[kind][row["id"]] = row
                since = datetime.fromisoformat(row["updated_at"]) - timedelta(seconds=60)
                copy["since"][kind] = since.isoformat()
            if not first:
                continue
            at[kind] = page.next_cursor
            if page.next_cursor is None or count % STORED_AFTER == 0:
                store({**copy, "unread": list(changed)})
        if first:
            print(f"read {len(copy[kind])} {kind}", flush=True)
    # Only treatments have no list of the whole clinic. The others have just been read.
    lists = {"treatments": client.treatments.list} if first else of_patient
    for patient_id in list(changed):
        read_patient(copy, patient_id, lists)
        changed.remove(patient_id)
        if first and len(changed) % 100 == 0:
            store({**copy, "unread": list(changed)})
            print(f"read {len(copy['treatments'])} treatments, {len(changed)} patients are left", flush=True)
    copy.update(isFirst=False, cursor=feed.resume_cursor if feed else copy["cursor"], unread=[])


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
