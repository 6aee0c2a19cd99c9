// Idle connections to one listener cannot take what the other listener or another client needs.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { suite, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type AttackedService, serviceOfSuite } from './attacked-service.ts'
import { closeAll, type RawSocket, rawSockets } from './raw-sockets.ts'
import { assertMemory, assertUnhindered, type Figures, underAttack, withstood } from './under-attack.ts'

/** More than the process has left of 1,200 open files, and more than a listener accepts. */
const OPEN_FILES = 1_200
const IDLE = 1_300
const KEPT_ALIVE = 2_050
/** Eight addresses have a share of 250 each of the public listener's 2,000; two have the private one's 500. */
const TAKING_ALL = Array.from({ length: 8 }, (_, i) => `127.0.2.${i + 1}`)
/** The service's own limit is 250. Refused connections are open for a moment. */
const OF_ONE_ADDRESS = 400
/** How soon connections that were closed are opened again. */
const REFRESH_MS = 1_000
const STEP_MS = 50
/** Opening thousands of connections is work for a moment. What these attacks must not take is the places. */
const OPENING_FLOOR_MS = 250
const SAMPLE_MS = 50

/** Keeps a connection open: one answer, and then silence. */
const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'

interface Held {
  count: number
  sending: string
  localAddresses: readonly string[]
  /** How many are opened at once. Default: all. */
  atOnce?: number
}

/** Holds this many connections until the signal fires, and reopens those that the service closes. Returns how many it had at most. */
async function hold(
  address: string,
  { count, sending, localAddresses, atOnce = count }: Held,
  signal: AbortSignal,
): Promise<number> {
  let sockets: RawSocket[] = []
  let most = 0
  while (!signal.aborted) {
    sockets = sockets.filter((one) => !one.isClosed())
    most = Math.max(most, sockets.length)
    const each = Math.ceil(Math.min(count - sockets.length, atOnce) / localAddresses.length)
    const opened = await Promise.all(localAddresses.map((localAddress) => rawSockets(address, each, { localAddress })))
    const fresh = opened.flat()
    const isComplete = sockets.length + fresh.length >= count
    sockets.push(...fresh)
    if (sending !== '') for (const { socket } of fresh) socket.write(sending)
    await delay(isComplete ? REFRESH_MS : STEP_MS)
  }
  closeAll(sockets)
  return most
}

/** Runs the attack and returns how many more files the process had open than before, and how many connections stayed open at once. */
async function heldAgainst(
  service: AttackedService,
  { name, address, held, steady = {} }: { name: string; address: string; held: Held; steady?: { url?: string } },
): Promise<{ figures: Figures; more: number; kept: number }> {
  const openFiles = () => readdirSync(`/proc/${service.gateway.pid}/fd`).length
  const before = openFiles()
  let most = 0
  const sampler = setInterval(() => {
    if (service.gateway.exitCode() === null) most = Math.max(most, openFiles())
  }, SAMPLE_MS)
  try {
    let kept = 0
    const attack = async (signal: AbortSignal) => {
      kept = await hold(address, held, signal)
    }
    const figures = await underAttack(service, { name, attack, steady })
    process.stdout.write(`${name}: of ${held.count} connections the process had at most ${most - before} open\n`)
    return { figures, more: most - before, kept }
  } finally {
    clearInterval(sampler)
  }
}

const ONE = ['127.0.0.1']
const MANY = Array.from({ length: 50 }, (_, i) => `127.0.1.${i + 1}`)

suite('with 1,200 open files', () => {
  const limited = serviceOfSuite({ openFiles: OPEN_FILES })
  // One address has a share of the few places that so few open files leave.
  for (const [from, localAddresses, least] of [
    ['one address', ONE, 64],
    ['fifty addresses', MANY, 128],
  ] as const) {
    test(`1,300 idle connections of ${from} to the private listener`, async () => {
      const service = limited.current()
      await withstood(async () => {
        const held = { count: IDLE, sending: '', localAddresses }
        const name = `idle on the private listener, ${from}`
        const { figures, kept } = await heldAgainst(service, { name, address: service.adminAddress, held })
        assert.ok(kept >= least, `only ${kept} connections were open`)
        assertMemory(figures, 100)
        assertUnhindered(figures)
      })
    })
  }

  test('1,300 idle connections to the public listener leave room for the private one', async () => {
    const service = limited.current()
    await withstood(async () => {
      const held = { count: IDLE, sending: '', localAddresses: MANY }
      const steady = { url: `${service.adminAddress}/healthz` }
      const name = 'idle on the public listener'
      const { figures } = await heldAgainst(service, { name, address: service.address, held, steady })
      assertUnhindered(figures)
    })
  })
})

suite('with as many open files as the machine gives', () => {
  const plain = serviceOfSuite()
  test('2,050 connections of one address, kept alive, leave room on the public listener for others', async () => {
    const service = plain.current()
    await withstood(async () => {
      const held = { count: KEPT_ALIVE, sending: HEALTH, localAddresses: ONE }
      const name = 'kept alive by one address'
      const { figures, more } = await heldAgainst(service, { name, address: service.address, held })
      assert.ok(more <= OF_ONE_ADDRESS, `one address holds ${more} connections`)
      assertUnhindered(figures)
    })
  })

  test('eight addresses with their whole share of idle connections leave the public listener open to others', async () => {
    const service = plain.current()
    await withstood(async () => {
      const held = { count: 2_000, sending: HEALTH, localAddresses: TAKING_ALL, atOnce: 80 }
      const name = 'the whole public listener, kept alive by eight addresses'
      const { figures, kept } = await heldAgainst(service, { name, address: service.address, held })
      assert.ok(kept >= 1_900, `only ${kept} connections were open`)
      assertUnhindered(figures, { floorMs: OPENING_FLOOR_MS })
    })
  })

  test('two addresses with their whole share of idle connections leave the private listener open to others', async () => {
    const service = plain.current()
    await withstood(async () => {
      const held = { count: 500, sending: HEALTH, localAddresses: TAKING_ALL.slice(0, 2), atOnce: 80 }
      const name = 'the whole private listener, kept alive by two addresses'
      const steady = { url: `${service.adminAddress}/console` }
      const { figures, kept } = await heldAgainst(service, { name, address: service.adminAddress, held, steady })
      assert.ok(kept >= 450, `only ${kept} connections were open`)
      assertUnhindered(figures, { floorMs: OPENING_FLOOR_MS })
    })
  })
})
