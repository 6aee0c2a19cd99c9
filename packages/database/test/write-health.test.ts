// Whether the server took the last writes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseError } from 'pg'
import { failureOf, StatementTimeout } from '../src/connections/database-failure.ts'
import { WriteHealth } from '../src/connections/write-health.ts'
import { DatabaseUnavailable } from '../src/database.ts'

/** The driver makes this of the server's answer. */
const answered = (code: string, severity = 'ERROR') =>
  failureOf(Object.assign(new DatabaseError('refused', 0, 'error'), { code, severity }))
const fail = (error: Error) => () => Promise.reject(error)

test('a server that could not write counts as unwritable for five seconds, or until another write is stored', async () => {
  for (const code of ['53100', '53200', '58030', '25006']) {
    let ms = 0
    const health = new WriteHealth(() => ms)
    health.requireWritten()
    const full = answered(code)
    await assert.rejects(health.watch(fail(full)), full)
    ms = 4_999
    assert.throws(() => health.requireWritten(), { name: 'DatabaseUnavailable', cause: full }, code)
    ms = 5_000
    health.requireWritten()

    await assert.rejects(health.watch(fail(full)), full)
    assert.equal(await health.watch(async () => 'stored'), 'stored')
    health.requireWritten()
  }
})

test('a slow statement, a refused row, a broken connection and a lack of connections say nothing about the next write', async () => {
  const health = new WriteHealth(() => 0)
  const others = [
    ...[new StatementTimeout('slow'), answered('23505'), answered('53300', 'FATAL'), answered('57P01', 'FATAL')],
    ...[failureOf(new Error('read ECONNRESET')), new DatabaseUnavailable('all its connections are in use')],
  ]
  for (const error of others) {
    await assert.rejects(health.watch(fail(error)), error)
    health.requireWritten()
  }
})
