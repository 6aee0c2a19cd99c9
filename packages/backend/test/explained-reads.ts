// The questions of which every statement is explained: each operation that reads, with each of its filters alone and some together.
import type { Handlers } from '@clinic-data/contract'
import type { Input } from '@clinic-data/testing/grounds/ask'
import { sized } from '@clinic-data/testing/run/size'

const list = (id: keyof Handlers, shared: Input, ...queries: Record<string, unknown>[]) =>
  queries.map((query): [keyof Handlers, Input] => [id, { ...shared, query: { ...shared.query, ...query } }])

/** The changes of the last two days of the clinic's data, a few hundred rows of each kind, and those of its second half. */
const since = { updated_since: '2025-02-18T00:00:00Z' }
const longSince = { updated_since: '2024-08-01T00:00:00Z' }
const period = { from: '2025-01-10', to: '2025-01-12T00:00:00Z' }
const patient = { params: { id: 'p77' } }
/** A clinic of the everyday size has so few events that any index serves. */
const busyEvents = sized({ everyday: [], long: [{ event_type: 'call.updated', status: 'failed' }] })

export const reads: readonly [keyof Handlers, Input][] = [
  ...list('patients.list', {}, {}, longSince, since, { response_format: 'detailed' }),
  ...list(
    'patients.list',
    {},
    { phone: '0510000077' },
    { email: 'p77@example.com' },
    { phone: '0510000077', ...since },
  ),
  // The last ones find by sound alone, or nobody.
  ...['na', 'n', 'le', 'le7 na', 'na1 l', 'nobody', 'na le77', 'но', 'ли но', 'николай', 'но николай'].flatMap(
    (query) =>
      list('patients.list', { query: { query } }, {}, since, { response_format: 'detailed' }, { phone: '0510000077' }),
  ),
  // A filter that few patients meet reads past the others (docs/decisions/0131), so these are met by many.
  ...list(
    'patients.list',
    {},
    { birthday_from: '12-28', birthday_to: '01-03' },
    { has_future_appointment: true },
    { last_visit_after: '2025-02-10' },
    { last_payment_after: '2025-02-10' },
    { last_payment_before: '2024-11-01' },
    { owes_more_than: 0 },
  ),
  ...list('patients.get', patient, {}, { response_format: 'detailed' }),
  ...list(
    'appointments.list',
    {},
    {},
    since,
    period,
    { response_format: 'detailed' },
    { from: '2025-01-10' },
    { to: '2025-01-10' },
  ),
  ...['branch1', 'nowhere'].flatMap((branch_id) =>
    list('appointments.list', { query: { branch_id } }, {}, period, since),
  ),
  ...['status1', 'status8', 'none'].flatMap((status_id) =>
    list('appointments.list', { query: { status_id } }, {}, period, since),
  ),
  ...['provider1', 'provider20', 'nobody'].flatMap((provider_id) =>
    list(
      'appointments.list',
      { query: { provider_id } },
      {},
      period,
      since,
      { patient_id: 'p77' },
      { branch_id: 'branch1' },
    ),
  ),
  ...list(
    'appointments.list',
    { query: { patient_id: 'p77' } },
    {},
    period,
    since,
    { branch_id: 'branch1' },
    { status_id: 'status1' },
  ),
  ...list('patients.appointments.list', patient, {}, period, since, { provider_id: 'provider1' }),
  ...list('appointments.get', { params: { id: 'a77' } }, {}, { response_format: 'detailed' }),
  ...list(
    'availability.list',
    { query: { branch_id: 'branch1', from: '2025-02-20', to: '2025-03-22' } },
    {},
    { provider_id: 'provider5' },
    { further_branch_ids: 'branch2,branch3' },
  ),
  ['availability.list', { query: { branch_id: 'branch1', from: '2024-02-20', to: '2024-03-01' } }],
  ...list('treatments.list', patient, {}, since, { appointment_id: 'a77' }),
  ['treatments.get', { params: { id: 't77' } }],
  ...list('payments.search', {}, {}, since, period, { method_type: 'cash' }, { method_type: 'check', ...since }),
  ...list('payments.list', patient, {}, since, period),
  ['payments.get', { params: { id: 'y77' } }],
  ...(
    ['branches', 'appointment_types', 'appointment_statuses', 'treatments', 'providers', 'billing_accounts'] as const
  ).map((name): [keyof Handlers, Input] => [`catalog.${name}.list`, {}]),
  ...list(
    'calls.list',
    {},
    {},
    since,
    period,
    { direction: 'outbound' },
    { status: 'voicemail' },
    { branch_id: 'branch1' },
  ),
  ...list('calls.list', {}, { branch_id: 'nowhere' }, { has_recording: true }, { has_recording: false }),
  ...list('calls.list', {}, { transcript_status: 'failed' }, { transcript_status: 'completed', ...period }),
  ...list(
    'calls.list',
    {},
    { phone: '0510000077' },
    { phone: '0510000077', ...since },
    { patient_id: 'p77' },
    { patient_id: 'nobody' },
  ),
  ...list('patients.calls.list', patient, {}, since, period, { status: 'missed' }),
  ['calls.get', { params: { id: 'c77' } }],
  ['calls.recording.get', { params: { id: 'c400' } }],
  ...list(
    'leads.list',
    {},
    {},
    longSince,
    since,
    period,
    { status: 'new' },
    { status: 'in_progress' },
    { source: 'bot' },
    { phone: '0510000077' },
    { email: 'l77@example.com' },
  ),
  // As of patients: what few leads meet reads past the others, so these are met by many.
  ...list('leads.list', {}, { has_been_contacted: true }, { has_been_contacted: false }),
  ...list('leads.list', { query: { status: 'new' } }, { has_been_contacted: false }, since),
  ['leads.get', { params: { id: 'l77' } }],
  ...list(
    'chat.conversations.list',
    {},
    {},
    longSince,
    since,
    { is_handled: true },
    { is_handled: false },
    { window_open: true },
  ),
  ...list(
    'chat.conversations.list',
    {},
    { window_open: false },
    { window_open: true, is_handled: true },
    { window_open: true, ...since },
  ),
  ...list(
    'chat.conversations.list',
    {},
    { phone: '0510000077' },
    { patient_id: 'p77' },
    { patient_id: 'p77', ...since },
  ),
  ['chat.conversations.get', { params: { id: 'v77' } }],
  ...list(
    'chat.messages.list',
    {},
    {},
    since,
    period,
    { direction: 'outbound' },
    { status: 'failed' },
    { type: 'video' },
  ),
  ...list(
    'chat.messages.list',
    {},
    { status: 'queued' },
    { type: 'audio' },
    { conversation_id: 'v2' },
    { conversation_id: 'none' },
  ),
  ...list('chat.messages.list', {}, { phone: '0510000077' }, { patient_id: 'p2' }, { patient_id: 'p2', ...since }),
  ...list('chat.messages.list', {}, { patient_id: 'p2', conversation_id: 'v2' }),
  ...list('chat.conversations.messages.list', { params: { id: 'v2' } }, {}, period, since),
  ...list('patients.chat_messages.list', { params: { id: 'p2' } }, {}, period, since),
  ['chat.messages.get', { params: { id: 'in_77' } }],
  ['chat.messages.media.get', { params: { id: 'in_6000' } }],
  ...list('chat.templates.list', {}, {}, { category: 'utility' }, { language: 'he' }, { status: 'paused' }),
  ...list(
    'events.list',
    {},
    { since: '2025-01-25T00:00:00Z' },
    { since: '2025-01-25T00:00:00Z', event_types: 'patient.created' },
    { since: '2025-02-09T00:00:00Z', event_types: 'payment.recorded,call.completed' },
  ),
  ['webhooks.list', {}],
  ['webhooks.get', { params: { id: 'hook1' } }],
  ...['hook1', 'hook2', 'hook3'].flatMap((id) =>
    list(
      'webhooks.deliveries.list',
      { params: { id } },
      {},
      { status: 'failed' },
      { status: 'pending' },
      { event_type: 'patient.created' },
      { record_id: 'p77' },
      { record_id: 'nothing' },
      ...busyEvents,
    ),
  ),
  ...list('webhooks.deliveries.list', { params: { id: 'hook1' } }, { status: 'delivered' }),
]
