// The client's methods, by the operations' ids. Written by `npm run golden` from the contract; a test compares.
import type { EventEnvelope } from '../event-envelope.ts'
import type { PageOf, Pages } from '../pages.ts'
import type { RequestOptions } from '../request.ts'
import type {
  Appointment,
  AppointmentDetailed,
  AppointmentStatus,
  AppointmentsGetInput,
  AppointmentsListInput,
  AppointmentType,
  AvailabilityListInput,
  AvailabilitySlot,
  BillingAccount,
  Branch,
  Call,
  CallsListInput,
  CatalogTreatment,
  ChatConversation,
  ChatConversationsListInput,
  ChatConversationsMessagesListInput,
  ChatMessage,
  ChatMessagesCreateInput,
  ChatMessagesListInput,
  ChatTemplate,
  ChatTemplatesListInput,
  DatasetDescriptor,
  Delivery,
  EventsListInput,
  FileLink,
  Lead,
  LeadDetailed,
  LeadRequest,
  LeadsListInput,
  Me,
  MetricsDescribeInput,
  Open,
  Patient,
  PatientDetailed,
  PatientsAppointmentsListInput,
  PatientsCallsListInput,
  PatientsChatMessagesListInput,
  PatientsGetInput,
  PatientsListInput,
  Payment,
  PaymentsCreateInput,
  PaymentsListInput,
  PaymentsSearchInput,
  Provider,
  Query,
  QueryResult,
  Treatment,
  TreatmentsListInput,
  Warning,
  Webhook,
  WebhookChange,
  WebhookRequest,
  WebhooksDeliveriesListInput,
  WebhooksReplayInput,
  WebhooksTestInput,
} from './resources.ts'

/** Nothing, or an empty object before the options. */
type None = Record<string, never>

/** What `client.events.list` answers. */
export interface EventsListPage extends PageOf<EventEnvelope> {
  /** The position up to which the feed has been read, never null. Keep it, and send it as `cursor` to continue. */
  resume_cursor: string
}

/** What each operation takes and answers, by its id. */
export interface OperationTypes {
  'me.get': {
    input: None
    output: {
      data: Me
    }
    detailed: never
  }
  'patients.list': {
    input: PatientsListInput
    output: PageOf<Patient>
    detailed: PageOf<PatientDetailed>
  }
  'patients.get': {
    input: PatientsGetInput
    output: {
      data: Patient
    }
    detailed: {
      data: PatientDetailed
    }
  }
  'appointments.list': {
    input: AppointmentsListInput
    output: PageOf<Appointment>
    detailed: PageOf<AppointmentDetailed>
  }
  'appointments.get': {
    input: AppointmentsGetInput
    output: {
      data: Appointment
    }
    detailed: {
      data: AppointmentDetailed
    }
  }
  'patients.appointments.list': {
    input: PatientsAppointmentsListInput
    output: PageOf<Appointment>
    detailed: PageOf<AppointmentDetailed>
  }
  'availability.list': {
    input: AvailabilityListInput
    output: {
      data: AvailabilitySlot[]
      /** Only on an empty list whose filters name an id that this clinic does not have. */
      meta?: {
        warnings: Warning[]
      }
    }
    detailed: never
  }
  'treatments.list': {
    input: TreatmentsListInput
    output: PageOf<Treatment>
    detailed: never
  }
  'treatments.get': {
    input: None
    output: {
      data: Treatment
    }
    detailed: never
  }
  'payments.list': {
    input: PaymentsListInput
    output: PageOf<Payment>
    detailed: never
  }
  'payments.create': {
    input: PaymentsCreateInput
    output: {
      data: Payment
    }
    detailed: never
  }
  'payments.search': {
    input: PaymentsSearchInput
    output: PageOf<Payment>
    detailed: never
  }
  'payments.get': {
    input: None
    output: {
      data: Payment
    }
    detailed: never
  }
  'catalog.appointment_statuses.list': {
    input: None
    output: {
      data: AppointmentStatus[]
    }
    detailed: never
  }
  'catalog.appointment_types.list': {
    input: None
    output: {
      data: AppointmentType[]
    }
    detailed: never
  }
  'catalog.billing_accounts.list': {
    input: None
    output: {
      data: BillingAccount[]
    }
    detailed: never
  }
  'catalog.branches.list': {
    input: None
    output: {
      data: Branch[]
    }
    detailed: never
  }
  'catalog.providers.list': {
    input: None
    output: {
      data: Provider[]
    }
    detailed: never
  }
  'catalog.treatments.list': {
    input: None
    output: {
      data: CatalogTreatment[]
    }
    detailed: never
  }
  'leads.list': {
    input: LeadsListInput
    output: PageOf<LeadDetailed>
    detailed: never
  }
  'leads.create': {
    input: LeadRequest
    output: {
      data: Lead
    }
    detailed: never
  }
  'leads.get': {
    input: None
    output: {
      data: LeadDetailed
    }
    detailed: never
  }
  'calls.list': {
    input: CallsListInput
    output: PageOf<Call>
    detailed: never
  }
  'calls.get': {
    input: None
    output: {
      data: Call
    }
    detailed: never
  }
  'calls.recording.get': {
    input: None
    output: {
      data: FileLink
    }
    detailed: never
  }
  'patients.calls.list': {
    input: PatientsCallsListInput
    output: PageOf<Call>
    detailed: never
  }
  'chat.conversations.list': {
    input: ChatConversationsListInput
    output: PageOf<ChatConversation>
    detailed: never
  }
  'chat.conversations.get': {
    input: None
    output: {
      data: ChatConversation
    }
    detailed: never
  }
  'chat.conversations.messages.list': {
    input: ChatConversationsMessagesListInput
    output: PageOf<ChatMessage>
    detailed: never
  }
  'chat.messages.list': {
    input: ChatMessagesListInput
    output: PageOf<ChatMessage>
    detailed: never
  }
  'chat.messages.create': {
    input: ChatMessagesCreateInput
    output: {
      data: ChatMessage
      meta: {
        delivery_mode: Open<'free_text' | 'marketing_template' | 'template'>
      }
    }
    detailed: never
  }
  'chat.messages.get': {
    input: None
    output: {
      data: ChatMessage
    }
    detailed: never
  }
  'chat.messages.media.get': {
    input: None
    output: {
      data: FileLink
    }
    detailed: never
  }
  'chat.templates.list': {
    input: ChatTemplatesListInput
    output: PageOf<ChatTemplate>
    detailed: never
  }
  'patients.chat_messages.list': {
    input: PatientsChatMessagesListInput
    output: PageOf<ChatMessage>
    detailed: never
  }
  'metrics.describe': {
    input: MetricsDescribeInput
    output: {
      data: {
        datasets: DatasetDescriptor[]
      }
    }
    detailed: never
  }
  'query.run': {
    input: Query
    output: {
      data: QueryResult
      /** Only if a filter of the query names an id that this clinic does not have. */
      meta?: {
        warnings: Warning[]
      }
    }
    detailed: never
  }
  'events.list': {
    input: EventsListInput
    output: EventsListPage
    detailed: never
  }
  'webhooks.list': {
    input: None
    output: {
      data: Webhook[]
    }
    detailed: never
  }
  'webhooks.create': {
    input: WebhookRequest
    output: {
      data: Webhook
    }
    detailed: never
  }
  'webhooks.get': {
    input: None
    output: {
      data: Webhook
    }
    detailed: never
  }
  'webhooks.update': {
    input: WebhookChange
    output: {
      data: Webhook
    }
    detailed: never
  }
  'webhooks.delete': {
    input: None
    output: undefined
    detailed: never
  }
  'webhooks.deliveries.list': {
    input: WebhooksDeliveriesListInput
    output: PageOf<Delivery>
    detailed: never
  }
  'webhooks.deliveries.retry': {
    input: None
    output: {
      data: Delivery
    }
    detailed: never
  }
  'webhooks.replay': {
    input: WebhooksReplayInput
    output: {
      data: {
        /** The number of events that will be sent again. */
        matched: number
      }
    }
    detailed: never
  }
  'webhooks.secret.rotate': {
    input: None
    output: {
      data: Webhook
    }
    detailed: never
  }
  'webhooks.test': {
    input: WebhooksTestInput
    output: {
      data: Delivery
    }
    detailed: never
  }
}

/** The methods of the client. */
export interface Resources {
  me: {
    /**
     * The clinic and scopes of the key. With the day that it is there now. Needs no scope: every valid key may ask this.
     *
     * `GET /v1/me`, no scope.
     *
     * @param input Nothing.
     * @param options Settings of this call.
     * @returns The answer: what was asked for is its `data`.
     * @throws ClinicDataError, or the reason of `signal`.
     * @example
     * const { data } = await client.me.get()
     */
    get(
      input?: None,
      options?: RequestOptions,
    ): Promise<{
      data: Me
    }>
  }
  patients: {
    /**
     * List and search patients. Filters combine with AND. With `query` the rows are sorted by name, otherwise by id. `phone` matches any phone of a patient, contacts included, in any common form. `email` matches a whole address, in upper or lower case. The filters of birthdays, visits, appointments ahead, payments and debts answer whom to call: a debt and `last_payment_before` together find who owes and has not paid.
     *
     * `GET /v1/patients`, scope `patients:read`.
     *
     * @param input The query.
     * @param options Settings of this call.
     * @returns `await` it for one page, or walk the rows of all pages with `for await`.
     * @throws ClinicDataError, or the reason of `signal`.
     * @example
     * for await (const row of client.patients.list({ phone: '050-123-4567' })) {
     *   console.log(row.id)
     * }
     */
    list(input: PatientsListInput & { response_format: 'detailed' }, options?: RequestOptions): Pages<PatientDetailed>
    /**
     * List and search patients. Filters combine with AND. With `query` the rows are sorted by name, otherwise by id. `phone` matches any phone of a patient, contacts included, in any common form. `email` matches a whole address, in upper or lower case. The filters of birthdays, visits, appointments ahead, payments and debts answer whom to call: a debt and `last_payment_before` together find who owes and has not paid.
     *
     * `GET /v1/patients`, scope `patients:read`.
     *
     * @param input The query.
     * @param options Settings of this call.
     * @returns `await` it for one page, or walk the rows of all pages with `for await`.
     * @throws ClinicDataError, or the reason of `signal`.
     * @example
     * for await (const row of client.patients.list({ phone: '050-123-4567' })) {
     *   console.log(row.id)
     * }
     */
    list(input?: PatientsListInput, options?: RequestOptions): Pages<Patient>
    /**
     * One patient. By id. `response_format=detailed` adds address, contacts, balance and id number.
     *
     * `GET /v1/patients/{id}`, scope `patients:read`.
     *
     * @param patient_id The id of the patient.
     * @param input The query.
     * @param options Settings of this call.
     * @returns The answer: what was asked for is its `data`.
     * @throws ClinicDataError, or the reason of `signal`.
     * @example
     * const { data } = await client.patients.get('p1042')
     */
    get(
      patient_id: string,
      input: PatientsGetInput & { response_format: 'detailed' },
      options?: RequestOptions,
    ): Promise<{
      data: PatientDetailed
    }>
    /**
     * One patient. By id. `response_format=detailed` adds address, contacts, balance and id number.
     *
     * `GET /v1/patients/{id}`, scope `patients:read`.
     *
     * @param patient_id The id of the patient.
     * @param input The query.
     * @param options Settings of this call.
     * @returns The answer: what was asked for is its `data`.
     * @throws ClinicDataError, or the reason of `signal`.
     * @example
     * const { data } = await client.patients.get('p1042')
     */
    get(
      patient_id: string,
      input?: PatientsGetInput,
      options?: RequestOptions,
    ): Promise<{
      data: Patient
    }>
    appointments: {
      /**
       * A patient's appointments. Sorted by `start`, earliest first.
       *
       * `GET /v1/patients/{id}/appointments`, scope `appointments:read`.
       *
       * @param patient_id The id of the patient.
       * @param input The query.
       * @param options Settings of this call.
       * @returns `await` it for one page, or walk the rows of all pages with `for await`.
       * @throws ClinicDataError, or the reason of `signal`.
       * @example
       * for await (const row of client.patients.appointments.list('p1042')) {
       *   console.log(row.id)
       * }
       */
      list(
        patient_id: string,
        input: PatientsAppointmentsListInput & { response_format: 'detailed' },
        options?: RequestOptions,
      ): Pages<AppointmentDetailed>
      /**
       * A patient's appointments. Sorted by `start`, earliest first.
       *
       * `GET /v1/patients/{id}/appointments`, scope `appointments:read`.
       *
       * @param patient_id The id of the patient.
       * @param input The query.
       * @param options Settings of this call.
       * @returns `await` it for one page, or walk the rows of all pages with `for await`.
       * @throws ClinicDataError, or the reason of `signal`.
       * @example
       * for await (const row of client.patients.appointments.list('p1042')) {
       *   console.log(row.id)
       * }
       */
      list(patient_id: string, input?: PatientsAppointmentsListInput, options?: RequestOptions): Pages<Appointment>
    }
    calls: {
      /**
       * A patient's calls. Latest first: every call with one of the patient's phones.
       *
       * `GET /v1/patients/{id}/calls`, scope `calls:read`.
       *
       * @param patient_id The id of the patient.
       * @param input The query.
       * @param options Settings of this call.
       * @returns `await` it for one page, or walk the rows of all pages with `for await`.
       * @throws ClinicDataError, or the reason of `signal`.
       * @example
       * for await (const row of client.patients.calls.list('p1042')) {
       *   console.log(row.id)
       * }
       */
      list(patient_id: string, input?: PatientsCallsListInput, options?: RequestOptions): Pages<Call>
    }
    chat_messages: {
      /**
       * A patient's chat messages. Latest first: every message with one of the patient's phones.
       *
       * `GET /v1/patients/{id}/chat/messages`, scope `chat:read`.
       *
       * @param patient_id The id of the patient.
       * @param input The query.
       * @param options Settings of this call.
       * @returns `await` it for one page, or walk the rows of all pages with `for await`.
       * @throws ClinicDataError, or the reason of `signal`.
       * @example
       * for await (const row of client.patients.chat_messages.list('p1042')) {
       *   console.log(row.id)
       * }
       */
      list(patient_id: string, input?: PatientsChatMessagesListInput, options?: RequestOptions): Pages<ChatMessage>
    }
  }
  appointments: {
    /**
     * List appointments. Sorted by `start`, earliest first. Filters combine with AND.
     *
     * `GET /v1/appointments`, scope `appointments:read`.
     *
     * @param input The query.
     * @param options Settings of this call.
     * @returns `await` it for one page, or walk the rows of all pages with `for await`.
     * @throws ClinicDataError, or the reason of `signal`.
     * @example
     * for await (const row of client.appointments.list({ from: '2026-07-14', to: '2026-07-14', branch_id: 'haifa' })) {
     *   console.log(row.id)
     * }
     */
    list(
      input: AppointmentsListInput & { response_format: 'detailed' },
      options?: RequestOptions,
    ): Pages<AppointmentDetailed>
    /**
     * List appointments. Sorted by `start`, earliest first. Filters combine with AND.
     *
     * `GET /v1/appointments`, scope `appointments:read`.
     *
     * @param input The query.
     * @param options Settings of this call.
     * @returns `await` it for one page, or walk the rows of all pages with `for await`.
     * @throws ClinicDataError, or the reason of `signal`.
     * @example
     * for await (const row of client.appointments.list({ from: '2026-07-14', to: '2026-07-14', branch_id: 'haifa' })) {
     *   console.log(row.id)
     * }
     */
    list(input?: AppointmentsListInput, options?: RequestOptions): Pages<Appointment>
    /**
     * One appointment. By id.
     *
     * `GET /v1/appointments/{id}`, scope `appointments:read`.
     *
     * @param appointment_id The id of the appointment.
     * @param input The query.
     * @param options Settings of this call.
     * @returns The answer: what was asked for is its `data`.
     * @throws ClinicDataError, or the reason of `signal`.
     * @example
     * const { data } = await client.appointments.get('a88012')
     */
    get(
      appointment_id: string,
      input: AppointmentsGetInput & { response_format: 'detailed' },
      options?: RequestOptions,
    ): Promise<{
      data: AppointmentDetailed
    }>
    /**
     * One appointment. By id.
     *
     * `GET /v1/appointments/{id}`, scope `appointments:read`.
     *
     * @param appointment_id The id of the appointment.
     * @param input The query.
     * @param options Settings of this call.
     * @returns The answer: what was asked for is its `data`.
     * @throws ClinicDataError, or the reason of `signal`.
     * @example
     * const { data } = await client.appointments.get('a88012')
     */
    get(
      appointment_id: string,
      input?: AppointmentsGetInput,
      options?: RequestOptions,
    ): Promise<{
      data: Appointment
    }>
  }
  availability: {
    /**
     * Free slots of a branch, or of several. Each slot is the longest free window of one provider at the branch. It lies within the working hours, outside of time off and of appointments that are not cancelled, and never crosses midnight. An appointment without an end takes its type's duration. Today's first slot begins at the next step of the clinic's clock (every 5 minutes unless the clinic chose another step). A visit may start at any time from `start` to `latest_start`: it then ends within the window. Name its length in `duration_minutes`; without it, and at least, it is the clinic's shortest visit. One request covers at most 31 days. Sorted by start, then by provider. `further_branch_ids` adds other branches.
     *
     * `GET /v1/availability`, scope `availability:read`.
     *
     * @param input The query.
     * @param options Settings of this call.
     * @returns The answer: what was asked for is its `data`.
     * @throws ClinicDataError, or the reason of `signal`.
     * @example
     * const { data } = await client.availability.list({ from: '2026-07-26', to: '2026-07-30', branch_id: 'haifa' })
     */
    list(
      input: AvailabilityListInput,
      options?: RequestOptions,
    ): Promise<{
      data: AvailabilitySlot[]
      /** Only on an empty list whose filters name an id that this clinic does not have. */
      meta?: {
        warnings: Warning[]
      }
    }>
  }
  treatments: {
    /**
     * A patient's recorded treatments. Sorted by `performed_at`, latest first.
     *
     * `GET /v1/patients/{id}/treatments`, scope `treatments:read`.
     *
     * @param patient_id The id of the patient.
     * @param input The query.
     * @param options Settings of this call.
     * @returns `await` it for one page, or walk the rows of all pages with `for await`.
     * @throws ClinicDataError, or the reason of `signal`.
     * @example
     * for await (const row of client.treatments.list('p1042')) {
     *   console.log(row.id)
     * }
     */
    list(patient_id: string, input?: TreatmentsListInput, options?: RequestOptions): Pages<Treatment>
    /**
     * One recorded treatment. By id. A removed treatment is not found.
     *
     * `GET /v1/treatments/{id}`, scope `treatments:read`.
     *
     * @param treatment_id The id of the treatment.
     * @param input Nothing.
     * @param options Settings of this call.
     * @returns The answer: what was asked for is its `data`.
     * @throws ClinicDataError, or the reason of `signal`.
     * @example
     * const { data } = await client.treatments.get('t5501')
     */
    get(
      treatment_id: string,
      input?: None,
      options?: RequestOptions,
    ): Promise<{
      data: Treatment
    }>
  }
  payments: {
    /**
     * A patient's payments and refunds. Sorted by `paid_at`, latest first. A refund is a payment of its own.
     *
     * `GET /v1/patients/{id}/payments`, scope `payments:read`.
     *
     * @param patient_id The id of the patient.
     * @param input The query.
     * @param options Settings of this call.
     * @returns `await` it for one page, or walk the rows of all pages with `for await`.
     * @throws ClinicDataError, or the reason of `signal`.
     * @example
     * for await (const row of client.payments.list('p1042')) {
     *   console.log(row.id)
     * }
     */
    list(patient_id: string, input?: PaymentsListInput, options?: RequestOptions): Pages<Payment>
    /**
     * Record a payment. Records a payment and issues its accounting documents. `billing_account_id` may be omitted only when the clinic has exactly one billing account. Refunds are made at the clinic alone.
     *
     * `POST /v1/patients/{id}/payments`, scope `payments:write`.
     *
     * @param patient_id The id of the patient.
     * @param input The fields of the body.
     * @param options Settings of this call, and its `idempotencyKey`.
     * @returns The answer: what was asked for is its `data`.
     * @throws ClinicDataError, or the reason of `signal`.
     * @example
     * const { data } = await client.payments.create('p1042', { amount: 350, method_type: 'credit_card', billing_account_id: 'main' })
     */
    create(
      patient_id: string,
      input: PaymentsCreateInput,
      options?: RequestOptions,
    ): Promise<{
      data: Payment
    }>
    /**
     * The clinic's payments and refunds. Those of all patients, sorted by `paid_at`, latest first. A refund is a payment of its own.
     *
     * `GET /v1/payments`, scope `payments:read`.
     *
     * @param input The query.
     * @param options Settings of this call.
     * @returns `await` it for one page, or walk the rows of all pages with `for await`.
     * @throws ClinicDataError, or the reason of `signal`.
     * @example
     * for await (const row of client.payments.search({ from: '2026-07-01', to: '2026-07-31' })) {
     *   console.log(row.id)
     * }
     */
    search(input?: PaymentsSearchInput, options?: RequestOptions): Pages<Payment>
    /**
     * One payment. By id. Card, check and bank details are never part of a payment.
     *
     * `GET /v1/payments/{id}`, scope `payments:read`.
     *
     * @param payment_id The id of the payment.
     * @param input Nothing.
     * @param options Settings of this call.
     * @returns The answer: what was asked for is its `data`.
     * @throws ClinicDataError, or the reason of `signal`.
     * @example
     * const { data } = await client.payments.get('pay9001')
     */
    get(
      payment_id: string,
      input?: None,
      options?: RequestOptions,
    ): Promise<{
      data: Payment
    }>
  }
  catalog: {
    appointment_statuses: {
      /**
       * Appointment statuses. Every status an appointment can have in this clinic.
       *
       * `GET /v1/catalog/appointments/statuses`, scope `catalog:read`.
       *
       * @param input Nothing.
       * @param options Settings of this call.
       * @returns The answer: what was asked for is its `data`.
       * @throws ClinicDataError, or the reason of `signal`.
       * @example
       * const { data } = await client.catalog.appointment_statuses.list()
       */
      list(
        input?: None,
        options?: RequestOptions,
      ): Promise<{
        data: AppointmentStatus[]
      }>
    }
    appointment_types: {
      /**
       * Appointment types. Every type of appointment, with its default duration.
       *
       * `GET /v1/catalog/appointments/types`, scope `catalog:read`.
       *
       * @param input Nothing.
       * @param options Settings of this call.
       * @returns The answer: what was asked for is its `data`.
       * @throws ClinicDataError, or the reason of `signal`.
       * @example
       * const { data } = await client.catalog.appointment_types.list()
       */
      list(
        input?: None,
        options?: RequestOptions,
      ): Promise<{
        data: AppointmentType[]
      }>
    }
    billing_accounts: {
      /**
       * Billing accounts. The receipt books. To record a payment, send the id of one as `billing_account_id`.
       *
       * `GET /v1/catalog/billing/accounts`, scope `catalog:read`.
       *
       * @param input Nothing.
       * @param options Settings of this call.
       * @returns The answer: what was asked for is its `data`.
       * @throws ClinicDataError, or the reason of `signal`.
       * @example
       * const { data } = await client.catalog.billing_accounts.list()
       */
      list(
        input?: None,
        options?: RequestOptions,
      ): Promise<{
        data: BillingAccount[]
      }>
    }
    branches: {
      /**
       * Branches. Every branch of the clinic.
       *
       * `GET /v1/catalog/branches`, scope `catalog:read`.
       *
       * @param input Nothing.
       * @param options Settings of this call.
       * @returns The answer: what was asked for is its `data`.
       * @throws ClinicDataError, or the reason of `signal`.
       * @example
       * const { data } = await client.catalog.branches.list()
       */
      list(
        input?: None,
        options?: RequestOptions,
      ): Promise<{
        data: Branch[]
      }>
    }
    providers: {
      /**
       * Providers. Everyone who treats patients.
       *
       * `GET /v1/catalog/providers`, scope `catalog:read`.
       *
       * @param input Nothing.
       * @param options Settings of this call.
       * @returns The answer: what was asked for is its `data`.
       * @throws ClinicDataError, or the reason of `signal`.
       * @example
       * const { data } = await client.catalog.providers.list()
       */
      list(
        input?: None,
        options?: RequestOptions,
      ): Promise<{
        data: Provider[]
      }>
    }
    treatments: {
      /**
       * Treatment menu. The procedures that the clinic offers, with their default prices.
       *
       * `GET /v1/catalog/treatments`, scope `catalog:read`.
       *
       * @param input Nothing.
       * @param options Settings of this call.
       * @returns The answer: what was asked for is its `data`.
       * @throws ClinicDataError, or the reason of `signal`.
       * @example
       * const { data } = await client.catalog.treatments.list()
       */
      list(
        input?: None,
        options?: RequestOptions,
      ): Promise<{
        data: CatalogTreatment[]
      }>
    }
  }
  leads: {
    /**
     * List leads. Latest first. `has_been_contacted=false` with `status=new` finds the people whom the clinic has not called or written to yet.
     *
     * `GET /v1/leads`, scope `leads:read`.
     *
     * @param input The query.
     * @param options Settings of this call.
     * @returns `await` it for one page, or walk the rows of all pages with `for await`.
     * @throws ClinicDataError, or the reason of `signal`.
     * @example
     * for await (const row of client.leads.list({ status: 'converted' })) {
     *   console.log(row.id)
     * }
     */
    list(input?: LeadsListInput, options?: RequestOptions): Pages<LeadDetailed>
    /**
     * Capture a lead. 201: the lead was created. 200: it existed already, because the `external_id` was known or the phone or email matched an open lead. The submission is then added to the activity timeline of the existing lead, and that lead is returned.
     *
     * `POST /v1/leads`, scope `leads:write`.
     *
     * @param input The fields of the body.
     * @param options Settings of this call, and its `idempotencyKey`.
     * @returns The answer: what was asked for is its `data`.
     * @throws ClinicDataError, or the reason of `signal`.
     * @example
     * const { data } = await client.leads.create({
     *   first_name: 'Dana',
     *   phone: '052-765-4321',
     *   source: 'social',
     *   external_id: 'form-8841',
     * })
     */
    create(
      input: LeadRequest,
      options?: RequestOptions,
    ): Promise<{
      data: Lead
    }>
    /**
     * One lead. By id.
     *
     * `GET /v1/leads/{id}`, scope `leads:read`.
     *
     * @param lead_id The id of the lead.
     * @param input Nothing.
     * @param options Settings of this call.
     * @returns The answer: what was asked for is its `data`.
     * @throws ClinicDataError, or the reason of `signal`.
     * @example
     * const { data } = await client.leads.get('l301')
     */
    get(
      lead_id: string,
      input?: None,
      options?: RequestOptions,
    ): Promise<{
      data: LeadDetailed
    }>
  }
  calls: {
    /**
     * List calls. Latest first. `patient_id` finds calls with any phone of the patient. `transcript.segments` is null in lists: get one call to read them.
     *
     * `GET /v1/calls`, scope `calls:read`.
     *
     * @param input The query.
     * @param options Settings of this call.
     * @returns `await` it for one page, or walk the rows of all pages with `for await`.
     * @throws ClinicDataError, or the reason of `signal`.
     * @example
     * for await (const row of client.calls.list({ from: '2026-07-12', direction: 'inbound' })) {
     *   console.log(row.id)
     * }
     */
    list(input?: CallsListInput, options?: RequestOptions): Pages<Call>
    /**
     * One call. By id. Includes the whole transcript, if there is one.
     *
     * `GET /v1/calls/{id}`, scope `calls:read`.
     *
     * @param call_id The id of the call.
     * @param input Nothing.
     * @param options Settings of this call.
     * @returns The answer: what was asked for is its `data`.
     * @throws ClinicDataError, or the reason of `signal`.
     * @example
     * const { data } = await client.calls.get('c7710')
     */
    get(
      call_id: string,
      input?: None,
      options?: RequestOptions,
    ): Promise<{
      data: Call
    }>
    recording: {
      /**
       * A link to the recording. Answers a signed link. The link needs no key, is valid for 15 minutes and serves `Range`. 404 if there is no recording yet.
       *
       * `GET /v1/calls/{id}/recording`, scope `calls:read`.
       *
       * @param call_id The id of the call.
       * @param input Nothing.
       * @param options Settings of this call.
       * @returns A signed link to the file.
       * @throws ClinicDataError, or the reason of `signal`.
       * @example
       * const { data } = await client.calls.recording.get('c7710')
       */
      get(
        call_id: string,
        input?: None,
        options?: RequestOptions,
      ): Promise<{
        data: FileLink
      }>
    }
  }
  chat: {
    conversations: {
      /**
       * List conversations. Latest activity first. One conversation per phone number that the clinic has exchanged messages with.
       *
       * `GET /v1/chat/conversations`, scope `chat:read`.
       *
       * @param input The query.
       * @param options Settings of this call.
       * @returns `await` it for one page, or walk the rows of all pages with `for await`.
       * @throws ClinicDataError, or the reason of `signal`.
       * @example
       * for await (const row of client.chat.conversations.list({ is_handled: false })) {
       *   console.log(row.id)
       * }
       */
      list(input?: ChatConversationsListInput, options?: RequestOptions): Pages<ChatConversation>
      /**
       * One conversation. By id.
       *
       * `GET /v1/chat/conversations/{id}`, scope `chat:read`.
       *
       * @param conversation_id The id of the conversation.
       * @param input Nothing.
       * @param options Settings of this call.
       * @returns The answer: what was asked for is its `data`.
       * @throws ClinicDataError, or the reason of `signal`.
       * @example
       * const { data } = await client.chat.conversations.get('conv310')
       */
      get(
        conversation_id: string,
        input?: None,
        options?: RequestOptions,
      ): Promise<{
        data: ChatConversation
      }>
      messages: {
        /**
         * Messages of a conversation. Latest first.
         *
         * `GET /v1/chat/conversations/{id}/messages`, scope `chat:read`.
         *
         * @param conversation_id The id of the conversation.
         * @param input The query.
         * @param options Settings of this call.
         * @returns `await` it for one page, or walk the rows of all pages with `for await`.
         * @throws ClinicDataError, or the reason of `signal`.
         * @example
         * for await (const row of client.chat.conversations.messages.list('conv310')) {
         *   console.log(row.id)
         * }
         */
        list(
          conversation_id: string,
          input?: ChatConversationsMessagesListInput,
          options?: RequestOptions,
        ): Pages<ChatMessage>
      }
    }
    messages: {
      /**
       * List messages. Latest first.
       *
       * `GET /v1/chat/messages`, scope `chat:read`.
       *
       * @param input The query.
       * @param options Settings of this call.
       * @returns `await` it for one page, or walk the rows of all pages with `for await`.
       * @throws ClinicDataError, or the reason of `signal`.
       * @example
       * for await (const row of client.chat.messages.list({ direction: 'inbound', from: '2026-07-12' })) {
       *   console.log(row.id)
       * }
       */
      list(input?: ChatMessagesListInput, options?: RequestOptions): Pages<ChatMessage>
      /**
       * Send a message to a patient. Answers the message with the status `queued`. Outside the 24-hour window, free text is wrapped in a marketing template. `meta.delivery_mode` says how the message is sent.
       *
       * `POST /v1/chat/messages`, scope `chat:write`.
       *
       * @param input The fields of the body.
       * @param options Settings of this call, and its `idempotencyKey`.
       * @returns The answer: what was asked for is its `data`.
       * @throws ClinicDataError, or the reason of `signal`.
       * @example
       * const { data } = await client.chat.messages.create({ patient_id: 'p1042', text: 'See you on Tuesday!' })
       */
      create(
        input?: ChatMessagesCreateInput,
        options?: RequestOptions,
      ): Promise<{
        data: ChatMessage
        meta: {
          delivery_mode: Open<'free_text' | 'marketing_template' | 'template'>
        }
      }>
      /**
       * One message. By its whole id, with the prefix (`in_…` or `out_…`).
       *
       * `GET /v1/chat/messages/{id}`, scope `chat:read`.
       *
       * @param message_id The id of the message.
       * @param input Nothing.
       * @param options Settings of this call.
       * @returns The answer: what was asked for is its `data`.
       * @throws ClinicDataError, or the reason of `signal`.
       * @example
       * const { data } = await client.chat.messages.get('out_70412')
       */
      get(
        message_id: string,
        input?: None,
        options?: RequestOptions,
      ): Promise<{
        data: ChatMessage
      }>
      media: {
        /**
         * A link to a message's media. Answers a signed link. The link needs no key, is valid for 15 minutes and serves `Range`. 404 if there is no file.
         *
         * `GET /v1/chat/messages/{id}/media`, scope `chat:read`.
         *
         * @param message_id The id of the message.
         * @param input Nothing.
         * @param options Settings of this call.
         * @returns A signed link to the file.
         * @throws ClinicDataError, or the reason of `signal`.
         * @example
         * const { data } = await client.chat.messages.media.get('in_88120')
         */
        get(
          message_id: string,
          input?: None,
          options?: RequestOptions,
        ): Promise<{
          data: FileLink
        }>
      }
    }
    templates: {
      /**
       * Message templates. Sorted by name. Only approved templates, unless `status` asks for others.
       *
       * `GET /v1/chat/templates`, scope `chat:read`.
       *
       * @param input The query.
       * @param options Settings of this call.
       * @returns `await` it for one page, or walk the rows of all pages with `for await`.
       * @throws ClinicDataError, or the reason of `signal`.
       * @example
       * for await (const row of client.chat.templates.list({ category: 'utility' })) {
       *   console.log(row.id)
       * }
       */
      list(input?: ChatTemplatesListInput, options?: RequestOptions): Pages<ChatTemplate>
    }
  }
  metrics: {
    /**
     * Describe the datasets. Lists the measures, dimensions and filters of each dataset. A query may use only these names. A name is left out if the key lacks its scope.
     *
     * `GET /v1/metrics`, scope `analytics:read`.
     *
     * @param input The query.
     * @param options Settings of this call.
     * @returns The answer: what was asked for is its `data`.
     * @throws ClinicDataError, or the reason of `signal`.
     * @example
     * const { data } = await client.metrics.describe({ dataset: 'treatments' })
     */
    describe(
      input?: MetricsDescribeInput,
      options?: RequestOptions,
    ): Promise<{
      data: {
        datasets: DatasetDescriptor[]
      }
    }>
  }
  query: {
    /**
     * Run one aggregation. Groups and aggregates one dataset. Answers rows, and totals over the whole filtered set. Describe the dataset first: a query names its measures, dimensions and filters.
     *
     * `POST /v1/query`, scope `analytics:read`.
     *
     * @param input The fields of the body.
     * @param options Settings of this call.
     * @returns The answer: what was asked for is its `data`.
     * @throws ClinicDataError, or the reason of `signal`.
     * @example
     * const { data } = await client.query.run({
     *   dataset: 'treatments',
     *   measures: ['net_revenue'],
     *   dimensions: ['provider', { field: 'effective_date', grain: 'month' }],
     *   filters: [
     *     { field: 'effective_date', op: 'between', value: ['2026-01-01', '2026-06-30'] },
     *   ],
     *   order: [{ by: 'net_revenue', dir: 'desc' }],
     *   limit: 100,
     * })
     */
    run(
      input: Query,
      options?: RequestOptions,
    ): Promise<{
      data: QueryResult
      /** Only if a filter of the query names an id that this clinic does not have. */
      meta?: {
        warnings: Warning[]
      }
    }>
  }
  events: {
    /**
     * The event feed. Every event once, in order. Without `cursor` and `since` the feed starts now. After each answer, send its `resume_cursor` back as `cursor`. The `chat.*` types also need `chat:read`. A request that names no types gets chat events only with that scope. While `next_cursor` is not null, more events can be read at once, even if this page has few rows or none.
     *
     * `GET /v1/events`, scope `webhooks:manage`.
     *
     * @param input The query.
     * @param options Settings of this call.
     * @returns `await` it for one page, or walk the rows of all pages with `for await`.
     * @throws ClinicDataError, or the reason of `signal`.
     * @example
     * for await (const row of client.events.list({ event_types: 'appointment.created', since: '2026-07-01T00:00:00+03:00' })) {
     *   console.log(row.id)
     * }
     */
    list(input?: EventsListInput, options?: RequestOptions): Pages<EventEnvelope, EventsListPage>
  }
  webhooks: {
    /**
     * List subscriptions. Every subscription of the clinic, with its secret masked.
     *
     * `GET /v1/webhooks`, scope `webhooks:manage`.
     *
     * @param input Nothing.
     * @param options Settings of this call.
     * @returns The answer: what was asked for is its `data`.
     * @throws ClinicDataError, or the reason of `signal`.
     * @example
     * const { data } = await client.webhooks.list()
     */
    list(
      input?: None,
      options?: RequestOptions,
    ): Promise<{
      data: Webhook[]
    }>
    /**
     * Subscribe to events. The signing secret is shown only in this answer. Every `chat.*` type also needs `chat:read`.
     *
     * `POST /v1/webhooks`, scope `webhooks:manage`.
     *
     * @param input The fields of the body.
     * @param options Settings of this call, and its `idempotencyKey`.
     * @returns The answer: what was asked for is its `data`.
     * @throws ClinicDataError, or the reason of `signal`.
     * @example
     * const { data } = await client.webhooks.create({
     *   url: 'https://crm.example.com/hooks/clinic',
     *   event_types: ['appointment.created', 'appointment.updated'],
     *   description: 'CRM, production',
     * })
     */
    create(
      input: WebhookRequest,
      options?: RequestOptions,
    ): Promise<{
      data: Webhook
    }>
    /**
     * One subscription. By id, with its secret masked.
     *
     * `GET /v1/webhooks/{id}`, scope `webhooks:manage`.
     *
     * @param webhook_id The id of the webhook.
     * @param input Nothing.
     * @param options Settings of this call.
     * @returns The answer: what was asked for is its `data`.
     * @throws ClinicDataError, or the reason of `signal`.
     * @example
     * const { data } = await client.webhooks.get('wh31')
     */
    get(
      webhook_id: string,
      input?: None,
      options?: RequestOptions,
    ): Promise<{
      data: Webhook
    }>
    /**
     * Change a subscription. Changes the fields that are sent; the others and the secret stay. Deliveries that wait are still sent, to the `url` of that moment, also those of a type that is no longer wanted. A new `url` closes the circuit, and waiting retries are due at once. It needs `chat:read` too if the subscription wants `chat.*` types or ever did. `enabled` false pauses it: running attempts are broken off, waiting deliveries fail, and the events that come make no deliveries. `enabled` true sends the events from then on, and needs `chat:read` likewise; `POST /v1/webhooks/{id}/replay` with `only` `all` sends the missed ones. 409 if the subscription was disabled for its failures, which is final.
     *
     * `PATCH /v1/webhooks/{id}`, scope `webhooks:manage`.
     *
     * @param webhook_id The id of the webhook.
     * @param input The fields of the body.
     * @param options Settings of this call.
     * @returns The answer: what was asked for is its `data`.
     * @throws ClinicDataError, or the reason of `signal`.
     * @example
     * const { data } = await client.webhooks.update('wh31', {
     *   event_types: ['appointment.created', 'appointment.cancelled'],
     *   description: 'CRM, bookings',
     * })
     */
    update(
      webhook_id: string,
      input?: WebhookChange,
      options?: RequestOptions,
    ): Promise<{
      data: Webhook
    }>
    /**
     * Delete a subscription. Stops all future deliveries.
     *
     * `DELETE /v1/webhooks/{id}`, scope `webhooks:manage`.
     *
     * @param webhook_id The id of the webhook.
     * @param input Nothing.
     * @param options Settings of this call.
     * @returns Nothing.
     * @throws ClinicDataError, or the reason of `signal`.
     * @example
     * await client.webhooks.delete('wh32')
     */
    delete(webhook_id: string, input?: None, options?: RequestOptions): Promise<undefined>
    deliveries: {
      /**
       * The delivery log. Latest first. Each event has one row, which lists its attempts.
       *
       * `GET /v1/webhooks/{id}/deliveries`, scope `webhooks:manage`.
       *
       * @param webhook_id The id of the webhook.
       * @param input The query.
       * @param options Settings of this call.
       * @returns `await` it for one page, or walk the rows of all pages with `for await`.
       * @throws ClinicDataError, or the reason of `signal`.
       * @example
       * for await (const row of client.webhooks.deliveries.list('wh31')) {
       *   console.log(row.id)
       * }
       */
      list(webhook_id: string, input?: WebhooksDeliveriesListInput, options?: RequestOptions): Pages<Delivery>
      /**
       * Retry or resend a delivery now. Attempts a delivery within a second, even while the circuit is open, with the same event id and body. A `delivered` one is sent again too, and is `delivered` again even if that attempt fails. A 2xx closes the circuit. The schedule of the delivery stays as it was. 409 if it is being attempted, or if the subscription is disabled.
       *
       * `POST /v1/webhooks/{id}/deliveries/{delivery_id}/retry`, scope `webhooks:manage`.
       *
       * @param webhook_id The id of the webhook.
       * @param delivery_id The id of the delivery.
       * @param input Nothing.
       * @param options Settings of this call.
       * @returns The answer: what was asked for is its `data`.
       * @throws ClinicDataError, or the reason of `signal`.
       * @example
       * for await (const { id } of client.webhooks.deliveries.list('wh31')) {
       *   await client.webhooks.deliveries.retry('wh31', id)
       *   break
       * }
       */
      retry(
        webhook_id: string,
        delivery_id: string,
        input?: None,
        options?: RequestOptions,
      ): Promise<{
        data: Delivery
      }>
    }
    /**
     * Replay a time range. Sends the events of a time range (at most 30 days back) again: those whose delivery failed, or all. All includes events from before the subscription was made. Test events are not replayed: retry them. One request sends at most 50,000 events.
     *
     * `POST /v1/webhooks/{id}/replay`, scope `webhooks:manage`.
     *
     * @param webhook_id The id of the webhook.
     * @param input The fields of the body.
     * @param options Settings of this call.
     * @returns The answer: what was asked for is its `data`.
     * @throws ClinicDataError, or the reason of `signal`.
     * @example
     * const { data } = await client.webhooks.replay('wh31', { since: '2026-07-12T00:00:00+03:00' })
     */
    replay(
      webhook_id: string,
      input: WebhooksReplayInput,
      options?: RequestOptions,
    ): Promise<{
      data: {
        /** The number of events that will be sent again. */
        matched: number
      }
    }>
    secret: {
      /**
       * Rotate the signing secret. Makes a new secret, shown only in this answer. For 24 hours deliveries are signed with both: `webhook-signature` lists a signature of each secret, and `X-Service-Signature` is still that of the former one. Then the former secret is erased. Give your receiver both secrets for that time. The secret of a paused subscription is replaced at once, and none before it signs any more: give your receiver the new one, then enable the subscription. 409 if the subscription was disabled for its failures, or its secret was rotated four times within 24 hours.
       *
       * `POST /v1/webhooks/{id}/secret/rotate`, scope `webhooks:manage`.
       *
       * @param webhook_id The id of the webhook.
       * @param input Nothing.
       * @param options Settings of this call.
       * @returns The answer: what was asked for is its `data`.
       * @throws ClinicDataError, or the reason of `signal`.
       * @example
       * const { data } = await client.webhooks.secret.rotate('wh31')
       */
      rotate(
        webhook_id: string,
        input?: None,
        options?: RequestOptions,
      ): Promise<{
        data: Webhook
      }>
    }
    /**
     * Send a test event. Delivers an example of an event type, marked `test: true`. It is sent within a second, even while the circuit is open.
     *
     * `POST /v1/webhooks/{id}/test`, scope `webhooks:manage`.
     *
     * @param webhook_id The id of the webhook.
     * @param input The fields of the body.
     * @param options Settings of this call.
     * @returns The answer: what was asked for is its `data`.
     * @throws ClinicDataError, or the reason of `signal`.
     * @example
     * const { data } = await client.webhooks.test('wh31', { event_type: 'appointment.updated' })
     */
    test(
      webhook_id: string,
      input: WebhooksTestInput,
      options?: RequestOptions,
    ): Promise<{
      data: Delivery
    }>
  }
}
