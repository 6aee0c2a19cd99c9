// Examples are plausible data: each keeps its resource's rules, matches its event or operation, and could be the result of the
// request beside it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventResources } from '../src/event-examples.ts'
import { type EventType, events, eventTypes } from '../src/event-types.ts'
import { validatorOf } from '../src/input/validator.ts'
import type { Operation } from '../src/operation.ts'
import { allOperations } from '../src/operations.ts'
import { exampleAnswer } from '../src/projections/example-answer.ts'
import { webhooks } from '../src/projections/openapi-webhooks.ts'
import type { Appointment } from '../src/resources/appointment.ts'
import type { AvailabilitySlot } from '../src/resources/availability-slot.ts'
import type { Call } from '../src/resources/call.ts'
import type { ChatConversation, ChatMessage } from '../src/resources/chat.ts'
import type { Payment } from '../src/resources/payment.ts'
import type { Delivery, EventEnvelope, Webhook } from '../src/resources/webhook.ts'
import type { JsonSchema } from '../src/schema/json-schema.ts'
import { nameOf, type Static, type TSchema } from '../src/schema/schema.ts'

type Data = Record<string, unknown>

const seconds = (from: string | null, to: string | null) => (Date.parse(to ?? '') - Date.parse(from ?? '')) / 1000
const isLocalOf = (local: string | null, phone: string | null) => `0${phone?.slice('+972'.length)}` === local

function holdAppointment({ start, end, type }: Static<typeof Appointment>): void {
  assert.equal(seconds(start, end), (type?.duration_minutes ?? 0) * 60)
}

function holdCall(call: Static<typeof Call>): void {
  const { transcript, recording } = call
  const [patient, ours] =
    call.direction === 'inbound' ? [call.from_phone, call.to_phone] : [call.to_phone, call.from_phone]
  assert.ok(isLocalOf(call.patient_phone, patient) && ours === call.clinic_phone)
  assert.equal(call.answered_at !== null, call.status === 'answered')
  if (call.answered_at !== null) assert.equal(seconds(call.started_at, call.answered_at), call.ring_seconds)
  assert.equal(call.duration_seconds, call.answered_at === null ? 0 : seconds(call.answered_at, call.ended_at))
  assert.equal(recording.available, recording.duration_seconds !== null)
  if (transcript.status !== null) assert.ok(call.status === 'answered' && recording.available)
  assert.equal(transcript.summary !== null, transcript.status === 'completed')
  if (transcript.status !== 'completed') assert.deepEqual([transcript.language, transcript.segments], [null, null])
}

function holdMessage(message: Static<typeof ChatMessage>): void {
  const { direction, timestamps, status } = message
  const [patient, clinic] =
    direction === 'inbound' ? [message.from_phone, message.to_phone] : [message.to_phone, message.from_phone]
  assert.ok(isLocalOf(message.patient_phone, patient) && clinic !== patient)
  assert.ok(message.id.startsWith(direction === 'inbound' ? 'in_' : 'out_'))
  assert.equal(message.media.available && message.type === 'text', false)
  assert.equal(message.media.available, message.media.type !== null)
  if (direction === 'inbound') {
    assert.deepEqual([status, timestamps, message.template, message.failure_reason], ['received', null, null, null])
    return
  }
  assert.equal(message.replied_to_id, null)
  const { sent_at = null, delivered_at = null, read_at = null, failed_at = null } = timestamps ?? {}
  const reached = read_at ? 'read' : delivered_at ? 'delivered' : sent_at ? 'sent' : 'queued'
  assert.equal(status, failed_at ? 'failed' : reached)
  const order = [message.created_at, sent_at, delivered_at, read_at].filter((time) => time !== null)
  for (const [i, time] of order.entries()) assert.ok(seconds(order[Math.max(0, i - 1)] ?? null, time) >= -1)
}

function holdConversation(conversation: Static<typeof ChatConversation>): void {
  const { last_activity_at, last_inbound_at, last_outbound_at, free_text_window_expires_at } = conversation
  const latest = [last_inbound_at, last_outbound_at].toSorted((a, b) => seconds(a, b))[0]
  assert.equal(last_activity_at, latest)
  if (free_text_window_expires_at) assert.equal(seconds(last_inbound_at, free_text_window_expires_at), 24 * 3600)
}

function holdPayment({ status, is_refund, refunded_payment_id, refunds, amount }: Static<typeof Payment>): void {
  assert.equal(is_refund, refunded_payment_id !== null)
  const back = refunds.reduce((sum, refund) => sum + refund.amount, 0)
  assert.ok(back <= amount && !(is_refund && back > 0))
  if (status !== 'cancelled')
    assert.equal(status, back === 0 ? 'recorded' : back < amount ? 'partially_refunded' : 'refunded')
}

function holdDelivery(delivery: Static<typeof Delivery>): void {
  const { status, attempts, attempt_count, delivered_at, next_attempt_at } = delivery
  const last = attempts.at(-1)
  assert.equal(attempts.length, attempt_count)
  assert.deepEqual(
    attempts.map(({ number }) => number),
    attempts.map((_, i) => i + 1),
  )
  assert.deepEqual(
    [delivery.last_attempt_at, delivery.response_status, delivery.error],
    [last?.attempted_at ?? null, last?.response_status ?? null, last?.error ?? null],
  )
  assert.equal(delivered_at !== null, status === 'delivered')
  assert.equal(next_attempt_at !== null, status === 'pending')
  for (const { response_status, error } of attempts)
    assert.equal(error === null, response_status !== null && response_status < 300)
  if (attempt_count > 0) assert.equal(last?.error === null, status === 'delivered')
}

function holdWebhook({ enabled, disabled_at, disabled_reason, circuit }: Static<typeof Webhook>): void {
  assert.deepEqual([disabled_at === null, disabled_reason === null, circuit !== null], [enabled, enabled, enabled])
  assert.equal(circuit?.opened_at === null, circuit?.state === 'closed')
  assert.equal((circuit?.next_attempt_at ?? null) !== null, circuit?.state === 'open')
}

function holdSlot({ start, end, latest_start }: Static<typeof AvailabilitySlot>): void {
  assert.ok(seconds(start, latest_start) >= 0 && seconds(latest_start, end) > 0)
}

function holdEnvelope({ type, created_at, data }: Static<typeof EventEnvelope>): void {
  const resource = eventResources[events[type].resource]
  holdExample(resource, data)
  saysItsEvent(type, data)
  assert.equal(created_at, data.updated_at, 'the event is of the moment of the change')
}

/** By the name of the resource. */
const rules: Readonly<Record<string, (data: never) => void>> = {
  Appointment: holdAppointment,
  AppointmentDetailed: holdAppointment,
  AvailabilitySlot: holdSlot,
  Call: holdCall,
  ChatConversation: holdConversation,
  ChatMessage: holdMessage,
  Delivery: holdDelivery,
  EventEnvelope: holdEnvelope,
  Payment: holdPayment,
  Webhook: holdWebhook,
}

/** The facts about its data that the last word of an event type implies. */
const lastWords: Readonly<Record<string, (data: Data) => boolean>> = {
  created: isNew,
  updated: isChanged,
  cancelled: isChanged,
  recorded: isNew,
  sent: (data) => data.status === 'sent',
  delivered: (data) => data.status === 'delivered',
  read: (data) => data.status === 'read',
}

/** The facts that the last word does not give. */
const ownFacts: Readonly<Partial<Record<EventType, (data: Data) => boolean>>> = {
  'appointment.cancelled': (data) => at(data, 'status', 'id') === 'cancelled',
  'payment.recorded': (data) => data.status === 'recorded' && data.is_refund === false,
  'payment.cancelled': (data) => data.status !== 'recorded' && data.is_refund === false,
  'call.completed': (data) => isNew(data) && !hasRecording(data) && at(data, 'transcript', 'status') === null,
  'call.updated': (data) => data.note !== null,
  'call.recording.available': (data) => hasRecording(data) && at(data, 'transcript', 'status') === null,
  'call.transcript.completed': (data) =>
    at(data, 'transcript', 'status') === 'completed' && at(data, 'transcript', 'segments') !== null,
  'call.transcript.failed': (data) => hasRecording(data) && at(data, 'transcript', 'status') === 'failed',
  'chat.message.received': (data) => data.direction === 'inbound',
  'chat.message.failed': (data) => data.status === 'failed' && data.failure_reason === null,
}

const at = (data: Data, ...names: string[]) => names.reduce<unknown>((value, name) => (value as Data)?.[name], data)

function isNew({ created_at, updated_at }: Data): boolean {
  return created_at === updated_at
}

function isChanged({ created_at, updated_at }: Data): boolean {
  return seconds(String(created_at), String(updated_at)) > 0
}

function hasRecording(data: Data): boolean {
  return at(data, 'recording', 'available') === true
}

function saysItsEvent(type: EventType, data: Data): void {
  const facts = [lastWords[type.split('.').at(-1) ?? ''], ownFacts[type]].filter((fact) => fact !== undefined)
  assert.ok(facts.length > 0, `nothing is known of ${type}: name its facts in ownFacts`)
  for (const isMet of facts) assert.ok(isMet(data), `${type} is not what its example says`)
}

/** Asserts that the value, and every resource inside it, is valid, in order, and keeps its resource's rules. */
function holdExample(schema: TSchema, value: unknown): void {
  assert.deepEqual(validatorOf(schema)(structuredClone(value), { country: 'IL' }), [])
  for (const { name, data } of resourcesIn(schema as unknown as JsonSchema, value)) {
    const { created_at, updated_at } = data
    if (created_at && updated_at) assert.ok(seconds(String(created_at), String(updated_at)) >= 0, name)
    rules[name]?.(data as never)
  }
}

/** The named resources of a value, including itself. */
function resourcesIn(schema: JsonSchema, value: unknown): { name: string; data: Data }[] {
  if (value === null || typeof value !== 'object') return []
  if (Array.isArray(value)) return value.flatMap((item) => resourcesIn(schema.items ?? {}, item))
  const name = nameOf(schema as unknown as TSchema)
  const inner = Object.entries(schema.properties ?? {}).flatMap(([key, part]) =>
    resourcesIn(part, (value as Data)[key]),
  )
  return name === undefined ? inner : [{ name, data: value as Data }, ...inner]
}

describe('the example of an event', () => {
  for (const type of eventTypes) {
    test(`${type} says what happened, by the rules of its resource`, () => {
      const content = webhooks()[type]?.post.requestBody.content['application/json'] ?? assert.fail()
      const envelope = content.examples?.event?.value as Static<typeof EventEnvelope>
      assert.equal(envelope.type, type)
      holdEnvelope(envelope)
    })
  }

  test('of a test is one of its type, marked', () => {
    const content = webhooks().test?.post.requestBody.content['application/json'] ?? assert.fail()
    const envelope = content.examples?.event?.value as Static<typeof EventEnvelope>
    assert.equal(envelope.test, true)
    holdEnvelope(envelope)
  })
})

/** The rows that a request's filter lets through, by the filter's name. */
const filters: Readonly<Record<string, (row: Data, wanted: string) => boolean>> = {
  status: (row, wanted) => row.status === wanted,
  direction: (row, wanted) => row.direction === wanted,
  category: (row, wanted) => row.category === wanted,
  is_handled: (row, wanted) => String(row.is_handled) === wanted,
  event_types: (row, wanted) => wanted.split(',').includes(String(row.type)),
  branch_id: (row, wanted) => (row.branch_id ?? at(row, 'branch', 'id')) === wanted,
  from: (row, wanted) => dayOf(row) >= wanted,
  to: (row, wanted) => dayOf(row) <= wanted,
  phone: (row, wanted) => String(row.phone).replace(/\D/g, '') === wanted.replace(/\D/g, ''),
  since: (row, wanted) => String(row.created_at) >= wanted,
  dataset: (row, wanted) => at(row, 'datasets', '0', 'name') === wanted,
}

const dayOf = (row: Data) => String(row.start ?? row.started_at ?? row.paid_at ?? row.created_at).slice(0, 10)

/** The facts in a request's body that its answer must repeat. */
const answered: Readonly<Record<string, (data: Data, body: Data) => boolean>> = {
  'chat.messages.create': (data, { text }) => data.status === 'queued' && data.text === text,
  'payments.create': (data, { amount, method_type }) =>
    data.amount === amount && data.method_type === method_type && data.status === 'recorded',
  'leads.create': (data, { first_name }) => data.status === 'new' && data.first_name === first_name,
  'webhooks.create': (data, { url }) => data.url === url && data.enabled === true,
  'webhooks.test': (data, { event_type }) => data.event_type === event_type && data.status === 'pending',
  'webhooks.deliveries.retry': (data) => data.status === 'pending',
}

describe('the example of an operation', () => {
  for (const operation of allOperations.filter(({ shape }) => shape !== 'none')) {
    test(`${operation.id} is data that could be, and answers its own request`, () => {
      const forms = [operation.output, ...(operation.detailed ? [operation.detailed] : [])]
      for (const form of forms) holdAnswer(operation, form)
      if (operation.body && operation.example.body)
        assert.deepEqual(validatorOf(operation.body)(structuredClone(operation.example.body), { country: 'IL' }), [])
    })
  }
})

function holdAnswer(operation: Operation, form: TSchema): void {
  const answer = exampleAnswer(operation, form) as Data
  if (operation.id !== 'me.get') holdExample(form, answer)
  const { params = {}, query = {}, body = {} } = operation.example as Record<string, Record<string, string>>
  const rows = (Array.isArray(answer.data) ? answer.data : [answer.data]) as Data[]
  for (const [name, wanted] of Object.entries(query)) {
    const isMet = filters[name] ?? assert.fail(`the filter ${name} is not known here`)
    for (const row of rows) assert.ok(isMet(row, wanted), `${operation.id}: ${name}=${wanted}`)
  }
  const id = params.delivery_id ?? params.id
  const isOfTheId = operation.shape === 'one' && 'id' in (rows[0] ?? {}) && !operation.id.endsWith('.test')
  if (id !== undefined && isOfTheId && operation.method === 'GET') assert.equal(rows[0]?.id, id)
  assert.ok(answered[operation.id]?.(rows[0] ?? {}, body) ?? true, `${operation.id} answers another request`)
}
