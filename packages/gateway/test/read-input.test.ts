// Reading bodies: the clinic's country counts, all faults are reported at once, and no body means no fields.
import assert from 'node:assert/strict'
import test from 'node:test'
import {
  allOperations,
  allScopes,
  type Clinic,
  Grant,
  type Operation,
  operations,
  type Principal,
  Problem,
} from '@clinic-data/contract'
import { exampleOf, nameOf } from '@clinic-data/contract/schema'
import { inputReader, type RawInput } from '../src/requests/read-input.ts'

const CLINIC: Clinic = {
  clinic_id: 'c1',
  time_zone: 'Asia/Jerusalem',
  currency: 'ILS',
  country: 'IL',
  week_start: 0,
  min_visit_minutes: 15,
}

function principal(country: string): Principal {
  return { key_id: 'k1', clinic: { ...CLINIC, country }, scopes: allScopes, rate_limit: null, expires_at: null }
}

function read(operation: Operation, raw: Partial<RawInput>, country = 'IL') {
  const params = Object.fromEntries(Object.keys(operation.params.properties).map((name) => [name, 'x1']))
  const input: RawInput = { params, search: '', idempotency_key: undefined, ...raw }
  return inputReader(operation, () => null)(input, Grant.authorize(principal(country), operation))
}

/** `place code` of each fault. */
function faultsOf(operation: Operation, raw: Partial<RawInput>, country?: string): string[] {
  try {
    read(operation, raw, country)
  } catch (error) {
    assert.ok(error instanceof Problem && error.slug === 'invalid-request')
    return (error.members.errors ?? []).map(({ code, detail: _, ...place }) => `${Object.values(place)[0]} ${code}`)
  }
  return []
}

for (const operation of allOperations.filter(({ method }) => method === 'POST')) {
  const { body, example } = operation
  const sent = () => structuredClone(body ? (example.body ?? (nameOf(body) && exampleOf(body))) : {}) as object

  test(`${operation.id} reports the faults of query, header and body at once`, () => {
    const raw = { search: 'nonsense=1', body: { ...sent(), card_number: 1 }, idempotency_key: 'ü' }
    const header = operation.effect === 'once a key' ? ['Idempotency-Key format'] : []
    assert.deepEqual(faultsOf(operation, raw), ['nonsense unknown', '#/card_number unknown', ...header])
    assert.deepEqual(faultsOf(operation, { body: sent() }), [])
  })
}

test('an operation without a body accepts none and an empty one', () => {
  const retry = operations['webhooks.deliveries.retry']
  assert.equal(read(retry, {}).body, undefined)
  assert.deepEqual(read(retry, { body: {} }).body, {})
  assert.deepEqual(faultsOf(retry, { body: [] }), ['# type'])
})

test('a number without a country code belongs to the clinic’s country', () => {
  const lead = (phone: string) => ({ body: { first_name: 'Testa', source: 'website', phone } })
  const create = operations['leads.create']
  assert.deepEqual(faultsOf(create, lead('050-123 4567')), [])
  assert.deepEqual(faultsOf(create, lead('(212) 555-0123'), 'US'), [])
  assert.deepEqual(faultsOf(create, lead('555')), ['#/phone format'])
})

test('a lead is refused for its contacts only when none of them can be read', () => {
  const lead = (contacts: object) => ({ body: { first_name: 'Testa', source: 'website', ...contacts } })
  const create = operations['leads.create']
  assert.deepEqual(faultsOf(create, lead({ phone: 'call me', email: 'none' })), ['#/phone format', '#/email format'])
  assert.deepEqual(faultsOf(create, lead({ phone: 'call me', email: 'a@b.co' })), [])
  assert.deepEqual(faultsOf(create, lead({ phone: '050-123 4567 x12', email: 'none' })), [])
})

test('a handler sees no field that was sent empty', () => {
  const body = { first_name: 'Testa', source: 'website', phone: '', email: ' a@b.co', note: null }
  assert.deepEqual(read(operations['leads.create'], { body }).body, {
    first_name: 'Testa',
    source: 'website',
    email: 'a@b.co',
  })
})

test('the form of a single appointment reaches the backend only if a client names it', () => {
  const { query: unnamed } = read(operations['appointments.get'], {})
  assert.equal('response_format' in unnamed, false)
  const { query: named } = read(operations['appointments.get'], { search: 'response_format=detailed' })
  assert.deepEqual(Reflect.get(named, 'response_format'), 'detailed')
})
