// The rate limit in Redis: the common suite, sharing between gateways, and outages of Redis.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import { makeCertificate } from '@clinic-data/testing/certificate'
import { freePort } from '@clinic-data/testing/free-port'
import { type RedisServer, redisServer } from '@clinic-data/testing/programs/redis-server'
import { faultProxy } from '@clinic-data/testing/receivers/fault-proxy'
import { sized } from '@clinic-data/testing/run/size'
import { until } from '@clinic-data/testing/until'
import { Redis } from 'ioredis'
import { RATE_WINDOW_MS } from '../src/limits/rate-limit.ts'
import { RedisRateLimit, type RedisRateLimitOptions } from '../src/limits/redis-rate-limit.ts'
import { testRateLimit } from './rate-limit-suite.ts'

/** Longer than a breaker's pause, a reconnection and a busy machine take together. */
const COMES_BACK_WITHIN_MS = 15_000

/** Where a test counts what Redis admits, no answer of it is late, however busy the machine. */
const PATIENT = { patienceMs: 15_000 }

/** How often it is looked whether something has come about. */
const POLL_MS = 5

const RUNS = sized({ everyday: 20, long: 100 })
/** Enough for a sweep of several steps. */
const EXPIRED = sized({ everyday: 20_000, long: 100_000 })

const server = await redisServer()
if (server === null) test('the rate limit in Redis', { skip: 'neither redis-server nor valkey-server is installed' })
else testRedis(server)

function testRedis(redis: RedisServer): void {
  const direct = new Redis(redis.port, '127.0.0.1')
  direct.on('error', () => undefined)
  after(async () => {
    direct.disconnect()
    await redis.kill()
  })

  const open = (t: { after(close: () => void): void }, options: Partial<RedisRateLimitOptions> = {}) => {
    const logged: string[] = []
    const log = {
      warn: (_: object, line: string) => logged.push(line),
      info: (_: object, line: string) => logged.push(line),
    }
    const url = `redis://127.0.0.1:${redis.port}`
    const limit = new RedisRateLimit({ url, log: log as never, ...options })
    t.after(() => limit.close())
    return { limit, logged }
  }

  let tokens = 0
  /** Repeats until an admission is seen in Redis itself. */
  const counting = async (limit: RedisRateLimit) => {
    const id = `token ${++tokens}`
    const before = performance.now()
    while ((await direct.exists(`clinicd:rate:${id}`)) === 0) {
      assert.ok(performance.now() - before < COMES_BACK_WITHIN_MS, 'Redis is not asked')
      await limit.take(id, 1_000_000)
      await delay(POLL_MS)
    }
  }

  let nowUs = 1e15
  const shared = open({ after }, { ...PATIENT, nowUs: () => nowUs })
  let made = 0
  testRateLimit(() => {
    const run = ++made
    return {
      limit: {
        take: async (id, limit) => {
          if (run === 1) await counting(shared.limit)
          return shared.limit.take(`${run}/${id}`, limit)
        },
      },
      advance: (ms) => {
        nowUs += ms * 1000
      },
    }
  }, RUNS)

  test('gateways that count in one Redis admit together as many as one would', async (t) => {
    const gateways = [open(t, PATIENT), open(t, PATIENT), open(t, PATIENT)]
    await Promise.all(gateways.map(({ limit }) => counting(limit)))
    const taken = await Promise.all(
      Array.from({ length: 300 }, (_, n) => gateways[n % 3]?.limit.take('shared', 100) ?? assert.fail()),
    )
    assert.equal(taken.filter(({ admitted }) => admitted).length, 100)
    assert.deepEqual([...new Set(taken.filter((one) => one.admitted).map((one) => one.remaining))].length, 100)
  })

  test("by Redis's own clock too, never more than the limit in any window", async (t) => {
    const windowMs = sized({ everyday: 80, long: 250 })
    const { limit } = open(t, { ...PATIENT, windowMs })
    await counting(limit)
    const admitted: { askedAt: number; answered: number }[] = []
    // The window moves on several times.
    while (admitted.length < 7 * 5) {
      const askedAt = performance.now()
      const taken = await limit.take('hasty', 7)
      if (taken.admitted) admitted.push({ askedAt, answered: performance.now() })
    }
    for (const [n, { askedAt }] of admitted.entries()) {
      const later = admitted[n + 7]
      assert.ok(later === undefined || later.answered - askedAt >= windowMs)
    }
  })

  test('it counts over a connection that only the authority of the address makes trusted', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'redis-tls-'))
    t.after(() => rm(folder, { recursive: true }))
    const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
    const { cert, key } = makeCertificate()
    await Promise.all([writeFile(certFile, cert), writeFile(keyFile, key)])
    const port = await freePort()
    const files = ['--tls-cert-file', certFile, '--tls-key-file', keyFile, '--tls-auth-clients', 'no']
    const encrypted = await redisServer('--tls-port', `${port}`, ...files)
    t.after(() => encrypted?.kill())
    const url = `rediss://127.0.0.1:${port}`
    const { limit, logged } = open(t, { ...PATIENT, url: `${url}?sslrootcert=${certFile}` })
    const untrusting = open(t, { ...PATIENT, url })
    const beside = new Redis(encrypted?.port ?? 0, '127.0.0.1')
    t.after(() => beside.disconnect())
    await until(
      async () => {
        await limit.take('encrypted', 1_000_000)
        return (await beside.llen('clinicd:rate:encrypted')) > 0
      },
      () => logged.join(),
    )
    await untrusting.limit.take('elsewhere', 10)
    assert.equal(await beside.exists('clinicd:rate:elsewhere'), 0)
  })

  test('closing is not reported as a failure of Redis', async (t) => {
    const proxy = await faultProxy(redis.port)
    t.after(() => proxy.close())
    const { limit, logged } = open(t, { url: `redis://127.0.0.1:${proxy.port}` })
    await counting(limit)
    limit.close()
    while (proxy.open > 0) await setImmediate()
    assert.equal((await limit.take('closed', 1)).admitted, true)
    assert.deepEqual(logged, [])
  })

  test("a key's data in Redis expires with its window", async (t) => {
    const { limit } = open(t, PATIENT)
    await counting(limit)
    await limit.take('expiring', 5)
    const left = await direct.pttl('clinicd:rate:expiring')
    assert.ok(left > 0 && left <= RATE_WINDOW_MS)
  })

  test('many thousand expired admissions are removed in a few steps', async (t) => {
    const { limit } = open(t, { ...PATIENT, nowUs: () => nowUs })
    await counting(limit)
    const times = Array.from({ length: EXPIRED }, (_, n) => nowUs + n)
    for (let n = 0; n < times.length; n += 10_000) {
      await direct.rpush('clinicd:rate:million', ...times.slice(n, n + 10_000))
    }
    const commandsBefore = await processed(direct)
    nowUs += RATE_WINDOW_MS * 1000 + EXPIRED / 2
    assert.equal((await limit.take('million', 1_000_000)).remaining, 1_000_000 - (EXPIRED / 2 - 1) - 1)
    const commands = (await processed(direct)) - commandsBefore
    assert.ok(commands < 150, `${commands} commands`)
  })

  test('a clock that was set back by hours causes no refusal', async (t) => {
    const { limit } = open(t, { ...PATIENT, nowUs: () => nowUs })
    await counting(limit)
    for (let n = 0; n < 3; n++) await limit.take('back', 3)
    assert.equal((await limit.take('back', 3)).admitted, false)
    nowUs -= 3 * 3_600_000_000
    assert.equal((await limit.take('back', 3)).admitted, true)
  })

  test('without Redis each gateway admits its share without errors, and counts in Redis again when it is back', async (t) => {
    const { limit, logged } = open(t, { gateways: 2 })
    await counting(limit)
    await redis.kill()
    const taken = []
    for (let n = 0; n < 20; n++) taken.push(await limit.take('local', 10))
    assert.equal(taken.filter(({ admitted }) => admitted).length, 5)
    assert.deepEqual(taken[0], { admitted: true, limit: 10, remaining: 4, resetSeconds: 60, retryAfterSeconds: 0 })
    assert.deepEqual(logged, ['Redis does not answer: each gateway counts by itself'])
    await redis.start()
    await counting(limit)
    assert.equal(logged.at(-1), 'Redis answers again')
    assert.equal((await limit.take('local', 10)).remaining, 9)
  })

  test('a gateway that starts before Redis counts alone until it is there', async (t) => {
    await redis.kill()
    const { limit } = open(t)
    assert.equal((await limit.take('early', 2)).admitted, true)
    assert.equal((await limit.take('early', 2)).admitted, true)
    assert.equal((await limit.take('early', 2)).admitted, false)
    await redis.start()
    await counting(limit)
  })

  test('a Redis that swallows everything delays a few requests briefly, and the next ones not at all', async (t: TestContext) => {
    const proxy = await faultProxy(redis.port)
    t.after(() => proxy.close())
    const { limit, logged } = open(t, { url: `redis://127.0.0.1:${proxy.port}` })
    await counting(limit)
    proxy.fault = { kind: 'black hole' }
    for (let n = 0; n < 3; n++) {
      const startedAt = performance.now()
      await limit.take('swallowed', 10)
      assert.ok(performance.now() - startedAt < 4_000, 'it did not wait long')
    }
    assert.deepEqual(logged, ['Redis does not answer: each gateway counts by itself'])
    let late = 0
    for (let n = 0; n < 100; n++) {
      const taken = limit.take('swallowed', 1000).then(() => 0)
      late += await Promise.race([taken, setImmediate(1)])
      await taken
    }
    // One may try whether Redis is back.
    assert.ok(late <= 5, `${late} waited`)
    proxy.fault = { kind: 'none' }
    await counting(limit)
  })

  test('broken connections, and a Redis that answers nonsense, fail no request', async (t) => {
    const proxy = await faultProxy(redis.port)
    t.after(() => proxy.close())
    const { limit } = open(t, { url: `redis://127.0.0.1:${proxy.port}` })
    await counting(limit)
    for (const fault of [{ kind: 'reset' }, { kind: 'garbage', bytes: 'HTTP/1.1 400 Bad Request\r\n\r\n' }] as const) {
      proxy.fault = fault
      for (let n = 0; n < 10; n++) assert.equal((await limit.take(`broken ${fault.kind}`, 10)).admitted, true)
      proxy.fault = { kind: 'none' }
      await counting(limit)
    }
  })
}

/** Commands that Redis has run, including those within scripts. */
async function processed(redis: Redis): Promise<number> {
  const stats = await redis.info('commandstats')
  return [...stats.matchAll(/^cmdstat_(lindex|ltrim|llen):calls=(\d+)/gm)].reduce((sum, [, , n]) => sum + Number(n), 0)
}
