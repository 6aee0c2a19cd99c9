"""The methods of the client for asyncio, by the operations’ ids. Written by `npm run golden` from the contract; a test compares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Literal, overload

from ..caller import AsyncCaller
from ..omitted import OMITTED, Omitted
from ..pages import AsyncPages, Rows
from ..request import CallOptions, sent
from .resources import (
    Appointment,
    AppointmentDetailed,
    AppointmentStatus,
    AppointmentType,
    AvailabilitySlot,
    BillingAccount,
    Branch,
    Call,
    CallStatus,
    CatalogTreatment,
    ChatConversation,
    ChatMessage,
    ChatMessagesCreateTemplatePart,
    ChatTemplate,
    DatasetName,
    Delivery,
    Direction,
    EventEnvelope,
    EventType,
    FileLink,
    Lead,
    LeadDetailed,
    LeadSource,
    Me,
    MessageStatus,
    MessageType,
    MetricsDescribeAnswer,
    Patient,
    PatientDetailed,
    Payment,
    Provider,
    QueryFilter,
    QueryOrder,
    QueryResult,
    TemplateCategory,
    TimeDimension,
    Treatment,
    Webhook,
    WebhooksReplayAnswer,
)


class AsyncMeMethods:
    """`client.me`."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def get(
        self,
        *,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> Me:
        """The clinic and scopes of the key. With the day that it is there now. Needs no scope: every valid key may ask
        this.

        `GET /v1/me`, no scope.

        Args:
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            What was asked for.

        Raises:
            ClinicDataError: The call failed.

        Example:
            >>> answer = await client.me.get()
        """
        answer: Me = await self._caller.data_of(
            "me.get",
            {},
            None,
            CallOptions(timeout_seconds, max_retries),
        )
        return answer


class AsyncPatientsAppointmentsMethods:
    """`client.patients.appointments`."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    @overload
    def list(
        self,
        patient_id: str,
        *,
        from_: date | str | None = None,
        to: date | str | None = None,
        branch_id: str | None = None,
        provider_id: str | None = None,
        status_id: str | None = None,
        response_format: Literal["detailed"],
        updated_since: datetime | str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncPages[AppointmentDetailed]: ...

    @overload
    def list(
        self,
        patient_id: str,
        *,
        from_: date | str | None = None,
        to: date | str | None = None,
        branch_id: str | None = None,
        provider_id: str | None = None,
        status_id: str | None = None,
        response_format: Literal["concise"] | None = None,
        updated_since: datetime | str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncPages[Appointment]: ...

    def list(
        self,
        patient_id: str,
        *,
        from_: date | str | None = None,
        to: date | str | None = None,
        branch_id: str | None = None,
        provider_id: str | None = None,
        status_id: str | None = None,
        response_format: Literal["concise", "detailed"] | None = None,
        updated_since: datetime | str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncPages[Appointment] | AsyncPages[AppointmentDetailed]:
        """A patient's appointments. Sorted by `start`, earliest first.

        `GET /v1/patients/{id}/appointments`, scope `appointments:read`.

        Args:
            patient_id: The id of the patient.
            from_: Rows whose `start` is at or after this instant (ISO 8601 with offset) or clinic-local day
                (`YYYY-MM-DD`), inclusive.
            to: Rows whose `start` is at or before this instant (ISO 8601 with offset) or clinic-local day
                (`YYYY-MM-DD`), inclusive.
            branch_id: Only rows of this branch.
            provider_id: Only rows of this provider.
            status_id: Only rows of this status.
            response_format: `detailed` adds `note` and `cancelled_at`.
            updated_since: Only rows changed at or after this instant (ISO 8601), oldest change first. Next time, send
                the last `updated_at` that you read less 60 seconds.
            limit: Rows per page.
            cursor: The `next_cursor` of the previous page, unchanged.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            The pages, which are asked for while they are walked: by rows, or page by page with `pages()`. `page()` is
            one of them.

        Raises:
            ClinicDataError: The call failed, while the list is walked.

        Example:
            >>> async for row in client.patients.appointments.list("p1042"):
            ...     print(row["id"])
        """
        answer: AsyncPages[Appointment] | AsyncPages[AppointmentDetailed] = self._caller.pages_of(
            "patients.appointments.list",
            {"id": patient_id},
            sent(
                {
                    "from": from_,
                    "to": to,
                    "branch_id": branch_id,
                    "provider_id": provider_id,
                    "status_id": status_id,
                    "response_format": response_format,
                    "updated_since": updated_since,
                    "limit": limit,
                    "cursor": cursor,
                },
            ),
            CallOptions(timeout_seconds, max_retries),
        )
        return answer


class AsyncPatientsCallsMethods:
    """`client.patients.calls`."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    def list(
        self,
        patient_id: str,
        *,
        from_: date | str | None = None,
        to: date | str | None = None,
        direction: Direction | None = None,
        status: CallStatus | None = None,
        branch_id: str | None = None,
        has_recording: bool | None = None,
        transcript_status: Literal["completed", "failed"] | None = None,
        updated_since: datetime | str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncPages[Call]:
        """A patient's calls. Latest first: every call with one of the patient's phones.

        `GET /v1/patients/{id}/calls`, scope `calls:read`.

        Args:
            patient_id: The id of the patient.
            from_: Rows whose `started_at` is at or after this instant (ISO 8601 with offset) or clinic-local day
                (`YYYY-MM-DD`), inclusive.
            to: Rows whose `started_at` is at or before this instant (ISO 8601 with offset) or clinic-local day
                (`YYYY-MM-DD`), inclusive.
            direction: `inbound` calls come to the clinic.
            status: Only calls that ended in this way.
            branch_id: Only rows of this branch.
            has_recording: Only calls with a recording (`true`) or without one (`false`).
            transcript_status: Only calls with this outcome of transcription.
            updated_since: Only rows changed at or after this instant (ISO 8601), oldest change first. Next time, send
                the last `updated_at` that you read less 60 seconds.
            limit: Rows per page.
            cursor: The `next_cursor` of the previous page, unchanged.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            The pages, which are asked for while they are walked: by rows, or page by page with `pages()`. `page()` is
            one of them.

        Raises:
            ClinicDataError: The call failed, while the list is walked.

        Example:
            >>> async for row in client.patients.calls.list("p1042"):
            ...     print(row["id"])
        """
        answer: AsyncPages[Call] = self._caller.pages_of(
            "patients.calls.list",
            {"id": patient_id},
            sent(
                {
                    "from": from_,
                    "to": to,
                    "direction": direction,
                    "status": status,
                    "branch_id": branch_id,
                    "has_recording": has_recording,
                    "transcript_status": transcript_status,
                    "updated_since": updated_since,
                    "limit": limit,
                    "cursor": cursor,
                },
            ),
            CallOptions(timeout_seconds, max_retries),
        )
        return answer


class AsyncPatientsChatMessagesMethods:
    """`client.patients.chat_messages`."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    def list(
        self,
        patient_id: str,
        *,
        conversation_id: str | None = None,
        direction: Direction | None = None,
        status: MessageStatus | None = None,
        type: MessageType | None = None,
        from_: date | str | None = None,
        to: date | str | None = None,
        updated_since: datetime | str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncPages[ChatMessage]:
        """A patient's chat messages. Latest first: every message with one of the patient's phones.

        `GET /v1/patients/{id}/chat/messages`, scope `chat:read`.

        Args:
            patient_id: The id of the patient.
            conversation_id: Only rows of this conversation.
            direction: `inbound` messages come from patients.
            status: Only messages with this status.
            type: Only messages of this kind.
            from_: Rows whose `created_at` is at or after this instant (ISO 8601 with offset) or clinic-local day
                (`YYYY-MM-DD`), inclusive.
            to: Rows whose `created_at` is at or before this instant (ISO 8601 with offset) or clinic-local day
                (`YYYY-MM-DD`), inclusive.
            updated_since: Only rows changed at or after this instant (ISO 8601), oldest change first. Next time, send
                the last `updated_at` that you read less 60 seconds.
            limit: Rows per page.
            cursor: The `next_cursor` of the previous page, unchanged.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            The pages, which are asked for while they are walked: by rows, or page by page with `pages()`. `page()` is
            one of them.

        Raises:
            ClinicDataError: The call failed, while the list is walked.

        Example:
            >>> async for row in client.patients.chat_messages.list("p1042"):
            ...     print(row["id"])
        """
        answer: AsyncPages[ChatMessage] = self._caller.pages_of(
            "patients.chat_messages.list",
            {"id": patient_id},
            sent(
                {
                    "conversation_id": conversation_id,
                    "direction": direction,
                    "status": status,
                    "type": type,
                    "from": from_,
                    "to": to,
                    "updated_since": updated_since,
                    "limit": limit,
                    "cursor": cursor,
                },
            ),
            CallOptions(timeout_seconds, max_retries),
        )
        return answer


class AsyncPatientsMethods:
    """`client.patients`."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller
        self.appointments: AsyncPatientsAppointmentsMethods = AsyncPatientsAppointmentsMethods(caller)
        self.calls: AsyncPatientsCallsMethods = AsyncPatientsCallsMethods(caller)
        self.chat_messages: AsyncPatientsChatMessagesMethods = AsyncPatientsChatMessagesMethods(caller)

    @overload
    def list(
        self,
        *,
        phone: str | None = None,
        email: str | None = None,
        query: str | None = None,
        birthday_from: str | None = None,
        birthday_to: str | None = None,
        last_visit_before: date | str | None = None,
        last_visit_after: date | str | None = None,
        has_future_appointment: bool | None = None,
        last_payment_before: date | str | None = None,
        last_payment_after: date | str | None = None,
        owes_more_than: float | Decimal | None = None,
        response_format: Literal["detailed"],
        updated_since: datetime | str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncPages[PatientDetailed]: ...

    @overload
    def list(
        self,
        *,
        phone: str | None = None,
        email: str | None = None,
        query: str | None = None,
        birthday_from: str | None = None,
        birthday_to: str | None = None,
        last_visit_before: date | str | None = None,
        last_visit_after: date | str | None = None,
        has_future_appointment: bool | None = None,
        last_payment_before: date | str | None = None,
        last_payment_after: date | str | None = None,
        owes_more_than: float | Decimal | None = None,
        response_format: Literal["concise"] | None = None,
        updated_since: datetime | str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncPages[Patient]: ...

    def list(
        self,
        *,
        phone: str | None = None,
        email: str | None = None,
        query: str | None = None,
        birthday_from: str | None = None,
        birthday_to: str | None = None,
        last_visit_before: date | str | None = None,
        last_visit_after: date | str | None = None,
        has_future_appointment: bool | None = None,
        last_payment_before: date | str | None = None,
        last_payment_after: date | str | None = None,
        owes_more_than: float | Decimal | None = None,
        response_format: Literal["concise", "detailed"] | None = None,
        updated_since: datetime | str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncPages[Patient] | AsyncPages[PatientDetailed]:
        """List and search patients. Filters combine with AND. With `query` the rows are sorted by name, otherwise by id.
        `phone` matches any phone of a patient, contacts included, in any common form. `email` matches a whole address,
        in upper or lower case. The filters of birthdays, visits, appointments ahead, payments and debts answer whom to
        call: a debt and `last_payment_before` together find who owes and has not paid.

        `GET /v1/patients`, scope `patients:read`.

        Args:
            phone: Only patients with this phone, in any common form. Example: `"050-123-4567"`.
            email: Only patients with this email, primary or contact.
            query: Searches by name. Each word must begin a part of the name, in any order (`levi d` finds David
                Ben-Levi). Names in another script that sound alike come behind (`כהן` finds Cohen too): Latin, Hebrew,
                Arabic and Cyrillic. Those in the same script come only where no name begins so (`fisher` finds
                Fischer).
            birthday_from: Only patients whose birthday is on or after this day of the year, `MM-DD`. With a later
                `birthday_from` than `birthday_to` the days go across New Year: `12-28` to `01-03`.
            birthday_to: Only patients whose birthday is on or before this day of the year, `MM-DD`.
            last_visit_before: Only patients without a visit on this clinic-local day or later; those who never came
                too. A visit is an appointment that has begun and was neither cancelled nor missed. Needs
                `appointments:read` too.
            last_visit_after: Only patients with a visit on this clinic-local day or later. Needs `appointments:read`
                too.
            has_future_appointment: Only patients who have an appointment ahead that is not cancelled (`true`), or none
                (`false`). Needs `appointments:read` too.
            last_payment_before: Only patients without a payment on this clinic-local day or later; those who never paid
                too. Refunds and cancelled payments are none. Needs `payments:read` too.
            last_payment_after: Only patients with a payment on this clinic-local day or later. Needs `payments:read`
                too.
            owes_more_than: Only patients whose balance is above this amount, in major units: `0` finds everybody who
                owes. Needs `payments:read` too.
            response_format: `detailed` adds extra fields where available.
            updated_since: Only rows changed at or after this instant (ISO 8601), oldest change first. Next time, send
                the last `updated_at` that you read less 60 seconds.
            limit: Rows per page.
            cursor: The `next_cursor` of the previous page, unchanged.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            The pages, which are asked for while they are walked: by rows, or page by page with `pages()`. `page()` is
            one of them.

        Raises:
            ClinicDataError: The call failed, while the list is walked.

        Example:
            >>> async for row in client.patients.list(phone="050-123-4567"):
            ...     print(row["id"])
        """
        answer: AsyncPages[Patient] | AsyncPages[PatientDetailed] = self._caller.pages_of(
            "patients.list",
            {},
            sent(
                {
                    "phone": phone,
                    "email": email,
                    "query": query,
                    "birthday_from": birthday_from,
                    "birthday_to": birthday_to,
                    "last_visit_before": last_visit_before,
                    "last_visit_after": last_visit_after,
                    "has_future_appointment": has_future_appointment,
                    "last_payment_before": last_payment_before,
                    "last_payment_after": last_payment_after,
                    "owes_more_than": owes_more_than,
                    "response_format": response_format,
                    "updated_since": updated_since,
                    "limit": limit,
                    "cursor": cursor,
                },
            ),
            CallOptions(timeout_seconds, max_retries),
        )
        return answer

    @overload
    async def get(
        self,
        patient_id: str,
        *,
        response_format: Literal["detailed"],
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> PatientDetailed: ...

    @overload
    async def get(
        self,
        patient_id: str,
        *,
        response_format: Literal["concise"] | None = None,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> Patient: ...

    async def get(
        self,
        patient_id: str,
        *,
        response_format: Literal["concise", "detailed"] | None = None,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> Patient | PatientDetailed:
        """One patient. By id. `response_format=detailed` adds address, contacts, balance and id number.

        `GET /v1/patients/{id}`, scope `patients:read`.

        Args:
            patient_id: The id of the patient.
            response_format: `detailed` adds extra fields where available.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            What was asked for.

        Raises:
            ClinicDataError: The call failed.

        Example:
            >>> answer = await client.patients.get("p1042")
        """
        answer: Patient | PatientDetailed = await self._caller.data_of(
            "patients.get",
            {"id": patient_id},
            sent(
                {
                    "response_format": response_format,
                },
            ),
            CallOptions(timeout_seconds, max_retries),
        )
        return answer


class AsyncAppointmentsMethods:
    """`client.appointments`."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    @overload
    def list(
        self,
        *,
        from_: date | str | None = None,
        to: date | str | None = None,
        branch_id: str | None = None,
        provider_id: str | None = None,
        status_id: str | None = None,
        patient_id: str | None = None,
        response_format: Literal["detailed"],
        updated_since: datetime | str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncPages[AppointmentDetailed]: ...

    @overload
    def list(
        self,
        *,
        from_: date | str | None = None,
        to: date | str | None = None,
        branch_id: str | None = None,
        provider_id: str | None = None,
        status_id: str | None = None,
        patient_id: str | None = None,
        response_format: Literal["concise"] | None = None,
        updated_since: datetime | str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncPages[Appointment]: ...

    def list(
        self,
        *,
        from_: date | str | None = None,
        to: date | str | None = None,
        branch_id: str | None = None,
        provider_id: str | None = None,
        status_id: str | None = None,
        patient_id: str | None = None,
        response_format: Literal["concise", "detailed"] | None = None,
        updated_since: datetime | str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncPages[Appointment] | AsyncPages[AppointmentDetailed]:
        """List appointments. Sorted by `start`, earliest first. Filters combine with AND.

        `GET /v1/appointments`, scope `appointments:read`.

        Args:
            from_: Rows whose `start` is at or after this instant (ISO 8601 with offset) or clinic-local day
                (`YYYY-MM-DD`), inclusive. Example: `"2026-07-14"`.
            to: Rows whose `start` is at or before this instant (ISO 8601 with offset) or clinic-local day
                (`YYYY-MM-DD`), inclusive. Example: `"2026-07-14"`.
            branch_id: Only rows of this branch. Example: `"haifa"`.
            provider_id: Only rows of this provider.
            status_id: Only rows of this status.
            patient_id: Only rows of this patient.
            response_format: `detailed` adds extra fields where available.
            updated_since: Only rows changed at or after this instant (ISO 8601), oldest change first. Next time, send
                the last `updated_at` that you read less 60 seconds.
            limit: Rows per page.
            cursor: The `next_cursor` of the previous page, unchanged.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            The pages, which are asked for while they are walked: by rows, or page by page with `pages()`. `page()` is
            one of them.

        Raises:
            ClinicDataError: The call failed, while the list is walked.

        Example:
            >>> async for row in client.appointments.list(from_="2026-07-14", to="2026-07-14", branch_id="haifa"):
            ...     print(row["id"])
        """
        answer: AsyncPages[Appointment] | AsyncPages[AppointmentDetailed] = self._caller.pages_of(
            "appointments.list",
            {},
            sent(
                {
                    "from": from_,
                    "to": to,
                    "branch_id": branch_id,
                    "provider_id": provider_id,
                    "status_id": status_id,
                    "patient_id": patient_id,
                    "response_format": response_format,
                    "updated_since": updated_since,
                    "limit": limit,
                    "cursor": cursor,
                },
            ),
            CallOptions(timeout_seconds, max_retries),
        )
        return answer

    @overload
    async def get(
        self,
        appointment_id: str,
        *,
        response_format: Literal["detailed"],
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> AppointmentDetailed: ...

    @overload
    async def get(
        self,
        appointment_id: str,
        *,
        response_format: Literal["concise"] | None = None,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> Appointment: ...

    async def get(
        self,
        appointment_id: str,
        *,
        response_format: Literal["concise", "detailed"] | None = None,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> Appointment | AppointmentDetailed:
        """One appointment. By id.

        `GET /v1/appointments/{id}`, scope `appointments:read`.

        Args:
            appointment_id: The id of the appointment.
            response_format: `detailed` adds `note` and `cancelled_at`.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            What was asked for.

        Raises:
            ClinicDataError: The call failed.

        Example:
            >>> answer = await client.appointments.get("a88012")
        """
        answer: Appointment | AppointmentDetailed = await self._caller.data_of(
            "appointments.get",
            {"id": appointment_id},
            sent(
                {
                    "response_format": response_format,
                },
            ),
            CallOptions(timeout_seconds, max_retries),
        )
        return answer


class AsyncAvailabilityMethods:
    """`client.availability`."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def list(
        self,
        *,
        from_: date | str,
        to: date | str,
        branch_id: str,
        further_branch_ids: Sequence[str] | str | None = None,
        provider_id: str | None = None,
        duration_minutes: int | None = None,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> Rows[AvailabilitySlot]:
        """Free slots of a branch, or of several. Each slot is the longest free window of one provider at the branch. It
        lies within the working hours, outside of time off and of appointments that are not cancelled, and never crosses
        midnight. An appointment without an end takes its type's duration. Today's first slot begins at the next step of
        the clinic's clock (every 5 minutes unless the clinic chose another step). A visit may start at any time from
        `start` to `latest_start`: it then ends within the window. Name its length in `duration_minutes`; without it,
        and at least, it is the clinic's shortest visit. One request covers at most 31 days. Sorted by start, then by
        provider. `further_branch_ids` adds other branches.

        `GET /v1/availability`, scope `availability:read`.

        Args:
            from_: The first day, clinic-local. Example: `"2026-07-26"`.
            to: The last day, included. Example: `"2026-07-30"`.
            branch_id: The branch to look in. Example: `"haifa"`.
            further_branch_ids: Further branches to look in, for example all others. Separate their ids with commas, or
                repeat the parameter.
            provider_id: Only rows of this provider.
            duration_minutes: The length of the visit, in minutes: only windows that hold it. `GET
                /v1/catalog/appointments/types` tells that of each type.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            All rows.

        Raises:
            ClinicDataError: The call failed.

        Example:
            >>> rows = await client.availability.list(from_="2026-07-26", to="2026-07-30", branch_id="haifa")
        """
        answer: Rows[AvailabilitySlot] = await self._caller.data_of(
            "availability.list",
            {},
            sent(
                {
                    "from": from_,
                    "to": to,
                    "branch_id": branch_id,
                    "further_branch_ids": further_branch_ids,
                    "provider_id": provider_id,
                    "duration_minutes": duration_minutes,
                },
            ),
            CallOptions(timeout_seconds, max_retries),
        )
        return answer


class AsyncTreatmentsMethods:
    """`client.treatments`."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    def list(
        self,
        patient_id: str,
        *,
        appointment_id: str | None = None,
        updated_since: datetime | str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncPages[Treatment]:
        """A patient's recorded treatments. Sorted by `performed_at`, latest first.

        `GET /v1/patients/{id}/treatments`, scope `treatments:read`.

        Args:
            patient_id: The id of the patient.
            appointment_id: Only rows of this appointment.
            updated_since: Only rows changed at or after this instant (ISO 8601), oldest change first. Next time, send
                the last `updated_at` that you read less 60 seconds.
            limit: Rows per page.
            cursor: The `next_cursor` of the previous page, unchanged.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            The pages, which are asked for while they are walked: by rows, or page by page with `pages()`. `page()` is
            one of them.

        Raises:
            ClinicDataError: The call failed, while the list is walked.

        Example:
            >>> async for row in client.treatments.list("p1042"):
            ...     print(row["id"])
        """
        answer: AsyncPages[Treatment] = self._caller.pages_of(
            "treatments.list",
            {"id": patient_id},
            sent(
                {
                    "appointment_id": appointment_id,
                    "updated_since": updated_since,
                    "limit": limit,
                    "cursor": cursor,
                },
            ),
            CallOptions(timeout_seconds, max_retries),
        )
        return answer

    async def get(
        self,
        treatment_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> Treatment:
        """One recorded treatment. By id. A removed treatment is not found.

        `GET /v1/treatments/{id}`, scope `treatments:read`.

        Args:
            treatment_id: The id of the treatment.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            What was asked for.

        Raises:
            ClinicDataError: The call failed.

        Example:
            >>> answer = await client.treatments.get("t5501")
        """
        answer: Treatment = await self._caller.data_of(
            "treatments.get",
            {"id": treatment_id},
            None,
            CallOptions(timeout_seconds, max_retries),
        )
        return answer


class AsyncPaymentsMethods:
    """`client.payments`."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    def list(
        self,
        patient_id: str,
        *,
        from_: date | str | None = None,
        to: date | str | None = None,
        updated_since: datetime | str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncPages[Payment]:
        """A patient's payments and refunds. Sorted by `paid_at`, latest first. A refund is a payment of its own.

        `GET /v1/patients/{id}/payments`, scope `payments:read`.

        Args:
            patient_id: The id of the patient.
            from_: Rows whose `paid_at` is at or after this instant (ISO 8601 with offset) or clinic-local day
                (`YYYY-MM-DD`), inclusive.
            to: Rows whose `paid_at` is at or before this instant (ISO 8601 with offset) or clinic-local day
                (`YYYY-MM-DD`), inclusive.
            updated_since: Only rows changed at or after this instant (ISO 8601), oldest change first. Next time, send
                the last `updated_at` that you read less 60 seconds.
            limit: Rows per page.
            cursor: The `next_cursor` of the previous page, unchanged.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            The pages, which are asked for while they are walked: by rows, or page by page with `pages()`. `page()` is
            one of them.

        Raises:
            ClinicDataError: The call failed, while the list is walked.

        Example:
            >>> async for row in client.payments.list("p1042"):
            ...     print(row["id"])
        """
        answer: AsyncPages[Payment] = self._caller.pages_of(
            "payments.list",
            {"id": patient_id},
            sent(
                {
                    "from": from_,
                    "to": to,
                    "updated_since": updated_since,
                    "limit": limit,
                    "cursor": cursor,
                },
            ),
            CallOptions(timeout_seconds, max_retries),
        )
        return answer

    async def create(
        self,
        patient_id: str,
        *,
        amount: float | Decimal,
        method_type: Literal["cash", "check", "credit_card", "bank_transfer", "payment_app", "other"],
        currency: str | None = None,
        billing_account_id: str | None = None,
        paid_at: datetime | str | None = None,
        description: str | None = None,
        document_type: Literal["receipt", "tax_invoice_receipt"] | None = None,
        external_id: str | None = None,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> Payment:
        """Record a payment. Records a payment and issues its accounting documents. `billing_account_id` may be omitted
        only when the clinic has exactly one billing account. Refunds are made at the clinic alone.

        `POST /v1/patients/{id}/payments`, scope `payments:write`.

        Args:
            patient_id: The id of the patient.
            amount: In major units, with at most the decimals of the currency. Example: `350`.
            method_type: How it was paid. Card, check and bank fields are refused. Example: `"credit_card"`.
            currency: The clinic's currency. It is the default and the only choice.
            billing_account_id: The receipt book, from the catalog. May be left out if the clinic has only one. Example:
                `"main"`.
            paid_at: Default: now. Must not be in the future.
            description: What it was paid for.
            document_type: Default: the billing account's type.
            external_id: Unique per clinic. Sending the same one again answers the first payment, or 409 if the content
                is another.
            idempotency_key: The same key with the same content within 24 hours is one write. The client makes one for
                each call; give your own (an invoice’s number) to be safe across restarts of your program.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            What was asked for.

        Raises:
            ClinicDataError: The call failed.

        Example:
            >>> answer = await client.payments.create(
            ...     "p1042",
            ...     amount=350,
            ...     method_type="credit_card",
            ...     billing_account_id="main",
            ... )
        """
        answer: Payment = await self._caller.data_of(
            "payments.create",
            {"id": patient_id},
            sent(
                {
                    "amount": amount,
                    "method_type": method_type,
                    "currency": currency,
                    "billing_account_id": billing_account_id,
                    "paid_at": paid_at,
                    "description": description,
                    "document_type": document_type,
                    "external_id": external_id,
                },
            ),
            CallOptions(timeout_seconds, max_retries, idempotency_key),
        )
        return answer

    def search(
        self,
        *,
        method_type: Literal["cash", "check", "credit_card", "bank_transfer", "payment_app", "other"] | None = None,
        from_: date | str | None = None,
        to: date | str | None = None,
        updated_since: datetime | str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncPages[Payment]:
        """The clinic's payments and refunds. Those of all patients, sorted by `paid_at`, latest first. A refund is a
        payment of its own.

        `GET /v1/payments`, scope `payments:read`.

        Args:
            method_type: Only payments made this way.
            from_: Rows whose `paid_at` is at or after this instant (ISO 8601 with offset) or clinic-local day
                (`YYYY-MM-DD`), inclusive. Example: `"2026-07-01"`.
            to: Rows whose `paid_at` is at or before this instant (ISO 8601 with offset) or clinic-local day
                (`YYYY-MM-DD`), inclusive. Example: `"2026-07-31"`.
            updated_since: Only rows changed at or after this instant (ISO 8601), oldest change first. Next time, send
                the last `updated_at` that you read less 60 seconds.
            limit: Rows per page.
            cursor: The `next_cursor` of the previous page, unchanged.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            The pages, which are asked for while they are walked: by rows, or page by page with `pages()`. `page()` is
            one of them.

        Raises:
            ClinicDataError: The call failed, while the list is walked.

        Example:
            >>> async for row in client.payments.search(from_="2026-07-01", to="2026-07-31"):
            ...     print(row["id"])
        """
        answer: AsyncPages[Payment] = self._caller.pages_of(
            "payments.search",
            {},
            sent(
                {
                    "method_type": method_type,
                    "from": from_,
                    "to": to,
                    "updated_since": updated_since,
                    "limit": limit,
                    "cursor": cursor,
                },
            ),
            CallOptions(timeout_seconds, max_retries),
        )
        return answer

    async def get(
        self,
        payment_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> Payment:
        """One payment. By id. Card, check and bank details are never part of a payment.

        `GET /v1/payments/{id}`, scope `payments:read`.

        Args:
            payment_id: The id of the payment.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            What was asked for.

        Raises:
            ClinicDataError: The call failed.

        Example:
            >>> answer = await client.payments.get("pay9001")
        """
        answer: Payment = await self._caller.data_of(
            "payments.get",
            {"id": payment_id},
            None,
            CallOptions(timeout_seconds, max_retries),
        )
        return answer


class AsyncCatalogAppointmentStatusesMethods:
    """`client.catalog.appointment_statuses`."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def list(
        self,
        *,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> Rows[AppointmentStatus]:
        """Appointment statuses. Every status an appointment can have in this clinic.

        `GET /v1/catalog/appointments/statuses`, scope `catalog:read`.

        Args:
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            All rows.

        Raises:
            ClinicDataError: The call failed.

        Example:
            >>> rows = await client.catalog.appointment_statuses.list()
        """
        answer: Rows[AppointmentStatus] = await self._caller.data_of(
            "catalog.appointment_statuses.list",
            {},
            None,
            CallOptions(timeout_seconds, max_retries),
        )
        return answer


class AsyncCatalogAppointmentTypesMethods:
    """`client.catalog.appointment_types`."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def list(
        self,
        *,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> Rows[AppointmentType]:
        """Appointment types. Every type of appointment, with its default duration.

        `GET /v1/catalog/appointments/types`, scope `catalog:read`.

        Args:
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            All rows.

        Raises:
            ClinicDataError: The call failed.

        Example:
            >>> rows = await client.catalog.appointment_types.list()
        """
        answer: Rows[AppointmentType] = await self._caller.data_of(
            "catalog.appointment_types.list",
            {},
            None,
            CallOptions(timeout_seconds, max_retries),
        )
        return answer


class AsyncCatalogBillingAccountsMethods:
    """`client.catalog.billing_accounts`."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def list(
        self,
        *,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> Rows[BillingAccount]:
        """Billing accounts. The receipt books. To record a payment, send the id of one as `billing_account_id`.

        `GET /v1/catalog/billing/accounts`, scope `catalog:read`.

        Args:
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            All rows.

        Raises:
            ClinicDataError: The call failed.

        Example:
            >>> rows = await client.catalog.billing_accounts.list()
        """
        answer: Rows[BillingAccount] = await self._caller.data_of(
            "catalog.billing_accounts.list",
            {},
            None,
            CallOptions(timeout_seconds, max_retries),
        )
        return answer


class AsyncCatalogBranchesMethods:
    """`client.catalog.branches`."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def list(
        self,
        *,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> Rows[Branch]:
        """Branches. Every branch of the clinic.

        `GET /v1/catalog/branches`, scope `catalog:read`.

        Args:
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            All rows.

        Raises:
            ClinicDataError: The call failed.

        Example:
            >>> rows = await client.catalog.branches.list()
        """
        answer: Rows[Branch] = await self._caller.data_of(
            "catalog.branches.list",
            {},
            None,
            CallOptions(timeout_seconds, max_retries),
        )
        return answer


class AsyncCatalogProvidersMethods:
    """`client.catalog.providers`."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def list(
        self,
        *,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> Rows[Provider]:
        """Providers. Everyone who treats patients.

        `GET /v1/catalog/providers`, scope `catalog:read`.

        Args:
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            All rows.

        Raises:
            ClinicDataError: The call failed.

        Example:
            >>> rows = await client.catalog.providers.list()
        """
        answer: Rows[Provider] = await self._caller.data_of(
            "catalog.providers.list",
            {},
            None,
            CallOptions(timeout_seconds, max_retries),
        )
        return answer


class AsyncCatalogTreatmentsMethods:
    """`client.catalog.treatments`."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def list(
        self,
        *,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> Rows[CatalogTreatment]:
        """Treatment menu. The procedures that the clinic offers, with their default prices.

        `GET /v1/catalog/treatments`, scope `catalog:read`.

        Args:
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            All rows.

        Raises:
            ClinicDataError: The call failed.

        Example:
            >>> rows = await client.catalog.treatments.list()
        """
        answer: Rows[CatalogTreatment] = await self._caller.data_of(
            "catalog.treatments.list",
            {},
            None,
            CallOptions(timeout_seconds, max_retries),
        )
        return answer


class AsyncCatalogMethods:
    """`client.catalog`."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller
        self.appointment_statuses: AsyncCatalogAppointmentStatusesMethods = AsyncCatalogAppointmentStatusesMethods(caller)
        self.appointment_types: AsyncCatalogAppointmentTypesMethods = AsyncCatalogAppointmentTypesMethods(caller)
        self.billing_accounts: AsyncCatalogBillingAccountsMethods = AsyncCatalogBillingAccountsMethods(caller)
        self.branches: AsyncCatalogBranchesMethods = AsyncCatalogBranchesMethods(caller)
        self.providers: AsyncCatalogProvidersMethods = AsyncCatalogProvidersMethods(caller)
        self.treatments: AsyncCatalogTreatmentsMethods = AsyncCatalogTreatmentsMethods(caller)


class AsyncLeadsMethods:
    """`client.leads`."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    def list(
        self,
        *,
        from_: date | str | None = None,
        to: date | str | None = None,
        status: Literal["new", "in_progress", "converted", "lost"] | None = None,
        source: LeadSource | None = None,
        phone: str | None = None,
        email: str | None = None,
        has_been_contacted: bool | None = None,
        updated_since: datetime | str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncPages[LeadDetailed]:
        """List leads. Latest first. `has_been_contacted=false` with `status=new` finds the people whom the clinic has not
        called or written to yet.

        `GET /v1/leads`, scope `leads:read`.

        Args:
            from_: Rows whose `created_at` is at or after this instant (ISO 8601 with offset) or clinic-local day
                (`YYYY-MM-DD`), inclusive.
            to: Rows whose `created_at` is at or before this instant (ISO 8601 with offset) or clinic-local day
                (`YYYY-MM-DD`), inclusive.
            status: Only leads that have come so far. Example: `"converted"`.
            source: Only leads that came in this way.
            phone: Only leads with this phone, in any common form.
            email: Only leads with this whole email, in upper or lower case.
            has_been_contacted: Only leads whom the clinic has called or written to by chat, or whose call it has
                answered, at the lead's phone since the lead came (`true`), or the others (`false`), also those without
                a phone.
            updated_since: Only rows changed at or after this instant (ISO 8601), oldest change first. Next time, send
                the last `updated_at` that you read less 60 seconds.
            limit: Rows per page.
            cursor: The `next_cursor` of the previous page, unchanged.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            The pages, which are asked for while they are walked: by rows, or page by page with `pages()`. `page()` is
            one of them.

        Raises:
            ClinicDataError: The call failed, while the list is walked.

        Example:
            >>> async for row in client.leads.list(status="converted"):
            ...     print(row["id"])
        """
        answer: AsyncPages[LeadDetailed] = self._caller.pages_of(
            "leads.list",
            {},
            sent(
                {
                    "from": from_,
                    "to": to,
                    "status": status,
                    "source": source,
                    "phone": phone,
                    "email": email,
                    "has_been_contacted": has_been_contacted,
                    "updated_since": updated_since,
                    "limit": limit,
                    "cursor": cursor,
                },
            ),
            CallOptions(timeout_seconds, max_retries),
        )
        return answer

    async def create(
        self,
        *,
        first_name: str,
        source: LeadSource,
        last_name: str | None | Omitted = OMITTED,
        phone: str | None | Omitted = OMITTED,
        email: str | None | Omitted = OMITTED,
        note: str | None | Omitted = OMITTED,
        external_id: str | None | Omitted = OMITTED,
        attribution: Mapping[str, date | str | float | Decimal | bool] | None | Omitted = OMITTED,
        meta: Mapping[str, Any] | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> Lead:
        """Capture a lead. 201: the lead was created. 200: it existed already, because the `external_id` was known or the
        phone or email matched an open lead. The submission is then added to the activity timeline of the existing lead,
        and that lead is returned.

        `POST /v1/leads`, scope `leads:write`.

        Args:
            first_name: Not blank. Example: `"Dana"`.
            source: `social` is for leads from social-network ad forms. Example: `"social"`.
            last_name: At most 120 characters.
            phone: Required unless `email` is given. If it cannot be read but the other one can, it is kept as text and
                not used for matching. Example: `"052-765-4321"`.
            email: Required unless `phone` is given. If it cannot be read but the other one can, it is kept as text and
                not used for matching.
            note: Becomes a note on the lead's activity timeline.
            external_id: Idempotency key, unique per clinic: the channel's own submission id. Strongly recommended.
                Example: `"form-8841"`.
            attribution: Where the lead came from. Conventional keys: `utm_source`, `utm_medium`, `utm_campaign`,
                `utm_term`, `utm_content`, `gclid`, `fbclid`, `ctwa_clid`, `ttclid`, `referrer_url`, `landing_page_url`,
                `campaign_name`. Send it at capture time: it cannot be reconstructed later.
            meta: Any data of your own. It is stored with the lead.
            idempotency_key: The same key with the same content within 24 hours is one write. The client makes one for
                each call; give your own (an invoice’s number) to be safe across restarts of your program.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            What was asked for.

        Raises:
            ClinicDataError: The call failed.

        Example:
            >>> answer = await client.leads.create(
            ...     first_name="Dana",
            ...     phone="052-765-4321",
            ...     source="social",
            ...     external_id="form-8841",
            ... )
        """
        answer: Lead = await self._caller.data_of(
            "leads.create",
            {},
            sent(
                {
                    "first_name": first_name,
                    "source": source,
                },
                {
                    "last_name": last_name,
                    "phone": phone,
                    "email": email,
                    "note": note,
                    "external_id": external_id,
                    "attribution": attribution,
                    "meta": meta,
                },
            ),
            CallOptions(timeout_seconds, max_retries, idempotency_key),
        )
        return answer

    async def get(
        self,
        lead_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> LeadDetailed:
        """One lead. By id.

        `GET /v1/leads/{id}`, scope `leads:read`.

        Args:
            lead_id: The id of the lead.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            What was asked for.

        Raises:
            ClinicDataError: The call failed.

        Example:
            >>> answer = await client.leads.get("l301")
        """
        answer: LeadDetailed = await self._caller.data_of(
            "leads.get",
            {"id": lead_id},
            None,
            CallOptions(timeout_seconds, max_retries),
        )
        return answer


class AsyncCallsRecordingMethods:
    """`client.calls.recording`."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def get(
        self,
        call_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> FileLink:
        """A link to the recording. Answers a signed link. The link needs no key, is valid for 15 minutes and serves
        `Range`. 404 if there is no recording yet.

        `GET /v1/calls/{id}/recording`, scope `calls:read`.

        Args:
            call_id: The id of the call.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            A signed link to the file.

        Raises:
            ClinicDataError: The call failed.

        Example:
            >>> answer = await client.calls.recording.get("c7710")
        """
        answer: FileLink = await self._caller.data_of(
            "calls.recording.get",
            {"id": call_id},
            None,
            CallOptions(timeout_seconds, max_retries),
        )
        return answer


class AsyncCallsMethods:
    """`client.calls`."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller
        self.recording: AsyncCallsRecordingMethods = AsyncCallsRecordingMethods(caller)

    def list(
        self,
        *,
        from_: date | str | None = None,
        to: date | str | None = None,
        direction: Direction | None = None,
        status: CallStatus | None = None,
        branch_id: str | None = None,
        has_recording: bool | None = None,
        transcript_status: Literal["completed", "failed"] | None = None,
        patient_id: str | None = None,
        phone: str | None = None,
        updated_since: datetime | str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncPages[Call]:
        """List calls. Latest first. `patient_id` finds calls with any phone of the patient. `transcript.segments` is null
        in lists: get one call to read them.

        `GET /v1/calls`, scope `calls:read`.

        Args:
            from_: Rows whose `started_at` is at or after this instant (ISO 8601 with offset) or clinic-local day
                (`YYYY-MM-DD`), inclusive. Example: `"2026-07-12"`.
            to: Rows whose `started_at` is at or before this instant (ISO 8601 with offset) or clinic-local day
                (`YYYY-MM-DD`), inclusive.
            direction: `inbound` calls come to the clinic. Example: `"inbound"`.
            status: Only calls that ended in this way.
            branch_id: Only rows of this branch.
            has_recording: Only calls with a recording (`true`) or without one (`false`).
            transcript_status: Only calls with this outcome of transcription.
            patient_id: Only rows of this patient.
            phone: Only calls with this phone, in any common form.
            updated_since: Only rows changed at or after this instant (ISO 8601), oldest change first. Next time, send
                the last `updated_at` that you read less 60 seconds.
            limit: Rows per page.
            cursor: The `next_cursor` of the previous page, unchanged.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            The pages, which are asked for while they are walked: by rows, or page by page with `pages()`. `page()` is
            one of them.

        Raises:
            ClinicDataError: The call failed, while the list is walked.

        Example:
            >>> async for row in client.calls.list(from_="2026-07-12", direction="inbound"):
            ...     print(row["id"])
        """
        answer: AsyncPages[Call] = self._caller.pages_of(
            "calls.list",
            {},
            sent(
                {
                    "from": from_,
                    "to": to,
                    "direction": direction,
                    "status": status,
                    "branch_id": branch_id,
                    "has_recording": has_recording,
                    "transcript_status": transcript_status,
                    "patient_id": patient_id,
                    "phone": phone,
                    "updated_since": updated_since,
                    "limit": limit,
                    "cursor": cursor,
                },
            ),
            CallOptions(timeout_seconds, max_retries),
        )
        return answer

    async def get(
        self,
        call_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> Call:
        """One call. By id. Includes the whole transcript, if there is one.

        `GET /v1/calls/{id}`, scope `calls:read`.

        Args:
            call_id: The id of the call.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            What was asked for.

        Raises:
            ClinicDataError: The call failed.

        Example:
            >>> answer = await client.calls.get("c7710")
        """
        answer: Call = await self._caller.data_of(
            "calls.get",
            {"id": call_id},
            None,
            CallOptions(timeout_seconds, max_retries),
        )
        return answer


class AsyncChatConversationsMessagesMethods:
    """`client.chat.conversations.messages`."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    def list(
        self,
        conversation_id: str,
        *,
        direction: Direction | None = None,
        status: MessageStatus | None = None,
        type: MessageType | None = None,
        from_: date | str | None = None,
        to: date | str | None = None,
        updated_since: datetime | str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncPages[ChatMessage]:
        """Messages of a conversation. Latest first.

        `GET /v1/chat/conversations/{id}/messages`, scope `chat:read`.

        Args:
            conversation_id: The id of the conversation.
            direction: `inbound` messages come from patients.
            status: Only messages with this status.
            type: Only messages of this kind.
            from_: Rows whose `created_at` is at or after this instant (ISO 8601 with offset) or clinic-local day
                (`YYYY-MM-DD`), inclusive.
            to: Rows whose `created_at` is at or before this instant (ISO 8601 with offset) or clinic-local day
                (`YYYY-MM-DD`), inclusive.
            updated_since: Only rows changed at or after this instant (ISO 8601), oldest change first. Next time, send
                the last `updated_at` that you read less 60 seconds.
            limit: Rows per page.
            cursor: The `next_cursor` of the previous page, unchanged.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            The pages, which are asked for while they are walked: by rows, or page by page with `pages()`. `page()` is
            one of them.

        Raises:
            ClinicDataError: The call failed, while the list is walked.

        Example:
            >>> async for row in client.chat.conversations.messages.list("conv310"):
            ...     print(row["id"])
        """
        answer: AsyncPages[ChatMessage] = self._caller.pages_of(
            "chat.conversations.messages.list",
            {"id": conversation_id},
            sent(
                {
                    "direction": direction,
                    "status": status,
                    "type": type,
                    "from": from_,
                    "to": to,
                    "updated_since": updated_since,
                    "limit": limit,
                    "cursor": cursor,
                },
            ),
            CallOptions(timeout_seconds, max_retries),
        )
        return answer


class AsyncChatConversationsMethods:
    """`client.chat.conversations`."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller
        self.messages: AsyncChatConversationsMessagesMethods = AsyncChatConversationsMessagesMethods(caller)

    def list(
        self,
        *,
        patient_id: str | None = None,
        phone: str | None = None,
        is_handled: bool | None = None,
        window_open: bool | None = None,
        updated_since: datetime | str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncPages[ChatConversation]:
        """List conversations. Latest activity first. One conversation per phone number that the clinic has exchanged
        messages with.

        `GET /v1/chat/conversations`, scope `chat:read`.

        Args:
            patient_id: Only rows of this patient.
            phone: Only rows with this phone, in any common form.
            is_handled: Only conversations that staff have handled (`true`) or not (`false`). Example: `"false"`.
            window_open: Only conversations where free text can be sent now (`true`) or not (`false`).
            updated_since: Only rows changed at or after this instant (ISO 8601), oldest change first. Next time, send
                the last `updated_at` that you read less 60 seconds.
            limit: Rows per page.
            cursor: The `next_cursor` of the previous page, unchanged.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            The pages, which are asked for while they are walked: by rows, or page by page with `pages()`. `page()` is
            one of them.

        Raises:
            ClinicDataError: The call failed, while the list is walked.

        Example:
            >>> async for row in client.chat.conversations.list(is_handled=False):
            ...     print(row["id"])
        """
        answer: AsyncPages[ChatConversation] = self._caller.pages_of(
            "chat.conversations.list",
            {},
            sent(
                {
                    "patient_id": patient_id,
                    "phone": phone,
                    "is_handled": is_handled,
                    "window_open": window_open,
                    "updated_since": updated_since,
                    "limit": limit,
                    "cursor": cursor,
                },
            ),
            CallOptions(timeout_seconds, max_retries),
        )
        return answer

    async def get(
        self,
        conversation_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> ChatConversation:
        """One conversation. By id.

        `GET /v1/chat/conversations/{id}`, scope `chat:read`.

        Args:
            conversation_id: The id of the conversation.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            What was asked for.

        Raises:
            ClinicDataError: The call failed.

        Example:
            >>> answer = await client.chat.conversations.get("conv310")
        """
        answer: ChatConversation = await self._caller.data_of(
            "chat.conversations.get",
            {"id": conversation_id},
            None,
            CallOptions(timeout_seconds, max_retries),
        )
        return answer


class AsyncChatMessagesMediaMethods:
    """`client.chat.messages.media`."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def get(
        self,
        message_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> FileLink:
        """A link to a message's media. Answers a signed link. The link needs no key, is valid for 15 minutes and serves
        `Range`. 404 if there is no file.

        `GET /v1/chat/messages/{id}/media`, scope `chat:read`.

        Args:
            message_id: The id of the message.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            A signed link to the file.

        Raises:
            ClinicDataError: The call failed.

        Example:
            >>> answer = await client.chat.messages.media.get("in_88120")
        """
        answer: FileLink = await self._caller.data_of(
            "chat.messages.media.get",
            {"id": message_id},
            None,
            CallOptions(timeout_seconds, max_retries),
        )
        return answer


class AsyncChatMessagesMethods:
    """`client.chat.messages`."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller
        self.media: AsyncChatMessagesMediaMethods = AsyncChatMessagesMediaMethods(caller)

    def list(
        self,
        *,
        patient_id: str | None = None,
        phone: str | None = None,
        conversation_id: str | None = None,
        direction: Direction | None = None,
        status: MessageStatus | None = None,
        type: MessageType | None = None,
        from_: date | str | None = None,
        to: date | str | None = None,
        updated_since: datetime | str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncPages[ChatMessage]:
        """List messages. Latest first.

        `GET /v1/chat/messages`, scope `chat:read`.

        Args:
            patient_id: Only rows of this patient.
            phone: Only rows with this phone, in any common form.
            conversation_id: Only rows of this conversation.
            direction: `inbound` messages come from patients. Example: `"inbound"`.
            status: Only messages with this status.
            type: Only messages of this kind.
            from_: Rows whose `created_at` is at or after this instant (ISO 8601 with offset) or clinic-local day
                (`YYYY-MM-DD`), inclusive. Example: `"2026-07-12"`.
            to: Rows whose `created_at` is at or before this instant (ISO 8601 with offset) or clinic-local day
                (`YYYY-MM-DD`), inclusive.
            updated_since: Only rows changed at or after this instant (ISO 8601), oldest change first. Next time, send
                the last `updated_at` that you read less 60 seconds.
            limit: Rows per page.
            cursor: The `next_cursor` of the previous page, unchanged.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            The pages, which are asked for while they are walked: by rows, or page by page with `pages()`. `page()` is
            one of them.

        Raises:
            ClinicDataError: The call failed, while the list is walked.

        Example:
            >>> async for row in client.chat.messages.list(direction="inbound", from_="2026-07-12"):
            ...     print(row["id"])
        """
        answer: AsyncPages[ChatMessage] = self._caller.pages_of(
            "chat.messages.list",
            {},
            sent(
                {
                    "patient_id": patient_id,
                    "phone": phone,
                    "conversation_id": conversation_id,
                    "direction": direction,
                    "status": status,
                    "type": type,
                    "from": from_,
                    "to": to,
                    "updated_since": updated_since,
                    "limit": limit,
                    "cursor": cursor,
                },
            ),
            CallOptions(timeout_seconds, max_retries),
        )
        return answer

    async def create(
        self,
        *,
        conversation_id: str | None = None,
        patient_id: str | None = None,
        to_phone: str | None = None,
        text: str | None = None,
        template: ChatMessagesCreateTemplatePart | None = None,
        allow_template: bool | None = None,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> ChatMessage:
        """Send a message to a patient. Answers the message with the status `queued`. Outside the 24-hour window, free text
        is wrapped in a marketing template. `meta.delivery_mode` says how the message is sent.

        `POST /v1/chat/messages`, scope `chat:write`.

        Args:
            conversation_id: To the patient of this conversation.
            patient_id: To this patient. Example: `"p1042"`.
            to_phone: To this phone.
            text: Free text. Example: `"See you on Tuesday!"`.
            template: An approved template.
            allow_template: If true, text outside the 24-hour window is wrapped in a template. If false, it is refused
                (422).
            idempotency_key: The same key with the same content within 24 hours is one write. The client makes one for
                each call; give your own (an invoice’s number) to be safe across restarts of your program.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            What was asked for.

        Raises:
            ClinicDataError: The call failed.

        Example:
            >>> answer = await client.chat.messages.create(patient_id="p1042", text="See you on Tuesday!")
        """
        answer: ChatMessage = await self._caller.data_of(
            "chat.messages.create",
            {},
            sent(
                {
                    "conversation_id": conversation_id,
                    "patient_id": patient_id,
                    "to_phone": to_phone,
                    "text": text,
                    "template": template,
                    "allow_template": allow_template,
                },
            ),
            CallOptions(timeout_seconds, max_retries, idempotency_key),
        )
        return answer

    async def get(
        self,
        message_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> ChatMessage:
        """One message. By its whole id, with the prefix (`in_…` or `out_…`).

        `GET /v1/chat/messages/{id}`, scope `chat:read`.

        Args:
            message_id: The id of the message.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            What was asked for.

        Raises:
            ClinicDataError: The call failed.

        Example:
            >>> answer = await client.chat.messages.get("out_70412")
        """
        answer: ChatMessage = await self._caller.data_of(
            "chat.messages.get",
            {"id": message_id},
            None,
            CallOptions(timeout_seconds, max_retries),
        )
        return answer


class AsyncChatTemplatesMethods:
    """`client.chat.templates`."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    def list(
        self,
        *,
        status: Literal["approved", "pending", "rejected", "paused", "disabled"] | None = None,
        category: TemplateCategory | None = None,
        language: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncPages[ChatTemplate]:
        """Message templates. Sorted by name. Only approved templates, unless `status` asks for others.

        `GET /v1/chat/templates`, scope `chat:read`.

        Args:
            status: Only templates with this status. Only approved ones can be sent.
            category: Only templates of this category. The category decides how a message is billed. Example:
                `"utility"`.
            language: Only templates in this language, for example `he`.
            limit: Rows per page.
            cursor: The `next_cursor` of the previous page, unchanged.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            The pages, which are asked for while they are walked: by rows, or page by page with `pages()`. `page()` is
            one of them.

        Raises:
            ClinicDataError: The call failed, while the list is walked.

        Example:
            >>> async for row in client.chat.templates.list(category="utility"):
            ...     print(row["id"])
        """
        answer: AsyncPages[ChatTemplate] = self._caller.pages_of(
            "chat.templates.list",
            {},
            sent(
                {
                    "status": status,
                    "category": category,
                    "language": language,
                    "limit": limit,
                    "cursor": cursor,
                },
            ),
            CallOptions(timeout_seconds, max_retries),
        )
        return answer


class AsyncChatMethods:
    """`client.chat`."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller
        self.conversations: AsyncChatConversationsMethods = AsyncChatConversationsMethods(caller)
        self.messages: AsyncChatMessagesMethods = AsyncChatMessagesMethods(caller)
        self.templates: AsyncChatTemplatesMethods = AsyncChatTemplatesMethods(caller)


class AsyncMetricsMethods:
    """`client.metrics`."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def describe(
        self,
        *,
        dataset: DatasetName | None = None,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> MetricsDescribeAnswer:
        """Describe the datasets. Lists the measures, dimensions and filters of each dataset. A query may use only these
        names. A name is left out if the key lacks its scope.

        `GET /v1/metrics`, scope `analytics:read`.

        Args:
            dataset: Only this dataset. Example: `"treatments"`.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            What was asked for.

        Raises:
            ClinicDataError: The call failed.

        Example:
            >>> answer = await client.metrics.describe(dataset="treatments")
        """
        answer: MetricsDescribeAnswer = await self._caller.data_of(
            "metrics.describe",
            {},
            sent(
                {
                    "dataset": dataset,
                },
            ),
            CallOptions(timeout_seconds, max_retries),
        )
        return answer


class AsyncQueryMethods:
    """`client.query`."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def run(
        self,
        *,
        dataset: DatasetName,
        measures: Sequence[str],
        dimensions: Sequence[str | TimeDimension] | None = None,
        filters: Sequence[QueryFilter] | None = None,
        order: Sequence[QueryOrder] | None = None,
        limit: int | None = None,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> QueryResult:
        """Run one aggregation. Groups and aggregates one dataset. Answers rows, and totals over the whole filtered set.
        Describe the dataset first: a query names its measures, dimensions and filters.

        `POST /v1/query`, scope `analytics:read`.

        Args:
            dataset: A dataset: see “Describe the datasets”. Example: `"treatments"`.
            measures: What to compute: measures of the dataset. Example: `["net_revenue"]`.
            dimensions: What to group by: a dimension, or `{ field, grain }` for a time dimension. The default grain is
                the day.
            filters: Filters combine with AND. `eq` takes one value, `in` and `not_in` a list, `between` a list of two.
                A dataset with `requires_date_range` needs a closed range on its `date_filter`.
            order: `by` names a selected measure or dimension.
            limit: The maximum number of groups to return. Each dataset has its own cap. Example: `100`.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            What was asked for.

        Raises:
            ClinicDataError: The call failed.

        Example:
            >>> answer = await client.query.run(
            ...     dataset="treatments",
            ...     measures=["net_revenue"],
            ...     dimensions=["provider", {"field": "effective_date", "grain": "month"}],
            ...     filters=[
            ...         {
            ...             "field": "effective_date",
            ...             "op": "between",
            ...             "value": ["2026-01-01", "2026-06-30"],
            ...         },
            ...     ],
            ...     order=[{"by": "net_revenue", "dir": "desc"}],
            ...     limit=100,
            ... )
        """
        answer: QueryResult = await self._caller.data_of(
            "query.run",
            {},
            sent(
                {
                    "dataset": dataset,
                    "measures": measures,
                    "dimensions": dimensions,
                    "filters": filters,
                    "order": order,
                    "limit": limit,
                },
            ),
            CallOptions(timeout_seconds, max_retries),
        )
        return answer


class AsyncEventsMethods:
    """`client.events`."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    def list(
        self,
        *,
        event_types: Sequence[EventType] | str | None = None,
        since: datetime | str | None = None,
        wait: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncPages[EventEnvelope]:
        """The event feed. Every event once, in order. Without `cursor` and `since` the feed starts now. After each answer,
        send its `resume_cursor` back as `cursor`. The `chat.*` types also need `chat:read`. A request that names no
        types gets chat events only with that scope. While `next_cursor` is not null, more events can be read at once,
        even if this page has few rows or none.

        `GET /v1/events`, scope `webhooks:manage`.

        Args:
            event_types: Only these types. Separate them with commas, or repeat the parameter. Example:
                `"appointment.created"`.
            since: Begins with the first event at or after this instant that is still kept. Ignored if `cursor` is sent.
                Example: `"2026-07-01T00:00:00+03:00"`.
            wait: How many seconds to wait for an event if there is none. The answer comes as soon as there is one.
            limit: Rows per page.
            cursor: The `resume_cursor` or `next_cursor` of the previous answer, which had the same `event_types`.
                Opaque: never parse or build one.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            The pages, which are asked for while they are walked: by rows, or page by page with `pages()`. `page()` is
            one of them.

        Raises:
            ClinicDataError: The call failed, while the list is walked.

        Example:
            >>> async for row in client.events.list(
            ...     event_types="appointment.created",
            ...     since="2026-07-01T00:00:00+03:00",
            ... ):
            ...     print(row["id"])
        """
        answer: AsyncPages[EventEnvelope] = self._caller.pages_of(
            "events.list",
            {},
            sent(
                {
                    "event_types": event_types,
                    "since": since,
                    "wait": wait,
                    "limit": limit,
                    "cursor": cursor,
                },
            ),
            CallOptions(timeout_seconds, max_retries),
        )
        return answer


class AsyncWebhooksDeliveriesMethods:
    """`client.webhooks.deliveries`."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    def list(
        self,
        webhook_id: str,
        *,
        status: Literal["pending", "delivered", "failed"] | None = None,
        event_type: EventType | None = None,
        record_id: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> AsyncPages[Delivery]:
        """The delivery log. Latest first. Each event has one row, which lists its attempts.

        `GET /v1/webhooks/{id}/deliveries`, scope `webhooks:manage`.

        Args:
            webhook_id: The id of the webhook.
            status: Only deliveries in this state.
            event_type: Only deliveries of this event type.
            record_id: Only deliveries of events that tell of this record, for example an appointment. Events that an
                earlier version of the service stored are not found.
            limit: Rows per page.
            cursor: The `next_cursor` of the previous page, unchanged.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            The pages, which are asked for while they are walked: by rows, or page by page with `pages()`. `page()` is
            one of them.

        Raises:
            ClinicDataError: The call failed, while the list is walked.

        Example:
            >>> async for row in client.webhooks.deliveries.list("wh31"):
            ...     print(row["id"])
        """
        answer: AsyncPages[Delivery] = self._caller.pages_of(
            "webhooks.deliveries.list",
            {"id": webhook_id},
            sent(
                {
                    "status": status,
                    "event_type": event_type,
                    "record_id": record_id,
                    "limit": limit,
                    "cursor": cursor,
                },
            ),
            CallOptions(timeout_seconds, max_retries),
        )
        return answer

    async def retry(
        self,
        webhook_id: str,
        delivery_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> Delivery:
        """Retry or resend a delivery now. Attempts a delivery within a second, even while the circuit is open, with the
        same event id and body. A `delivered` one is sent again too, and is `delivered` again even if that attempt
        fails. A 2xx closes the circuit. The schedule of the delivery stays as it was. 409 if it is being attempted, or
        if the subscription is disabled.

        `POST /v1/webhooks/{id}/deliveries/{delivery_id}/retry`, scope `webhooks:manage`.

        Args:
            webhook_id: The id of the webhook.
            delivery_id: The id of the delivery.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            What was asked for.

        Raises:
            ClinicDataError: The call failed.

        Example:
            >>> async for delivery in client.webhooks.deliveries.list("wh31"):
            ...     await client.webhooks.deliveries.retry("wh31", delivery["id"])
            ...     break
        """
        answer: Delivery = await self._caller.data_of(
            "webhooks.deliveries.retry",
            {"id": webhook_id, "delivery_id": delivery_id},
            None,
            CallOptions(timeout_seconds, max_retries),
        )
        return answer


class AsyncWebhooksSecretMethods:
    """`client.webhooks.secret`."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def rotate(
        self,
        webhook_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> Webhook:
        """Rotate the signing secret. Makes a new secret, shown only in this answer. For 24 hours deliveries are signed
        with both: `webhook-signature` lists a signature of each secret, and `X-Service-Signature` is still that of the
        former one. Then the former secret is erased. Give your receiver both secrets for that time. The secret of a
        paused subscription is replaced at once, and none before it signs any more: give your receiver the new one, then
        enable the subscription. 409 if the subscription was disabled for its failures, or its secret was rotated four
        times within 24 hours.

        `POST /v1/webhooks/{id}/secret/rotate`, scope `webhooks:manage`.

        Args:
            webhook_id: The id of the webhook.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            What was asked for.

        Raises:
            ClinicDataError: The call failed.

        Example:
            >>> answer = await client.webhooks.secret.rotate("wh31")
        """
        answer: Webhook = await self._caller.data_of(
            "webhooks.secret.rotate",
            {"id": webhook_id},
            None,
            CallOptions(timeout_seconds, max_retries),
        )
        return answer


class AsyncWebhooksMethods:
    """`client.webhooks`."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller
        self.deliveries: AsyncWebhooksDeliveriesMethods = AsyncWebhooksDeliveriesMethods(caller)
        self.secret: AsyncWebhooksSecretMethods = AsyncWebhooksSecretMethods(caller)

    async def list(
        self,
        *,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> Rows[Webhook]:
        """List subscriptions. Every subscription of the clinic, with its secret masked.

        `GET /v1/webhooks`, scope `webhooks:manage`.

        Args:
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            All rows.

        Raises:
            ClinicDataError: The call failed.

        Example:
            >>> rows = await client.webhooks.list()
        """
        answer: Rows[Webhook] = await self._caller.data_of(
            "webhooks.list",
            {},
            None,
            CallOptions(timeout_seconds, max_retries),
        )
        return answer

    async def create(
        self,
        *,
        url: str,
        event_types: Sequence[EventType] | None | Omitted = OMITTED,
        description: str | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> Webhook:
        """Subscribe to events. The signing secret is shown only in this answer. Every `chat.*` type also needs
        `chat:read`.

        `POST /v1/webhooks`, scope `webhooks:manage`.

        Args:
            url: HTTPS endpoint that receives events. Example: `"https://crm.example.com/hooks/clinic"`.
            event_types: Omitted, null or empty: every type that the key's scopes allow. Duplicates are removed.
                Example: `["appointment.created", "appointment.updated"]`.
            description: A note of your own, to tell subscriptions apart. Example: `"CRM, production"`.
            idempotency_key: The same key with the same content within 24 hours is one write. The client makes one for
                each call; give your own (an invoice’s number) to be safe across restarts of your program.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            What was asked for.

        Raises:
            ClinicDataError: The call failed.

        Example:
            >>> answer = await client.webhooks.create(
            ...     url="https://crm.example.com/hooks/clinic",
            ...     event_types=["appointment.created", "appointment.updated"],
            ...     description="CRM, production",
            ... )
        """
        answer: Webhook = await self._caller.data_of(
            "webhooks.create",
            {},
            sent(
                {
                    "url": url,
                },
                {
                    "event_types": event_types,
                    "description": description,
                },
            ),
            CallOptions(timeout_seconds, max_retries, idempotency_key),
        )
        return answer

    async def get(
        self,
        webhook_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> Webhook:
        """One subscription. By id, with its secret masked.

        `GET /v1/webhooks/{id}`, scope `webhooks:manage`.

        Args:
            webhook_id: The id of the webhook.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            What was asked for.

        Raises:
            ClinicDataError: The call failed.

        Example:
            >>> answer = await client.webhooks.get("wh31")
        """
        answer: Webhook = await self._caller.data_of(
            "webhooks.get",
            {"id": webhook_id},
            None,
            CallOptions(timeout_seconds, max_retries),
        )
        return answer

    async def update(
        self,
        webhook_id: str,
        *,
        url: str | None = None,
        event_types: Sequence[EventType] | None | Omitted = OMITTED,
        description: str | None | Omitted = OMITTED,
        enabled: bool | None = None,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> Webhook:
        """Change a subscription. Changes the fields that are sent; the others and the secret stay. Deliveries that wait
        are still sent, to the `url` of that moment, also those of a type that is no longer wanted. A new `url` closes
        the circuit, and waiting retries are due at once. It needs `chat:read` too if the subscription wants `chat.*`
        types or ever did. `enabled` false pauses it: running attempts are broken off, waiting deliveries fail, and the
        events that come make no deliveries. `enabled` true sends the events from then on, and needs `chat:read`
        likewise; `POST /v1/webhooks/{id}/replay` with `only` `all` sends the missed ones. 409 if the subscription was
        disabled for its failures, which is final.

        `PATCH /v1/webhooks/{id}`, scope `webhooks:manage`.

        Args:
            webhook_id: The id of the webhook.
            url: Another HTTPS endpoint. Closes the circuit.
            event_types: The new list. Null or empty: every type that the key's scopes allow. Duplicates are removed.
                Example: `["appointment.created", "appointment.cancelled"]`.
            description: A note of your own, to tell subscriptions apart. Example: `"CRM, bookings"`.
            enabled: False pauses the subscription, true enables one that was paused.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            What was asked for.

        Raises:
            ClinicDataError: The call failed.

        Example:
            >>> answer = await client.webhooks.update(
            ...     "wh31",
            ...     event_types=["appointment.created", "appointment.cancelled"],
            ...     description="CRM, bookings",
            ... )
        """
        answer: Webhook = await self._caller.data_of(
            "webhooks.update",
            {"id": webhook_id},
            sent(
                {
                    "url": url,
                    "enabled": enabled,
                },
                {
                    "event_types": event_types,
                    "description": description,
                },
            ),
            CallOptions(timeout_seconds, max_retries),
        )
        return answer

    async def delete(
        self,
        webhook_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> None:
        """Delete a subscription. Stops all future deliveries.

        `DELETE /v1/webhooks/{id}`, scope `webhooks:manage`.

        Args:
            webhook_id: The id of the webhook.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            Nothing.

        Raises:
            ClinicDataError: The call failed.

        Example:
            >>> await client.webhooks.delete("wh32")
        """
        await self._caller.data_of(
            "webhooks.delete",
            {"id": webhook_id},
            None,
            CallOptions(timeout_seconds, max_retries),
        )

    async def replay(
        self,
        webhook_id: str,
        *,
        since: datetime | str,
        until: datetime | str | None = None,
        event_types: Sequence[EventType] | None | Omitted = OMITTED,
        only: Literal["failed", "all"] | None = None,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> WebhooksReplayAnswer:
        """Replay a time range. Sends the events of a time range (at most 30 days back) again: those whose delivery failed,
        or all. All includes events from before the subscription was made. Test events are not replayed: retry them. One
        request sends at most 50,000 events.

        `POST /v1/webhooks/{id}/replay`, scope `webhooks:manage`.

        Args:
            webhook_id: The id of the webhook.
            since: From this instant on, at most 30 days back. Example: `"2026-07-12T00:00:00+03:00"`.
            until: Up to this instant; default now.
            event_types: Omitted, null or empty: every type of the subscription. Duplicates are removed.
            only: `failed`: events whose delivery failed. `all`: every event of the range but test events.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            What was asked for.

        Raises:
            ClinicDataError: The call failed.

        Example:
            >>> answer = await client.webhooks.replay("wh31", since="2026-07-12T00:00:00+03:00")
        """
        answer: WebhooksReplayAnswer = await self._caller.data_of(
            "webhooks.replay",
            {"id": webhook_id},
            sent(
                {
                    "since": since,
                    "until": until,
                    "only": only,
                },
                {
                    "event_types": event_types,
                },
            ),
            CallOptions(timeout_seconds, max_retries),
        )
        return answer

    async def test(
        self,
        webhook_id: str,
        *,
        event_type: EventType,
        timeout_seconds: float | None = None,
        max_retries: float | None = None,
    ) -> Delivery:
        """Send a test event. Delivers an example of an event type, marked `test: true`. It is sent within a second, even
        while the circuit is open.

        `POST /v1/webhooks/{id}/test`, scope `webhooks:manage`.

        Args:
            webhook_id: The id of the webhook.
            event_type: The type of the event to send. Example: `"appointment.updated"`.
            timeout_seconds: Time for the whole answer of each attempt, if not the client’s.
            max_retries: Repeats after a temporary failure, if not the client’s. 0 turns them off.

        Returns:
            What was asked for.

        Raises:
            ClinicDataError: The call failed.

        Example:
            >>> answer = await client.webhooks.test("wh31", event_type="appointment.updated")
        """
        answer: Delivery = await self._caller.data_of(
            "webhooks.test",
            {"id": webhook_id},
            sent(
                {
                    "event_type": event_type,
                },
            ),
            CallOptions(timeout_seconds, max_retries),
        )
        return answer


class AsyncResources:
    """The methods of the client, by the parts of the operations’ ids."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller
        self.me: AsyncMeMethods = AsyncMeMethods(caller)
        self.patients: AsyncPatientsMethods = AsyncPatientsMethods(caller)
        self.appointments: AsyncAppointmentsMethods = AsyncAppointmentsMethods(caller)
        self.availability: AsyncAvailabilityMethods = AsyncAvailabilityMethods(caller)
        self.treatments: AsyncTreatmentsMethods = AsyncTreatmentsMethods(caller)
        self.payments: AsyncPaymentsMethods = AsyncPaymentsMethods(caller)
        self.catalog: AsyncCatalogMethods = AsyncCatalogMethods(caller)
        self.leads: AsyncLeadsMethods = AsyncLeadsMethods(caller)
        self.calls: AsyncCallsMethods = AsyncCallsMethods(caller)
        self.chat: AsyncChatMethods = AsyncChatMethods(caller)
        self.metrics: AsyncMetricsMethods = AsyncMetricsMethods(caller)
        self.query: AsyncQueryMethods = AsyncQueryMethods(caller)
        self.events: AsyncEventsMethods = AsyncEventsMethods(caller)
        self.webhooks: AsyncWebhooksMethods = AsyncWebhooksMethods(caller)
