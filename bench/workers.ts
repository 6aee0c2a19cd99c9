// The CPU time of a read with `--workers 2` compared with `--workers 1`, in the same run: what it costs to share the listener and
// the rate limits.
//
//   node bench/workers.ts [seconds a run] [connections]    needs wrk (Debian package wrk), and a clinic, which it makes if missing
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { benchClinic, benchKey } from './bench-clinic.ts'
import { KEPT, openBenchDatabase } from './bench-database.ts'
import { childrenOf, cpuOf } from './cpu-time.ts'
import { report } from './goal.ts'
import { load, median, WARM_UP_SECONDS } from './wrk.ts'

const ROUNDS = 5
const MOST_OVERHEAD = 5
const seconds = Number(process.argv[2] ?? 4)
const connections = Number(process.argv[3] ?? 64)
const root = dirname(import.meta.dirname)

interface Service {
  workers: number
  address: string
  process: ChildProcess
}

const { server, owner, close } = await openBenchDatabase(KEPT)
const postmaster = Number(readFileSync(join(root, '.data', 'bench', 'pg', 'postmaster.pid'), 'utf8').split('\n')[0])
const services: Service[] = []
try {
  const clinic = await benchClinic(owner, { clinic_id: 'bench-workers', patients: 5_000, appointments_per_patient: 10 })
  const key = await benchKey(owner, clinic, ['patients:read', 'appointments:read'])
  const env = { SECRET_KEYS: `bench:${randomBytes(32).toString('base64')}`, DATABASE_URL: server.ownerUrl }
  const one = start(1, { ...env, PORT: '18280', ADMIN_PORT: '18281' })
  const two = start(2, { ...env, PORT: '18282', ADMIN_PORT: '18283' })
  await Promise.all([one, two].map(reachable))
  await compare(one, two, key)
} finally {
  for (const service of services) service.process.kill('SIGTERM')
  await close()
}

function start(workers: number, env: { PORT: string } & NodeJS.ProcessEnv): Service {
  const argv = [join(root, 'packages', 'server', 'bin', 'clinicd.mjs'), 'serve', '--workers', String(workers)]
  const child = spawn(process.execPath, argv, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  const service = { workers, address: `http://127.0.0.1:${env.PORT}`, process: child }
  services.push(service)
  return service
}

async function reachable({ address }: Service): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if ((await fetch(`${address}/readyz`).catch(() => null))?.ok) return
    await delay(100)
  }
  throw new Error(`${address} does not answer`)
}

interface Round {
  one: Measured
  two: Measured
}

/** Alternates both, so that a change of the machine's speed affects both. */
async function compare(one: Service, two: Service, key: string): Promise<void> {
  const answer = await fetch(`${one.address}/v1/patients?limit=1`, { headers: { authorization: `Bearer ${key}` } })
  const { data } = (await answer.json()) as { data: [{ id: string }] }
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
  const routes = [
    { name: 'GET /v1/appointments, 25 rows', path: `/v1/appointments?from=${day(-30)}&to=${day(-20)}` },
    { name: 'GET /v1/patients/{id}', path: `/v1/patients/${data[0].id}` },
  ]
  process.stdout.write('| route | requests/s with 1, 2 workers | CPU of Node.js, µs a request | of it the primary |')
  process.stdout.write(' CPU of PostgreSQL | more |\n|---|---|---|---|---|---|\n')
  for (const { name, path } of routes) {
    const rounds: Round[] = []
    for (const { address } of [one, two]) load({ url: address + path, key, connections, seconds: WARM_UP_SECONDS })
    for (let round = 0; round < ROUNDS; round++)
      rounds.push({ one: measured(one, path, key), two: measured(two, path, key) })
    const overhead = 100 * median(rounds.map((round) => round.two.cpuUs / round.one.cpuUs - 1))
    const of = (value: (round: Round) => number) => Math.round(median(rounds.map(value)))
    const rates = `${of(({ one }) => one.rate)}, ${of(({ two }) => two.rate)}`
    const cpu = `${of(({ one }) => one.cpuUs)}, ${of(({ two }) => two.cpuUs)}`
    const primary = of(({ two }) => two.primaryUs)
    const database = `${of(({ one }) => one.databaseUs)}, ${of(({ two }) => two.databaseUs)}`
    process.stdout.write(`| ${name} | ${rates} | ${cpu} | ${primary} | ${database} | ${overhead.toFixed(1)} % |\n`)
    report({
      name: `two workers, CPU of Node.js beyond one process, ${name}, ${connections} connections`,
      value: overhead,
      unit: '%',
      limit: { atMost: MOST_OVERHEAD },
      opponent: 'one process',
    })
  }
}

interface Measured {
  rate: number
  /** The CPU time of all processes of the service for a request, and that of the primary. */
  cpuUs: number
  primaryUs: number
  databaseUs: number
}

function measured({ address, process: { pid = 0 } }: Service, path: string, key: string): Measured {
  const groups = [[pid], childrenOf(pid), childrenOf(postmaster)]
  const before = groups.map((pids) => pids.map(cpuOf))
  const { requestsPerSecond } = load({ url: address + path, key, connections, seconds })
  const [primaryUs = 0, workersUs = 0, databaseUs = 0] = groups.map((pids, group) => {
    // A process of PostgreSQL may have ended meanwhile.
    const used = pids.map((one, at) => Math.max(0, cpuOf(one) - (before[group]?.[at] ?? 0)))
    return used.reduce((sum, one) => sum + one, 0) / (requestsPerSecond * seconds)
  })
  return { rate: requestsPerSecond, cpuUs: primaryUs + workersUs, primaryUs, databaseUs }
}
