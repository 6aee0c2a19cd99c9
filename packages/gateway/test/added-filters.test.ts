// Filters that the contract has gained, over the port: told apart where they are used, and refused by a backend that does not know them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Grant, type HandlerInput, type Operations, operations, Problem } from '@clinic-data/contract'
import { context, input, principal, type SetUp, setUp } from './remote-backend.ts'

const page = { status: 200, body: { data: [], next: null } }

function listPatients({ backend }: SetUp, filters: Record<string, unknown>) {
  const query = { ...input.query, ...filters }
  const asked = { ...input, params: {}, query } as unknown as HandlerInput<Operations['patients.list']>
  return backend.handlers['patients.list'](Grant.authorize(principal, operations['patients.list']), asked, context())
}

test('a call names the added filters beside its input, and only where it has some', async (t) => {
  const at = await setUp(t)
  at.vendor.answer = () => page
  await listPatients(at, { owes_more_than: 0, birthday_to: '01-03', phone: '050-123-4567' })
  await listPatients(at, { phone: '050-123-4567', owes_more_than: undefined })
  const bodies = at.vendor.received.map(({ body }) => body as { filters?: string[] })
  assert.deepEqual(bodies[0]?.filters, ['birthday_to', 'owes_more_than'])
  assert.equal('filters' in (bodies[1] ?? {}), false)
})

test('a backend that does not know an added filter refuses it by its name, and no row is shown', async (t) => {
  const at = await setUp(t)
  at.vendor.answer = () => ({ status: 400, body: { error: 'the body does not have the form of this version' } })
  await assert.rejects(listPatients(at, { owes_more_than: 0, birthday_to: '01-03' }), (error: unknown) => {
    assert.ok(error instanceof Problem)
    assert.equal(error.slug, 'invalid-request')
    assert.deepEqual(
      error.members.errors?.map((fault) => 'parameter' in fault && [fault.parameter, fault.code]),
      [
        ['birthday_to', 'unsupported'],
        ['owes_more_than', 'unsupported'],
      ],
    )
    assert.match(error.message, /`birthday_to`, `owes_more_than` is not known yet .*leave it out/)
    return true
  })
})

test('without an added filter such a refusal is a fault of the backend', async (t) => {
  const at = await setUp(t)
  at.vendor.answer = () => ({ status: 400, body: {} })
  await assert.rejects(listPatients(at, {}), (error: unknown) => (error as Problem).slug === 'upstream-error')
})

test('a problem of a backend that knows the filter is its own', async (t) => {
  const at = await setUp(t)
  at.vendor.answer = () => ({
    status: 403,
    body: { slug: 'forbidden', detail: 'No.', members: { required_scope: 'payments:read' } },
  })
  await assert.rejects(
    listPatients(at, { owes_more_than: 0 }),
    (error: unknown) => (error as Problem).members.required_scope === 'payments:read',
  )
})
