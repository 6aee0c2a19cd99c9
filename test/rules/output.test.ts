// Answers follow the contract's schemas exactly, their pages show each row once, and no other field leaves.
import assert from 'node:assert/strict'
import test from 'node:test'
import { allOperations, allScopes, type Backend, type Operation } from '@clinic-data/contract'
import type { TSchema } from '@clinic-data/contract/schema'
import { ask, keyOf, pathOf, servedClinic, startParts } from '@clinic-data/testing/run/test-service'
import { faultsOfClosed } from '@clinic-data/testing/shared/closed-schema'
import { askValid, requiredQuery, validIds, validPath } from './valid-request.ts'

const { service, clinic } = await servedClinic()

function assertFits(schema: TSchema, value: unknown, name: string): void {
  // `/v1` may add fields, but never by accident.
  assert.equal(faultsOfClosed(schema, value), '', name)
}

for (const operation of allOperations) {
  test(`the answer of ${operation.id} fits its schema`, async () => {
    const { status, json, text, headers } = await askValid(service, clinic, operation)
    assert.equal(status, operation.status)
    if (operation.shape === 'none') return assert.equal(text, '')
    assert.match(String(headers['content-type']), /^application\/json; charset=utf-8$/)
    assertFits(operation.output, json, operation.id)
  })
  if (operation.detailed) {
    const { detailed } = operation
    test(`the detailed answer of ${operation.id} fits its detailed schema`, async () => {
      const path = await validPath(service, clinic, operation)
      const { json } = await ask(
        service,
        clinic.key,
        `${path}${path.includes('?') ? '&' : '?'}response_format=detailed`,
      )
      assertFits(detailed, json, operation.id)
    })
  }
  if (operation.shape === 'page') {
    test(`the pages of ${operation.id} show each row once, in the same order for every page size`, async () => {
      const before = await walk(operation, '100')
      const walks = { 40: await walk(operation, '1', 40), 400: await walk(operation, '7', 400) }
      // The feed may have grown at its end meanwhile: a message is sent a moment after its request was answered.
      const whole = await walk(operation, '100')
      assert.ok(whole.length > 0)
      for (const [most, rows] of Object.entries(walks)) {
        assert.deepEqual(rows, whole.slice(0, rows.length))
        assert.ok(rows.length >= Math.min(Number(most), before.length), `${rows.length} of ${before.length} rows`)
      }
      assert.equal(new Set(whole).size, whole.length)
    })
    if ('updated_since' in operation.query.properties) {
      test(`${operation.id} with updated_since holds every row, oldest change first`, async () => {
        const whole = await walk(operation, '100')
        assert.ok(whole.length > 0)
        const changed = await walk(operation, '9', 1000, { updated_since: '2000-01-01T00:00:00Z' })
        assert.deepEqual(new Set(changed), new Set(whole))
      })
    }
  }
}

/** The ids of a walk through the pages. */
async function walk(
  operation: Operation,
  limit: string,
  most = 10_000,
  filters: Record<string, string> = {},
): Promise<string[]> {
  const found: string[] = []
  const ids = await validIds(service, clinic, operation)
  let cursor: string | null = null
  do {
    const query = {
      ...(await requiredQuery(service, clinic, operation)),
      ...filters,
      limit,
      ...(cursor === null ? {} : { cursor }),
    }
    const { status, json } = await ask(service, clinic.key, pathOf(operation, ids, query))
    assert.equal(status, 200)
    found.push(...json.data.map((row: { id: string }) => row.id))
    cursor = json.next_cursor
  } while (cursor !== null && found.length < most)
  return found
}

test('a field that a backend adds by mistake never leaves', async () => {
  const careless = (backend: Backend): Backend => ({
    ...backend,
    handlers: {
      ...backend.handlers,
      'patients.get': async (...args) => {
        const answer = await backend.handlers['patients.get'](...args)
        return {
          ...answer,
          data: { ...answer.data, card_number: '4111', id_number: '12' },
          internal: 'note',
        } as typeof answer
      },
    },
  })
  const other = await startParts({ wrap: careless })
  try {
    const operation = allOperations.find(({ id }) => id === 'patients.get') ?? assert.fail()
    const { text } = await ask(other, clinic.key, await validPath(other, clinic, operation))
    assert.doesNotMatch(text, /card_number|4111|id_number|internal/)
  } finally {
    await other.close()
  }
})

test('a backend that leaves out a promised field causes a 502, not half an answer', async () => {
  const broken = (backend: Backend): Backend => ({
    ...backend,
    handlers: { ...backend.handlers, 'me.get': async () => ({ data: { clinic_id: 'x' } }) as never },
  })
  const other = await startParts({ wrap: broken })
  try {
    const { status, json } = await ask(other, clinic.key, '/v1/me')
    assert.equal(status, 502)
    assert.match(json.type, /\/problems\/upstream-error$/)
  } finally {
    await other.close()
  }
})

test('an answer that the client already has is 304, and a changed one is not', async () => {
  const first = await ask(service, clinic.key, '/v1/catalog/branches')
  const etag = String(first.headers.etag)
  assert.match(etag, /^W\/"/)
  for (const known of [etag, `"x", ${etag}`, '*', etag.slice(2)]) {
    const again = await ask(service, clinic.key, '/v1/catalog/branches', { headers: { 'if-none-match': known } })
    assert.deepEqual([again.status, again.text], [304, ''])
  }
  assert.equal(
    (await ask(service, clinic.key, '/v1/catalog/providers', { headers: { 'if-none-match': etag } })).status,
    200,
  )
})

test('large answers are compressed for clients that accept it', async () => {
  const plain = await ask(service, clinic.key, '/v1/patients?limit=100')
  for (const encoding of ['br', 'gzip']) {
    const answer = await service.send({
      url: '/v1/patients?limit=100',
      headers: { host: 'x', authorization: `Bearer ${clinic.key}`, 'accept-encoding': encoding },
    })
    assert.equal(answer.headers['content-encoding'], encoding)
    assert.ok(answer.bytes.length < plain.text.length / 2)
  }
  assert.equal(plain.headers['content-encoding'], undefined)
})

test('an answer with a secret is never compressed, because its length would tell of the secret', async () => {
  const created = await service.send({
    method: 'POST',
    url: '/v1/webhooks',
    headers: {
      host: 'x',
      authorization: `Bearer ${clinic.key}`,
      'content-type': 'application/json',
      'accept-encoding': 'br',
    },
    payload: JSON.stringify({
      url: `https://receiver.example/${'long/'.repeat(300)}`,
      event_types: ['patient.created'],
    }),
  })
  assert.equal(created.status, 201, created.bytes.toString())
  assert.match(JSON.parse(created.bytes.toString()).data.secret, /^whsec_/)
  assert.equal(created.headers['content-encoding'], undefined)
})

test('a key can read its own clinic and scopes', async () => {
  const key = await keyOf(service.owner, clinic.clinic, allScopes)
  const { json } = await ask(service, key, '/v1/me')
  const { clinic_id, time_zone, currency } = clinic.clinic
  const { today } = json.data.clinic
  const facts = { name: 'Test clinic', time_zone, currency, week_start: 'sunday', today }
  assert.deepEqual(json, { data: { clinic_id, scopes: allScopes, clinic: facts } })
  assert.match(today, /^\d{4}-\d\d-\d\d$/)
})
