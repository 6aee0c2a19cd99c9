// The rate limit of a key and its headers, and the places of the listener.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import test from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { MemoryRateLimit } from '@clinic-data/gateway/limits/rate-limit'
import { ask, emptyClinic, keyOf, startParts } from '@clinic-data/testing/run/test-service'
import { stoppedTime } from '@clinic-data/testing/stopped-time'

test('a key gets its limit in any window, sees how much is left, and is refused with the seconds to wait', async () => {
  let now = 0
  const rateLimit = new MemoryRateLimit({ windowMs: 60_000, monotonic: () => now })
  const service = await startParts({ rate: { requests: 3, seconds: 60 }, rateLimit })
  try {
    const key = await keyOf(service.owner, await emptyClinic(service.owner), [])
    for (const remaining of [2, 1, 0]) {
      const { status, headers } = await ask(service, key, '/v1/me')
      assert.equal(status, 200)
      assert.equal(headers['ratelimit-policy'], '"default";q=3;w=60')
      assert.equal(headers.ratelimit, `"default";r=${remaining};t=${Math.ceil((60_000 - now) / 1000)}`)
      now += 10_500
    }
    const refused = await ask(service, key, '/v1/me')
    assert.equal(refused.status, 429)
    // The oldest of the three leaves the window 60 s after the beginning: 28.5 s from now, rounded up.
    assert.equal(refused.headers['retry-after'], '29')
    assert.equal(refused.json.retry_after, 29)
    assert.match(refused.json.detail, /29 seconds/)
    now = 60_001
    assert.equal((await ask(service, key, '/v1/me')).status, 200)
    assert.equal((await ask(service, key, '/v1/me')).status, 429)
  } finally {
    await service.close()
  }
})

test('refused requests do not count, and one key does not use up the limit of another', async () => {
  let now = 0
  const service = await startParts({
    rate: { requests: 1, seconds: 60 },
    rateLimit: new MemoryRateLimit({ monotonic: () => now }),
  })
  try {
    const clinic = await emptyClinic(service.owner)
    const [one, other] = [await keyOf(service.owner, clinic, []), await keyOf(service.owner, clinic, [])]
    assert.equal((await ask(service, one, '/v1/me')).status, 200)
    for (let i = 0; i < 5; i++) assert.equal((await ask(service, one, '/v1/me')).status, 429)
    assert.equal((await ask(service, other, '/v1/me')).status, 200)
    now = 60_001
    assert.equal((await ask(service, one, '/v1/me')).status, 200)
  } finally {
    await service.close()
  }
})

test('a request that is refused for its scope counts against the limit', async () => {
  const service = await startParts({ rate: { requests: 2, seconds: 60 } })
  try {
    const key = await keyOf(service.owner, await emptyClinic(service.owner), [])
    const statuses = []
    for (let i = 0; i < 3; i++) statuses.push((await ask(service, key, '/v1/patients')).status)
    assert.deepEqual(statuses, [403, 403, 429])
  } finally {
    await service.close()
  }
})

test('a gateway whose event loop is late sheds requests with 503 and Retry-After, and serves again when it is on time', async (t) => {
  const { pass } = stoppedTime(t, 'setInterval')
  const service = await startParts({ shedAtDelayMs: 50 })
  try {
    const key = await keyOf(service.owner, await emptyClinic(service.owner), [])
    pass(WARM_MS + 1)
    const until = async (status: number, beforeEach: () => Promise<void>) => {
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        await beforeEach()
        pass(SAMPLE_MS)
        const answer = await ask(service, key, '/v1/me')
        if (answer.status === status) return answer
      }
      return assert.fail(`never answered ${status}`)
    }
    const shed = await until(503, () => blockLoop(200))
    assert.equal(shed.headers['retry-after'], '1')
    assert.match(shed.json.type, /\/problems\/service-unavailable$/)
    // A supervisor would restart the process for being busy.
    assert.equal((await ask(service, null, '/healthz')).status, 200)
    assert.ok(!service.logLines.some((line) => line.includes('"level":50')), 'no error for each that is shed')
    await until(200, () => delay(50))
  } finally {
    await service.close()
  }
})

test('a slow start is not an overload, and the first requests are served', async (t) => {
  const { pass } = stoppedTime(t, 'setInterval')
  // While it is cold it bears four times as much, which the start exceeds too.
  const service = await startParts({ shedAtDelayMs: 10 })
  try {
    const key = await keyOf(service.owner, await emptyClinic(service.owner), [])
    pass(SAMPLE_MS)
    // This measurement finds the loop late, but still belongs to the start.
    await blockLoop(300)
    pass(SAMPLE_MS)
    for (let i = 0; i < 10; i++) assert.equal((await ask(service, key, '/v1/me')).status, 200)
    pass(WARM_MS)
    await blockLoop(300)
    pass(SAMPLE_MS)
    assert.equal((await ask(service, key, '/v1/me')).status, 503)
  } finally {
    await service.close()
  }
})

/** The gateway measures the delay of its loop so often. */
const SAMPLE_MS = 1_000
/** From then on it bears no more delay than it is set to. */
const WARM_MS = 15_000
/** A busy machine delays an event loop for as long as it is busy. */
const MOST_TRIES = 3_000

/** The delay is measured by a timer of ten milliseconds: until it has seen the loop. */
function looksAtTheLoop(): Promise<void> {
  return delay(20)
}

/** Delays every request like a runaway computation. The first look after a measurement only tells from when on. */
async function blockLoop(milliseconds: number): Promise<void> {
  await looksAtTheLoop()
  const end = Date.now() + milliseconds
  while (Date.now() < end);
  await looksAtTheLoop()
}

test('a full public listener takes a newcomer in for the idlest connection', {
  skip: process.platform !== 'linux' && 'only Linux has more addresses of the loopback interface',
}, async (t) => {
  // Two for each address.
  const service = await startParts({ maxConnections: 4 })
  const clients: Socket[] = []
  t.after(async () => {
    for (const client of clients) client.destroy()
    await service.close()
  })
  const { hostname, port } = new URL(await service.address())
  const accepted = async (localAddress: string): Promise<Socket> => {
    const accepting = once(service.gateway.app.server, 'connection')
    clients.push(connect({ port: Number(port), host: hostname, localAddress }))
    return (await accepting)[0]
  }
  const sockets: Socket[] = []
  for (const last of [1, 1, 2, 2, 3]) sockets.push(await accepted(`127.0.0.${last}`))
  assert.deepEqual(
    sockets.map(({ destroyed }) => destroyed),
    [true, false, false, false, false],
  )
})
