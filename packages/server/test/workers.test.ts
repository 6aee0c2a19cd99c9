// Several processes serve the public API as one service: with the same limits, the same keys, one log, one end.
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { mintKey, revokeKey } from '@clinic-data/administration/credentials/keys'
import * as schema from '@clinic-data/backend/migrations'
import { allScopes } from '@clinic-data/contract'
import { type Statement, sql } from '@clinic-data/database'
import { isAlive } from '@clinic-data/database/embedded/is-alive'
import { assertAnswersApps } from '@clinic-data/testing/grounds/answers-apps'
import { assertWhole, clinicToWriteTo, creating, writeThroughCrashes } from '@clinic-data/testing/grounds/crash-load'
import { startClinicd } from '@clinic-data/testing/programs/clinicd-process'
import { asApplication } from '@clinic-data/testing/run/application'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { sized } from '@clinic-data/testing/run/size'
import { operator } from '@clinic-data/testing/shared/operator'
import { until } from '@clinic-data/testing/until'
import { Pool } from 'undici'
import { spanReceiver } from './span-receiver.ts'

/** A client's, between two requests: the workers need the processors to start and to end. */
const REST_MS = 60
/** News that is told at once takes some tenths of a second. */
const PATIENCE_MS = 30_000
const KILLS = sized({ everyday: 1, long: 4 })

const { url, owner } = await ownGround(schema)
const folder = await mkdtemp(join(tmpdir(), 'workers-'))
after(() => rm(folder, { recursive: true, force: true }))

const SECRET_KEYS = `t:${randomBytes(32).toString('base64')}`
const CONSOLE_URL = 'https://console.clinic.example'
const receiver = await spanReceiver()
const service = await startClinicd(['--workers', '2'], {
  DATABASE_URL: url,
  DATA_DIR: folder,
  SECRET_KEYS,
  WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  CONSOLE_URL,
  CONNECT_REGISTRATION: '1',
  OTEL_EXPORTER_OTLP_ENDPOINT: receiver.address,
  OTEL_SERVICE_NAME: 'clinic-service',
})
const { clinic_id, key } = await clinicToWriteTo(owner)
const newKey = (rate_limit: number) =>
  mintKey(owner, { clinic_id, scopes: allScopes, name: 'workers', expires_at: null, rate_limit, now: new Date() })

const workersOf = (pid: number | undefined): number[] =>
  execFileSync('pgrep', ['-P', `${pid}`], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(Number)

/** The statuses of requests that are sent at once, each on a connection of its own. */
function statuses(count: number, bearer: string): Promise<number[]> {
  const headers = { authorization: `Bearer ${bearer}`, connection: 'close' }
  return Promise.all(
    Array.from({ length: count }, async () => {
      const answer = await fetch(`${service.address}/v1/me`, { headers })
      await answer.arrayBuffer()
      return answer.status
    }),
  )
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${service.adminAddress}/metrics`)).text()
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(name))
      ?.split(' ')
      .at(-1) ?? 0,
  )
}

const ANSWERED = 'http_server_request_duration_seconds_count{operation="me.get",http_response_status_code="200"'

test('a limit of 40 requests admits exactly 40 of many at once, whichever worker they reach', async () => {
  const before = await metric(ANSWERED)
  const { key } = await newKey(40)
  const answers: number[] = []
  // On a busy machine some wait too long for their turn, and are told to come again.
  while (answers.length < 120) {
    const some = await statuses(120 - answers.length, key)
    answers.push(...some.filter((status) => status !== 503))
  }
  assert.equal(answers.filter((status) => status === 200).length, 40)
  assert.equal(answers.filter((status) => status === 429).length, 80)
  // Their logs come once a second.
  while (service.answering.size < 2) await delay(50)
  assert.deepEqual([...service.answering].sort(), workersOf(service.child.pid).sort(), 'both workers have answered')
  assert.equal((await metric(ANSWERED)) - before, 40, 'the metrics of the workers add up')
})

test('a revoked key is refused by every worker as soon as its revocation is acknowledged', async () => {
  const { id, key } = await newKey(1_000)
  assert.deepEqual(new Set(await statuses(40, key)), new Set([200]))
  const using = setInterval(() => void statuses(4, key).catch(() => undefined), 50)
  await revokeKey(owner, { clinic_id, id, now: new Date() })
  clearInterval(using)
  const refused = (await statuses(40, key)).filter((status) => status !== 429)
  assert.deepEqual(new Set(refused), new Set([401]), 'on a busy machine the last ones of many wait')
})

test('an app registers itself at any worker, and its device waits for a person', () =>
  assertAnswersApps(service.address, CONSOLE_URL))

/** Meanwhile no look of the primary process finds what is due: it does what its workers tell it, and nothing else. */
async function withoutLooks(work: () => Promise<void>): Promise<void> {
  const see = async (what: Statement) => {
    for (const table of ['lane', 'delivery', 'chat_send'])
      await owner.query(sql`alter policy dispatcher on ${sql.identifier(table)} using (${what})`)
  }
  await see(sql`false`)
  try {
    await work()
  } finally {
    await see(sql`current_setting('app.dispatcher', true) = 'on'`)
  }
}

test('a chat message that is written through a worker is sent at once', async () => {
  const { path, body } = creating.message('at once')
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  await withoutLooks(async () => {
    const answer = await fetch(`${service.address}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    assert.equal(answer.status, 201, await answer.clone().text())
    const { id } = ((await answer.json()) as { data: { id: string } }).data
    const isSent = async () => {
      const read = await fetch(`${service.address}${path}/${id}`, { headers })
      return ((await read.json()) as { data: { status: string } }).data.status !== 'queued'
    }
    await until(isSent, () => 'the message was not sent', PATIENCE_MS)
  })
})

test('a webhook that is made through a worker is checked, gets its events at once, and ends', async () => {
  const received: string[] = []
  const receiver = createServer((request, response) => {
    request.resume()
    received.push(String(request.url))
    response.end()
  }).listen(0, '127.0.0.1')
  after(() => receiver.close())
  await once(receiver, 'listening')
  const hooks = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) }
    const answer = await fetch(`${service.address}/v1/webhooks${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, text: await answer.text() }
  }
  const refused = await hooks('POST', '', { url: 'https://10.0.0.1/hook' })
  assert.equal(refused.status, 422, refused.text)
  const { port } = receiver.address() as AddressInfo
  // A subscription to all types would also get the chat message of the test before, whose status changes a moment later.
  const event_types = ['patient.created']
  const made = await hooks('POST', '', { url: `http://127.0.0.1:${port}/hook`, event_types })
  assert.equal(made.status, 201, made.text)
  const { id } = JSON.parse(made.text).data
  await withoutLooks(async () => {
    const tried = await hooks('POST', `/${id}/test`, { event_type: 'patient.created' })
    assert.ok(tried.status < 300, tried.text)
    await until(
      async () => received.length > 0,
      () => 'the event did not come',
      PATIENCE_MS,
    )
  })
  assert.deepEqual(received, ['/hook'])
  assert.equal((await hooks('DELETE', `/${id}`)).status, 204)
})

test('a worker that is killed under load loses no answered write, and another one comes', async (t) => {
  const counted = await metric(ANSWERED)
  const written = await clinicToWriteTo(owner)
  const killed: number[] = []
  const answers = await writeThroughCrashes({
    address: async () => service.address,
    key: written.key,
    rounds: KILLS,
    restMs: REST_MS,
    kill: async () => {
      const [pid = 0] = workersOf(service.child.pid)
      killed.push(pid)
      process.kill(pid, 'SIGKILL')
      while ((await metric('workers_ended_total')) < killed.length) await delay(100)
      while ((await metric('workers_listening')) < 2) await delay(100)
    },
  })
  t.diagnostic(`${answers.written.length} answers, longest pauses in ms: ${answers.pauses.map(Math.round)}`)
  await assertWhole(owner, written.clinic_id, answers)
  assert.equal(new Set(killed).size, KILLS)
  assert.equal(service.lines.filter((line) => /^a worker has ended/.test(line)).length, KILLS)
  assert.ok((await metric(ANSWERED)) >= counted, 'the sum does not go back')
  assert.equal(await metric('workers_ended_total'), KILLS)
})

test('SIGTERM lets every request of every worker be answered before the connections close, and its trace be sent', async () => {
  const workers = workersOf(service.child.pid)
  assert.equal(workers.length, 2)
  const headers = { authorization: `Bearer ${key}` }
  const pool = new Pool(service.address, { connections: 16 })
  const statusOf = async (path: string) => {
    const { statusCode, body } = await pool.request({ path, method: 'GET', headers })
    await body.dump()
    return statusCode
  }
  let isReady = true
  const seen: number[] = []
  const client = async () => {
    while (isReady) {
      seen.push(await statusOf('/v1/patients/p'))
      await delay(REST_MS)
    }
  }
  // They wait until the service stops.
  const waiting = Array.from({ length: 4 }, () => statusOf('/v1/events?wait=5'))
  const clients = Array.from({ length: 8 }, client)
  while (seen.length < 50) await delay(10)
  const ended = service.end('SIGTERM')
  // As a load balancer does it.
  while (isReady) isReady = (await statusOf('/readyz')) === 200
  await Promise.all(clients)
  assert.deepEqual(new Set(seen), new Set([200]))
  assert.deepEqual(new Set(await Promise.all(waiting)), new Set([200]))
  await pool.close()
  assert.equal(await ended, 0)
  assert.ok(!workers.some(isAlive))
  await assert.rejects(once(connect(Number(new URL(service.address).port), '127.0.0.1'), 'connect'))
  const spans = receiver.spans()
  const requests = spans.filter(({ name }) => name === 'GET /v1/patients/{id}')
  assert.ok(requests.length > 0)
  const read = spans.find(({ name }) => name === 'patients.get')
  assert.ok(spans.some(({ parentSpanId, name }) => parentSpanId === read?.spanId && /^SELECT patient/.test(name)))
  assert.ok(receiver.bodies.every((body) => body.includes('clinic-service') && !body.includes(key)))
})

/** A primary process with one worker, which the last of its tests kills. `address` is that of its public API. */
async function startPrimary(): Promise<{ primary: ChildProcess; address: string }> {
  const primary = fork(join(import.meta.dirname, 'worker-child.ts'), {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      DATA_DIR: folder,
      DATABASE_OWNER_URL: url,
      DATABASE_URL: asApplication(url).url,
      PORT: '0',
      ADMIN_PORT: '0',
      SECRET_KEYS,
      LOG_LEVEL: 'silent',
    },
  })
  const ended = once(primary, 'exit').then(() => assert.fail('the primary process has ended'))
  const [address] = await Promise.race([once(primary, 'message'), ended])
  return { primary, address }
}

let started: ReturnType<typeof startPrimary> | undefined
function startedPrimary() {
  started ??= startPrimary()
  return started
}
after(async () => void (await started)?.primary.kill('SIGKILL'))

test('a worker answers DELETE of a webhook when the engine of the primary process has ended it', async () => {
  const { primary, address } = await startedPrimary()
  const written = await clinicToWriteTo(owner)
  const headers = { authorization: `Bearer ${written.key}`, 'content-type': 'application/json' }
  const hooks = (method: string, path: string, body?: string) =>
    fetch(`${address}/v1/webhooks${path}`, { method, headers, ...(body && { body }) })
  const made = await hooks('POST', '', JSON.stringify({ url: 'https://crm.example.com/hook' }))
  const { id } = ((await made.json()) as { data: { id: string } }).data
  const message = once(primary, 'message')
  let isAnswered = false
  const deleting = hooks('DELETE', `/${id}`).finally(() => {
    isAnswered = true
  })
  const unasked = deleting.then(() => assert.fail('it was answered without the engine'))
  assert.deepEqual((await Promise.race([message, unasked]))[0], [written.clinic_id, id])
  // The same worker answers what is asked later.
  for (let i = 0; i < 10; i++) assert.equal((await hooks('GET', `/${id}`)).status, 404)
  assert.equal(isAnswered, false)
  primary.send('ended')
  assert.equal((await deleting).status, 204)
})

test('the workers end when the primary process is killed', async () => {
  const { primary, address } = await startedPrimary()
  assert.equal((await fetch(`${address}/healthz`)).status, 200)
  const workers = workersOf(primary.pid)
  assert.equal(workers.length, 1)
  const ended = once(primary, 'exit')
  primary.kill('SIGKILL')
  await ended
  while (workers.some(isAlive)) await delay(5)
})

test('a number of workers that cannot be is a clear error at once', async () => {
  for (const [argv, fault] of [
    [['--workers', '0'], 'clinicd: --workers (or WORKERS) must be a number of processes, from 1 to 64\n'],
    [['--workers', '2', '--role', 'dispatcher'], 'clinicd: --workers goes with the roles all and gateway'],
  ] as const) {
    const { code, errors } = await operator.run(['serve', ...argv], { DATABASE_URL: url, SECRET_KEYS })
    assert.equal(code, 2)
    assert.ok(errors.startsWith(fault), errors)
  }
})
