// Rules of every operation of the console: each wrong part of a request is refused with its place, and a refused change is on record.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allConsoleOperations } from '@clinic-data/console-contract/console-operations'
import { MAX } from '@clinic-data/contract/limits'
import { filledPath } from '@clinic-data/contract/routes'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { CONSOLE_API } from '../src/routes/console-routes.ts'
import { audited, openConsole, person, send, signedIn } from './console-ground.ts'

const { owner } = await testDatabase()
const opened = await openConsole(owner)
const noa = await person(owner)
const cookie = await signedIn(opened, owner, noa)

type Operation = (typeof allConsoleOperations)[number]
const IDS = { id: 'key_1', delivery_id: 'dlv_1' }
const pathOf = (operation: Operation, ids = IDS) => filledPath(operation, ids).slice(CONSOLE_API.length)
const ask = (operation: Operation, { path = pathOf(operation), body, headers }: Wrong = {}) =>
  send(opened, path, { method: operation.method, cookie, ...(headers && { headers }), ...(body && { body }) })

interface Wrong {
  path?: string
  body?: object
  headers?: Record<string, string | undefined>
}

const withSession = allConsoleOperations.filter(({ access }) => access === 'session')

test('a field and a parameter that no operation has are each named, in one answer', async () => {
  for (const operation of withSession) {
    const takesBody = operation.body !== null
    const path = `${pathOf(operation)}?surprise=1`
    const { status, json } = await ask(operation, { path, ...(takesBody && { body: { surprise: 1 } }) })
    assert.deepEqual([status, json.code], [400, 'invalid-request'], operation.id)
    const places = json.errors.map(({ parameter, pointer }: Record<string, string>) => parameter ?? pointer)
    assert.ok(places.includes('surprise'), operation.id)
    if (takesBody) assert.ok(places.includes('#/surprise'), `${operation.id}: ${places}`)
  }
})

test('an id that no row can have is not found, whatever else is wrong', async () => {
  const named = withSession.filter(({ path }) => path.includes('{'))
  assert.ok(named.length > 3)
  for (const operation of named) {
    for (const id of ['x'.repeat(MAX.id + 1), '%00']) {
      const path = pathOf(operation, { id: 'one', delivery_id: 'two' }).replace('one', id)
      const { status, json } = await ask(operation, { path, ...(operation.body !== null && { body: { surprise: 1 } }) })
      assert.deepEqual([status, json.code], [404, 'not-found'], `${operation.id} ${id.slice(0, 8)}`)
    }
  }
})

test('an operation that mints once a key needs one, of visible characters', async () => {
  const minting = withSession.filter(({ takesIdempotencyKey }) => takesIdempotencyKey)
  assert.ok(minting.length > 1)
  for (const operation of minting) {
    for (const key of [undefined, 'two words', 'x'.repeat(256)]) {
      const { status, json } = await ask(operation, { body: {}, headers: { 'idempotency-key': key } })
      assert.equal(status, 400, operation.id)
      const headers = json.errors.flatMap(({ header }: { header?: string }) => header ?? [])
      assert.deepEqual(headers, ['Idempotency-Key'], `${operation.id} ${key}`)
    }
  }
})

test('a refused change leaves a row with its status, and a refused read none', async () => {
  for (const operation of withSession) {
    const before = (await audited(owner, noa.clinic)).length
    const { status } = await ask(operation, { path: `${pathOf(operation)}?surprise=1` })
    assert.ok(status >= 400, operation.id)
    const rows = (await audited(owner, noa.clinic)).slice(before)
    const told = rows.map(({ operation: name, status, key_id }) => [name, status, key_id])
    assert.deepEqual(told, operation.audited === null ? [] : [[operation.audited, status, noa.id]], operation.id)
  }
})
