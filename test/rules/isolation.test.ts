// One clinic's key reaches no data of another, not by path id, filter, cursor or file link. The requesting clinic is empty, so any
// row in an answer would be another clinic's.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { allOperations, allScopes, type IdKind, idLists, operations, RATE, readScopes } from '@clinic-data/contract'
import { insert } from '@clinic-data/testing/grounds/rows'
import { sized } from '@clinic-data/testing/run/size'
import {
  ask,
  askUntilServed,
  emptyClinic,
  keyOf,
  pathOf,
  smallClinic,
  startService,
  type TestClinic,
  type TestService,
} from '@clinic-data/testing/run/test-service'
import { requiredQuery, validIds, validOptions, validPath } from './valid-request.ts'

/** Each has as many requests of every clinic under way as a key may have. One more would wait, and be refused on a machine that is slow. */
const ROUNDS = sized({ everyday: 3, long: 50 })

let service: TestService
let empty: TestClinic
let full: TestClinic

before(async () => {
  service = await startService()
  const clinic = await emptyClinic(service.owner)
  empty = { clinic, key: await keyOf(service.owner, clinic, allScopes) }
  full = await smallClinic(service)
})
after(() => service.close())

for (const operation of allOperations) {
  if ('id' in operation.ids) {
    test(`${operation.id} does not find another clinic's id`, async () => {
      const path = pathOf(operation, await validIds(service, full, operation))
      const { status, json } = await ask(service, empty.key, path, validOptions(operation))
      assert.equal(status, 404)
      assert.match(json.type, /\/problems\/not-found$/)
      assert.equal((await ask(service, full.key, path, validOptions(operation))).status, operation.status)
    })
  } else if (operation.shape === 'page' || operation.id.startsWith('catalog.')) {
    test(`${operation.id} shows an empty clinic nothing`, async () => {
      const path = pathOf(operation, {}, await requiredQuery(service, full, operation))
      assert.ok((await ask(service, full.key, path)).json.data.length > 0)
      assert.deepEqual((await ask(service, empty.key, path)).json.data, [])
    })
  }

  for (const filter of Object.keys(operation.unknownIds)) {
    if ('id' in operation.ids) continue
    test(`${operation.id} filtered by another clinic's ${filter} shows nothing`, async () => {
      const value = await idOf(filter)
      const query = { ...(await requiredQuery(service, full, operation)), [filter]: value }
      const { status, json } = await ask(service, empty.key, pathOf(operation, {}, query))
      const isMissed = Object.keys(query).some((name) => operation.unknownIds[name] === 'not-found')
      if (isMissed) assert.equal(status, 404)
      else assert.deepEqual([status, json.data], [200, []])
    })
  }
}

/** An id of the full clinic that a filter could name. */
async function idOf(filter: string): Promise<string> {
  const kind = filter.replace(/_id$/, '') as IdKind
  const { json } = await ask(service, full.key, operations[idLists[kind]].path)
  return json.data[0].id
}

test("another clinic's cursor is refused", async () => {
  const { json } = await ask(service, full.key, '/v1/patients?limit=5')
  assert.equal(typeof json.next_cursor, 'string')
  const { status, json: problem } = await ask(service, empty.key, `/v1/patients?limit=5&cursor=${json.next_cursor}`)
  assert.equal(status, 400)
  assert.deepEqual(
    problem.errors.map((fault: { parameter: string }) => fault.parameter),
    ['cursor'],
  )
})

test('every answer of many interleaved requests of 8 clinics holds only rows of its own clinic', async () => {
  const clinics = await Promise.all(Array.from({ length: 8 }, () => emptyClinic(service.owner)))
  // Under the same id in each.
  for (const clinic of clinics) await insert(service.owner, clinic, 'branch', { id: 'main', name: clinic.clinic_id })
  const keys = await Promise.all(clinics.map((clinic) => keyOf(service.owner, clinic, readScopes)))
  for (let round = 0; round < ROUNDS; round++) {
    const answers = await Promise.all(
      keys.flatMap((key, i) =>
        Array.from({ length: RATE.at_once }, async () => ({
          expected: clinics[i]?.clinic_id,
          answer: await askUntilServed(service, key, '/v1/catalog/branches'),
        })),
      ),
    )
    for (const { expected, answer } of answers)
      assert.deepEqual(
        [answer.status, answer.json?.code ?? answer.json?.data.map(({ name }: { name: string }) => name)],
        [200, [expected]],
      )
  }
})

test('a signed file link with any part changed opens no other file', async () => {
  const operation = allOperations.find(({ id }) => id === 'calls.recording.get') ?? assert.fail()
  const { json } = await ask(service, full.key, await validPath(service, full, operation))
  const url = new URL(json.data.url)
  const path = url.pathname + url.search
  assert.equal((await ask(service, null, path)).status, 200)
  for (let i = '/files/'.length; i < path.length; i++) {
    const changed = path.slice(0, i) + (path[i] === 'A' ? 'B' : 'A') + path.slice(i + 1)
    if (/[?&=]/.test(path[i] ?? '')) continue
    assert.equal((await ask(service, null, changed)).status, 404, `position ${i}`)
  }
})
