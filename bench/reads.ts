// Reads per second of the public API compared with a bare Fastify route that makes the same two look-ups (key, data) in the same
// run.
//
//   node bench/reads.ts [seconds a run]    needs wrk (Debian package wrk); makes its clinic once, in .data/bench: 100,000 patients,
//                                          1,000,000 appointments
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { benchClinic, benchKey } from './bench-clinic.ts'
import { KEPT, openBenchDatabase } from './bench-database.ts'
import { report } from './goal.ts'
import { load, type Measured, median, WARM_UP_SECONDS } from './wrk.ts'

const ROUNDS = 3
/** Page 1,000 of a list, and the size of its pages. */
const DEEP_PAGE = 1000
const PAGE_SIZE = 25
const seconds = Number(process.argv[2] ?? 5)
const root = dirname(import.meta.dirname)
const ours = 'http://127.0.0.1:18080'
const bare = 'http://127.0.0.1:18082'

const { server, owner, close } = await openBenchDatabase(KEPT)
const children: ChildProcess[] = []
try {
  const clinic = await benchClinic(owner, { clinic_id: 'bench', patients: 100_000, appointments_per_patient: 10 })
  const key = await benchKey(owner, clinic, ['patients:read', 'appointments:read'])
  const env = {
    ...process.env,
    DATABASE_URL: server.ownerUrl,
    SECRET_KEYS: `bench:${randomBytes(32).toString('base64')}`,
    PORT: '18080',
    ADMIN_PORT: '18081',
  }
  children.push(start([join(root, 'packages', 'server', 'bin', 'clinicd.mjs'), 'serve'], env))
  children.push(start([join(root, 'bench', 'bare-server.ts'), server.appUrl, '18082'], env))
  await Promise.all([reachable(`${ours}/v1/me`), reachable(`${bare}/v1/me`)])
  await compare(key)
  await comparePages(key)
} finally {
  for (const child of children) child.kill('SIGTERM')
  await close()
}

function start(argv: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, argv, { env, stdio: ['ignore', 'ignore', 'ignore'] })
}

async function reachable(url: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (await fetch(url).catch(() => null)) return
    await delay(100)
  }
  throw new Error(`${url} does not answer`)
}

/** Alternates both, so that a change of the machine's speed affects both. */
async function compare(key: string): Promise<void> {
  const first = await ask(key, '/v1/patients?limit=1')
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
  const paths = {
    'GET /v1/patients/{id}': `/v1/patients/${first.data[0].id}`,
    'GET /v1/appointments?from&to': `/v1/appointments?from=${day(-30)}&to=${day(-20)}`,
  }
  process.stdout.write(
    '| route | connections | ours, requests/s | bare, requests/s | ratio | ours p50, p99 (ms) |\n|---|---|---|---|---|---|\n',
  )
  for (const [name, path] of Object.entries(paths)) {
    for (const side of [ours, bare]) load({ url: side + path, key, connections: 64, seconds: WARM_UP_SECONDS })
    for (const connections of [64, 16]) {
      const pairs: [Measured, Measured][] = []
      for (let round = 0; round < ROUNDS; round++) {
        pairs.push([
          load({ url: ours + path, key, connections, seconds }),
          load({ url: bare + path, key, connections, seconds }),
        ])
      }
      const rate = (which: 0 | 1) => median(pairs.map((pair) => pair[which].requestsPerSecond))
      const ratio = median(pairs.map(([a, b]) => a.requestsPerSecond / b.requestsPerSecond))
      const latency = `${median(pairs.map(([a]) => a.p50Ms)).toFixed(1)}, ${median(pairs.map(([a]) => a.p99Ms)).toFixed(1)}`
      process.stdout.write(
        `| ${name} | ${connections} | ${Math.round(rate(0))} | ${Math.round(rate(1))} | ${(ratio * 100).toFixed(0)} % | ${latency} |\n`,
      )
      const limit = { atLeast: name.endsWith('{id}') ? 90 : 85 }
      const opponent = 'a bare Fastify route with the same look-ups'
      if (connections === 64)
        report({ name: `${name}, 64 connections`, value: ratio * 100, unit: '%', limit, opponent })
    }
  }
}

/** Page 1 and page 1,000 of the appointments, alternating. */
async function comparePages(key: string): Promise<void> {
  let cursor: string | null = null
  for (let page = 1; page < DEEP_PAGE; page++) {
    const answer = await ask(key, `/v1/appointments?limit=${PAGE_SIZE}${cursor === null ? '' : `&cursor=${cursor}`}`)
    cursor = answer.next_cursor
  }
  const paths = [`/v1/appointments?limit=${PAGE_SIZE}`, `/v1/appointments?limit=${PAGE_SIZE}&cursor=${cursor}`]
  const rounds: [number, number][] = []
  for (let round = 0; round < ROUNDS; round++) {
    const [first = Number.NaN, deep = Number.NaN] = paths.map(
      (path) => load({ url: ours + path, key, connections: 8, seconds }).p99Ms,
    )
    rounds.push([first, deep])
  }
  const [first, deep] = [median(rounds.map(([one]) => one)), median(rounds.map(([, other]) => other))]
  process.stdout.write(
    `\np99 of page 1: ${first.toFixed(1)} ms, of page ${DEEP_PAGE}: ${deep.toFixed(1)} ms, ratio ${(deep / first).toFixed(2)}\n`,
  )
}

async function ask(key: string, path: string) {
  const ask = () => fetch(ours + path, { headers: { authorization: `Bearer ${key}` } })
  // This process slept while wrk ran, and the service closed the idle connection.
  const answer = await ask().catch(ask)
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
  return (await answer.json()) as { data: { id: string }[]; next_cursor: string | null } & { data: [{ id: string }] }
}
