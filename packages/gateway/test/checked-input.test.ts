// Tests what the gateway itself decides about an input, before and beside the backend: defaults, bounds, scopes, addresses, periods.
import assert from 'node:assert/strict'
import test from 'node:test'
import {
  allScopes,
  type Clinic,
  Grant,
  type Operation,
  operations,
  Problem,
  type ProblemSlug,
  type Scope,
} from '@clinic-data/contract'
import { type Allowances, inputReader, type RawInput } from '../src/requests/read-input.ts'

const CLINIC: Clinic = {
  clinic_id: 'c1',
  time_zone: 'Asia/Jerusalem',
  currency: 'ILS',
  country: 'IL',
  week_start: 0,
  min_visit_minutes: 15,
}

interface Asker {
  country?: string
  scopes?: readonly Scope[]
  allowances?: Allowances
}

function read(operation: Operation, raw: Partial<RawInput>, asker: Asker = {}) {
  const { country = 'IL', scopes = allScopes, allowances = {} } = asker
  const principal = { key_id: 'k1', clinic: { ...CLINIC, country }, scopes, rate_limit: null, expires_at: null }
  const params = Object.fromEntries(Object.keys(operation.params.properties).map((name) => [name, 'x1']))
  const input: RawInput = { params, search: '', idempotency_key: undefined, ...raw }
  return inputReader(operation, () => null, allowances)(input, Grant.authorize(principal, operation))
}

/** The kind of problem with an input, and the places of its faults. Null if there is none. */
function refusalOf(operation: Operation, raw: Partial<RawInput>, asker: Asker = {}): [ProblemSlug, ...string[]] | null {
  try {
    read(operation, raw, asker)
  } catch (error) {
    assert.ok(error instanceof Problem)
    const places = (error.members.errors ?? []).map(({ code: _, detail: __, ...place }) => Object.values(place).join())
    return [error.slug, ...places]
  }
  return null
}

test('a page has 25 rows when no limit is given', () => {
  assert.equal(read(operations['patients.list'], {}).query.limit, 25)
  assert.equal(read(operations['patients.list'], { search: 'limit=3' }).query.limit, 3)
})

test('further branches come with commas between or one after the other, and an empty one is refused', () => {
  const search = 'from=2026-07-13&to=2026-07-14&branch_id=here'
  const list = operations['availability.list']
  for (const further of ['further_branch_ids=there,yonder', 'further_branch_ids=there&further_branch_ids=yonder'])
    assert.equal(read(list, { search: `${search}&${further}` }).query.further_branch_ids, 'there,yonder')
  for (const wrong of ['there,', 'x'.repeat(129), Array.from({ length: 51 }, (_, n) => `b${n}`).join()])
    assert.deepEqual(refusalOf(list, { search: `${search}&further_branch_ids=${wrong}` }), [
      'invalid-request',
      'further_branch_ids',
    ])
  const longest = `${'𝒳'.repeat(128)},${'x'.repeat(128)}`
  assert.equal(refusalOf(list, { search: `${search}&further_branch_ids=${longest}` }), null)
})

test('an Idempotency-Key has at most 255 visible characters', () => {
  const body = { first_name: 'Testa', source: 'website', phone: '050-123 4567' }
  const refused = (idempotency_key: string) => refusalOf(operations['leads.create'], { body, idempotency_key })
  assert.equal(refused('k'.repeat(255)), null)
  for (const key of ['', 'k'.repeat(256), 'a b', 'ключ'])
    assert.deepEqual(refused(key), ['invalid-request', 'Idempotency-Key'])
})

test('a name that needs a further scope is refused before any backend is asked', () => {
  const body = {
    dataset: 'payments',
    measures: ['net_collected'],
    filters: [{ field: 'payment_date', op: 'between', value: ['2026-01-01', '2026-01-31'] }],
  }
  assert.equal(refusalOf(operations['query.run'], { body }), null)
  assert.deepEqual(refusalOf(operations['query.run'], { body }, { scopes: ['analytics:read'] }), ['forbidden'])
})

test('a filter that needs a further scope is refused before any backend is asked', () => {
  const search = 'owes_more_than=0'
  assert.equal(refusalOf(operations['patients.list'], { search }), null)
  assert.deepEqual(refusalOf(operations['patients.list'], { search }, { scopes: ['patients:read'] }), ['forbidden'])
})

test('a webhook over plain http is refused, even to this machine, unless the installation allows that', () => {
  const local = { body: { url: 'http://127.0.0.1:9000/hook' } }
  const foreign = { body: { url: 'http://crm.example.com/hook' } }
  const allowed = { allowances: { allowsLoopbackHttp: true } }
  const create = operations['webhooks.create']
  assert.deepEqual(refusalOf(create, local), ['invalid-request', '#/url'])
  assert.equal(refusalOf(create, local, allowed), null)
  assert.deepEqual(refusalOf(create, foreign, allowed), ['invalid-request', '#/url'])
})

test('a number that only one country has is read for its clinics alone', () => {
  const body = { first_name: 'Testa', source: 'website', phone: '0131 496 0123' }
  assert.equal(refusalOf(operations['leads.create'], { body }, { country: 'GB' }), null)
  assert.deepEqual(refusalOf(operations['leads.create'], { body }), ['invalid-request', '#/phone'])
})

test('two instants are compared as instants, whatever their offsets', () => {
  const period = (from: string, to: string) =>
    refusalOf(operations['calls.list'], { search: new URLSearchParams({ from, to }).toString() })
  assert.equal(period('2026-07-12T12:00:00+03:00', '2026-07-12T10:00:00Z'), null)
  assert.deepEqual(period('2026-07-12T09:30:00Z', '2026-07-12T11:00:00+03:00'), ['invalid-request', 'from'])
})
