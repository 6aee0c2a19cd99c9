// Clients send requests ahead without a key and do not read the answers. Memory stays limited, and everybody else is answered.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { attackedService } from './attacked-service.ts'
import { closeAll, rawSockets } from './raw-sockets.ts'
import { assertMemory, assertUnhindered, underAttack, withstood } from './under-attack.ts'

const CONNECTIONS = 300
/** The service's own limit of an address is 250. */
const OPEN = 240
const REQUESTS = 950

test('300 connections, each with 950 requests sent ahead, do not slow others', async (t) => {
  const service = await attackedService(t)
  const ahead = 'GET /v1/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(REQUESTS)
  const attack = async (signal: AbortSignal) => {
    while (!signal.aborted) {
      const sockets = await rawSockets(service.address, CONNECTIONS, { unread: true })
      const open = sockets.filter((one) => !one.isClosed())
      assert.ok(open.length >= OPEN, `only ${open.length} connections were open`)
      for (const { socket } of open) socket.write(ahead)
      await delay(1_500)
      closeAll(sockets)
    }
  }
  const steady = { url: `${service.address}/healthz` }
  const pipelining = { name: 'pipelining', attack, steady }
  // The first burst runs code that nothing has run before, and takes several times as long as the later ones. The memory that it keeps counts.
  assertMemory(await underAttack(service, { ...pipelining, seconds: 1 }), 100)
  await withstood(async () => {
    const figures = await underAttack(service, pipelining)
    assertMemory(figures, 100)
    assertUnhindered(figures)
  })
})
