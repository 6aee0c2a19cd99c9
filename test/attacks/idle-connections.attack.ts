// Idle connections to one listener cannot take what the other listener or another client needs.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type AttackedService, attackedService } from './attacked-service.ts'
import { closeAll, type RawSocket, rawSockets } from './raw-sockets.ts'
import { assertMemory, assertUnhindered, type Figures, underAttack, withstood } from './under-attack.ts'

/** More than the process has left of 1,200 open files, and more than a listener accepts. */
const OPEN_FILES = 1_200
const IDLE = 1_300
const KEPT_ALIVE = 2_050
/** The service's own limit is 250. Refused connections are open for a moment. */
const OF_ONE_ADDRESS = 400
/** Shorter than the time for which an idle connection is kept. */
const REFRESH_MS = 1_000
const SAMPLE_MS = 50

/** Keeps a connection open: one answer, and then silence. */
const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'

interface Held {
  count: number
  sending: string
  localAddresses: readonly string[]
}

/** Holds this many connections until the signal fires. Reopens those that the service closes. */
async function hold(address: string, { count, sending, localAddresses }: Held, signal: AbortSignal): Promise<void> {
  let sockets: RawSocket[] = []
  while (!signal.aborted) {
    sockets = sockets.filter((one) => !one.isClosed())
    const each = Math.ceil((count - sockets.length) / localAddresses.length)
    const opened = await Promise.all(localAddresses.map((localAddress) => rawSockets(address, each, { localAddress })))
    sockets.push(...opened.flat())
    if (sending !== '') for (const { socket } of sockets) socket.write(sending)
    await delay(REFRESH_MS)
  }
  closeAll(sockets)
}

/** Runs the attack and returns how many more files the process had open than before. */
async function heldAgainst(
  service: AttackedService,
  { name, address, held, steady = {} }: { name: string; address: string; held: Held; steady?: { url?: string } },
): Promise<{ figures: Figures; more: number }> {
  const openFiles = () => readdirSync(`/proc/${service.gateway.pid}/fd`).length
  const before = openFiles()
  let most = 0
  const sampler = setInterval(() => {
    if (service.gateway.exitCode() === null) most = Math.max(most, openFiles())
  }, SAMPLE_MS)
  try {
    const attack = (signal: AbortSignal) => hold(address, held, signal)
    const figures = await underAttack(service, { name, attack, steady })
    process.stdout.write(`${name}: of ${held.count} connections the process had at most ${most - before} open\n`)
    return { figures, more: most - before }
  } finally {
    clearInterval(sampler)
  }
}

const limited = (t: TestContext) => attackedService(t, { openFiles: OPEN_FILES })
const ONE = ['127.0.0.1']
const MANY = Array.from({ length: 50 }, (_, i) => `127.0.1.${i + 1}`)

for (const [from, localAddresses] of [
  ['one address', ONE],
  ['fifty addresses', MANY],
] as const) {
  test(`1,300 idle connections of ${from} to the private listener, with 1,200 open files`, async (t) => {
    const service = await limited(t)
    await withstood(async () => {
      const held = { count: IDLE, sending: '', localAddresses }
      const name = `idle on the private listener, ${from}`
      const { figures } = await heldAgainst(service, { name, address: service.adminAddress, held })
      assertUnhindered(figures)
      assertMemory(figures, 100)
    })
  })
}

test('1,300 idle connections to the public listener leave room for the private one, with 1,200 open files', async (t) => {
  const service = await limited(t)
  await withstood(async () => {
    const held = { count: IDLE, sending: '', localAddresses: MANY }
    const steady = { url: `${service.adminAddress}/healthz` }
    const name = 'idle on the public listener'
    const { figures } = await heldAgainst(service, { name, address: service.address, held, steady })
    assertUnhindered(figures)
  })
})

test('2,050 connections of one address, kept alive, leave room on the public listener for others', async (t) => {
  const service = await attackedService(t)
  await withstood(async () => {
    const held = { count: KEPT_ALIVE, sending: HEALTH, localAddresses: ONE }
    const name = 'kept alive by one address'
    const { figures, more } = await heldAgainst(service, { name, address: service.address, held })
    assert.ok(more <= OF_ONE_ADDRESS, `one address holds ${more} connections`)
    assertUnhindered(figures)
  })
})
