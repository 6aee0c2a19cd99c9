// Tests what one running `clinicd` shows from outside: its metrics, the memory that requests leave, and no trace where none is asked for.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import * as schema from '@clinic-data/backend/migrations'
import { clinicToWriteTo } from '@clinic-data/testing/grounds/crash-load'
import { startClinicd } from '@clinic-data/testing/programs/clinicd-process'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { sized } from '@clinic-data/testing/run/size'
import { until } from '@clinic-data/testing/until'
import { prometheusMetrics } from '../scripts/metrics-document.ts'
import { samplesOf } from './prometheus-samples.ts'
import { spanReceiver } from './span-receiver.ts'

const CONNECTIONS = 8
/** Each makes some 20 KB of objects. V8 judges how long they stay after some thousand of them. */
const REQUESTS = sized({ everyday: 10_000, long: 20_000 })
const MB = 1024 * 1024
/** Compiled code and caches. If each request's objects stayed, there would be three times as much. */
const MOST_GROWTH = 8 * MB

/** Runs in the process: logs the size of the part of the heap that only full collections clean. */
const LOGS_OLD_SPACE = `import { getHeapSpaceStatistics } from 'node:v8'
setInterval(() => {
  const { space_used_size } = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')
  process.stderr.write(JSON.stringify({ msg: 'old space ' + space_used_size }) + '\\n')
}, 20).unref()`

const { url, owner } = await ownGround(schema)
const folder = await mkdtemp(join(tmpdir(), 'running-'))
after(() => rm(folder, { recursive: true, force: true }))
const receiver = await spanReceiver()
// The program as it is released: one that was bundled for tests makes fewer objects at its start, so V8 treats those of requests otherwise.
const service = await startClinicd(
  [],
  {
    DATABASE_URL: url,
    CONSOLE_URL: 'https://console.clinic.example',
    DATA_DIR: folder,
    SECRET_KEYS: `t:${randomBytes(32).toString('base64')}`,
    // Separate gateways may ask it, too.
    BACKEND_TOKEN: randomBytes(24).toString('hex'),
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.address,
    OTEL_TRACES_SAMPLER_ARG: '0',
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(LOGS_OLD_SPACE)}`,
  },
  join(import.meta.dirname, '../bin/clinicd.mjs'),
)

test('a running service shows every metric of the table and no other, with the labels of the table alone', async () => {
  const { key } = await clinicToWriteTo(owner)
  const me = async (headers: Record<string, string>) => (await fetch(`${service.address}/v1/me`, { headers })).status
  // A busy machine may refuse both at first.
  await until(
    async () => (await me({ authorization: `Bearer ${key}` })) === 200 && (await me({})) === 401,
    () => 'no answer but of an overload',
  )
  assert.equal((await fetch(`${service.address}/oauth/token`, { method: 'POST' })).status, 400)
  // They come with the first delivery, message, jump, failure or worker, with Redis, with a standby, with the embedded database and with a continuous export.
  const later =
    /^(delivery_latency|delivery_attempts_total|chat_messages_total|clock_|workers_|gateway_rate_limit|lease_|circuit_recovered|subscription_disabled|db_client_connection_open|db_client_replica|backup_|data_folder_|background_job_failures|audit_export)/
  let missing: string[] = []
  // A backlog is there once it has been looked at.
  const shown = await until(
    async () => {
      const samples = samplesOf(await (await fetch(`${service.adminAddress}/metrics`)).text())
      const names = new Set(samples.map(({ name }) => name.replace(/_count$/, '')))
      missing = [...prometheusMetrics.keys()].filter((name) => !names.has(name) && !later.test(name))
      return missing.length === 0 && samples
    },
    () => `missing: ${missing.join(', ')}`,
  )
  const unknown = shown.filter(({ name, labels }) => {
    const family = prometheusMetrics.get(name) ?? prometheusMetrics.get(name.replace(/_(bucket|count|sum)$/, ''))
    return (
      Object.keys(labels).some((label) => label !== 'le' && !family?.labels.includes(label)) || family === undefined
    )
  })
  assert.deepEqual(
    unknown.filter(({ name }) => name !== 'target_info'),
    [],
  )
  const info = shown.find(({ name }) => name === 'target_info')
  assert.equal(info?.labels.service_name, 'clinicd')
  assert.match(info?.labels.service_version ?? '', /^\d+\.\d+\.\d+$/)
  assert.equal(info?.labels.clinicd_role, 'all')
  const pools = shown.filter(({ name }) => name === 'db_client_connection_open')
  assert.equal(pools.length, 8)
  const text = JSON.stringify(shown)
  assert.ok(!text.includes(key) && !text.includes('sk_live'))
})

const skip = spawnSync('promtool', ['--version']).error
  ? 'Prometheus is not installed: apt-get install prometheus'
  : false

test('Prometheus finds no fault in the names of the metrics, nor in how they are shown', { skip }, async () => {
  const page = await (await fetch(`${service.adminAddress}/metrics`)).text()
  // Those that the page does not show yet.
  const missing = [...prometheusMetrics].filter(([name]) => !page.includes(`# TYPE ${name} `))
  const added = missing
    .filter(([, { kind }]) => kind !== 'histogram')
    .map(([name, { kind }]) => `# HELP ${name} Later.\n# TYPE ${name} ${kind}\n${name} 1\n`)
  const { status, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input: page + added.join(''),
    encoding: 'utf8',
  })
  assert.deepEqual([status, stderr], [0, ''])
})

test('answered requests do not stay until a full collection', async () => {
  const sizes = () => service.lines.flatMap((line) => /^old space (\d+)$/.exec(line)?.[1] ?? []).map(Number)
  await ask(service.address, REQUESTS / 4)
  const before = sizes()
  await ask(service.address, REQUESTS)
  const later = sizes().slice(before.length)
  assert.ok(before.length > 0 && later.length > 0, 'the process did not tell its sizes')
  const growth = Math.max(...later) - (before.at(-1) ?? Number.NaN)
  assert.ok(growth < MOST_GROWTH, `the old space grew by ${Math.round(growth / MB)} MB`)
})

/** Each connection has one request under way. */
async function ask(address: string, count: number): Promise<void> {
  const { hostname, port, host } = new URL(address)
  const request = `GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  let left = count
  const client = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), hostname)
        .on('error', reject)
        .on('close', () => resolve())
      const next = () => (left-- > 0 ? socket.write(request) : socket.destroy())
      // The body is the end of the answer.
      socket.on('connect', next).on('data', (bytes) => bytes.at(-1) === CLOSING_BRACE && next())
    })
  await Promise.all(Array.from({ length: CONNECTIONS }, client))
}

const CLOSING_BRACE = 0x7d

test('no request is traced when none of them is asked for', async () => {
  const { key } = await clinicToWriteTo(owner)
  const answer = await fetch(`${service.address}/v1/patients/p`, { headers: { authorization: `Bearer ${key}` } })
  assert.equal(answer.status, 200)
  await answer.text()
  // The recorded spans are sent at the end.
  assert.equal(await service.end('SIGINT'), 0)
  assert.deepEqual(receiver.bodies, [])
})
