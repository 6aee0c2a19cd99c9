// A database that is away is no fault of the service's: callers are told to come back.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { Problem } from '@clinic-data/contract'
import { hashKey, makeKey } from '@clinic-data/contract/key'
import { openDatabase } from '@clinic-data/database'
import { createBackend } from '../src/backend.ts'
import { failingLog } from './test-database.ts'

test('while the database is away callers are told to come back, and are served once it is there again', async () => {
  const url = new URL(process.env.TEST_DATABASE_URL ?? assert.fail('run the tests with npm test'))
  const target = { port: Number(url.port), host: url.hostname }
  const sockets = new Set<Socket>()
  const between = createServer((client) => {
    const server = connect(target)
    for (const socket of [client, server]) sockets.add(socket.on('error', () => undefined))
    client.pipe(server).pipe(client)
  }).listen(0, '127.0.0.1')
  await once(between, 'listening')
  const port = (between.address() as { port: number }).port
  url.host = `127.0.0.1:${port}`
  const database = await openDatabase({ url: url.href, role: 'clinic_data_app', onError: () => undefined })
  const backend = createBackend({ database, now: () => new Date(), log: failingLog })
  const hash = hashKey(makeKey())
  try {
    assert.equal(await backend.authenticate(hash), null)
    between.close()
    for (const socket of sockets) socket.destroy()
    const comeBack = (error: unknown) =>
      error instanceof Problem && error.slug === 'service-unavailable' && error.members.retry_after === 1
    await assert.rejects(backend.authenticate(hash), comeBack)
    await assert.rejects(backend.openFile({ clinic_id: 'a', key_id: 'b', file_id: 'c' }, null), comeBack)
    between.listen(port, '127.0.0.1')
    await once(between, 'listening')
    assert.equal(await backend.authenticate(hash), null)
  } finally {
    await database.close()
    for (const socket of sockets) socket.destroy()
    between.close()
  }
})
