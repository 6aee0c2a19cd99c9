// Large bodies go to the only path of the private listener that the internet can reach. Unsigned ones are not read. Only a few of
// those that may be signed are in memory at once, even when they never end.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { suite, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { serviceOfSuite } from './attacked-service.ts'
import { closeAll, rawSockets } from './raw-sockets.ts'
import { assertMemory, assertUnhindered, underAttack, withstood } from './under-attack.ts'

const CONNECTIONS = 200
const ROUND_MS = 3_000
/** The time to push 600 MB at once through the buffers of a machine with two cores, shared with the attacker. */
const BURST_MS = 1_000
const BODY_BYTES = 3 * 1024 * 1024
const FORGED = `sha256=${'0'.repeat(64)}`

/** All but the last byte, so the body is never complete. */
const body = Buffer.alloc(BODY_BYTES - 1, ' ')

async function send(adminAddress: string, signature: string, signal: AbortSignal): Promise<void> {
  const head = [
    'POST /ingest/whatsapp HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    `Content-Length: ${BODY_BYTES}`,
    `X-Hub-Signature-256: ${signature}`,
  ].join('\r\n')
  while (!signal.aborted) {
    const sockets = await rawSockets(adminAddress, CONNECTIONS)
    const open = sockets.filter((one) => !one.isClosed())
    assert.equal(open.length, CONNECTIONS, 'all connections are open')
    for (const { socket } of open) {
      socket.write(`${head}\r\n\r\n`)
      socket.write(body)
    }
    await delay(ROUND_MS)
    closeAll(sockets)
  }
}

suite('bodies of WhatsApp', () => {
  const attacked = serviceOfSuite({
    environment: {
      WHATSAPP_APP_SECRET: randomBytes(16).toString('hex'),
      WHATSAPP_VERIFY_TOKEN: randomBytes(16).toString('hex'),
    },
  })
  for (const [name, signature] of [
    ['without the form of a signature', 'sha256=none'],
    ['with a forged signature', FORGED],
  ] as const) {
    test(`200 bodies of 3 MiB ${name}`, async () => {
      const service = attacked.current()
      const attack = (signal: AbortSignal) => send(service.adminAddress, signature, signal)
      await withstood(async () => {
        const figures = await underAttack(service, { name: `WhatsApp bodies ${name}`, attack })
        assertMemory(figures, 120)
        assertUnhindered(figures, { floorMs: BURST_MS })
      })
    })
  }
})
