// Reads per second through a gateway and a backend as two processes, compared with one process that is both, in the same run.
//
//   node bench/roles.ts [seconds a run]    needs wrk (Debian package wrk), and the clinic of reads.ts, which it makes if it is missing
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { benchClinic, benchKey } from './bench-clinic.ts'
import { KEPT, openBenchDatabase } from './bench-database.ts'
import { cpuOf } from './cpu-time.ts'
import { report } from './goal.ts'
import { load, median, WARM_UP_SECONDS } from './wrk.ts'

const ROUNDS = 5
const CONNECTIONS = 64
const seconds = Number(process.argv[2] ?? 4)
const root = dirname(import.meta.dirname)
const one = 'http://127.0.0.1:18180'
const two = 'http://127.0.0.1:18182'
const port = 'http://127.0.0.1:18185'

const { server, owner, close } = await openBenchDatabase(KEPT)
const children: { name: string; process: ChildProcess }[] = []
try {
  const clinic = await benchClinic(owner, { clinic_id: 'bench', patients: 100_000, appointments_per_patient: 10 })
  const key = await benchKey(owner, clinic, ['patients:read', 'appointments:read'])
  const env = { SECRET_KEYS: `bench:${randomBytes(32).toString('base64')}` }
  const database = { ...env, DATABASE_URL: server.ownerUrl }
  const BACKEND_TOKEN = randomBytes(32).toString('hex')
  start('all', { ...database, PORT: '18180', ADMIN_PORT: '18181' })
  start('backend', { ...database, BACKEND_TOKEN, ADMIN_PORT: new URL(port).port })
  start('gateway', { ...env, BACKEND_TOKEN, BACKEND_URL: port, PORT: '18182', ADMIN_PORT: '18183' })
  await Promise.all([reachable(`${one}/readyz`), reachable(`${two}/readyz`)])
  await compare(key)
} finally {
  for (const child of children) child.process.kill('SIGTERM')
  await close()
}

function start(role: string, env: NodeJS.ProcessEnv): void {
  const argv = [join(root, 'packages', 'server', 'bin', 'clinicd.mjs'), 'serve', '--role', role]
  const child = spawn(process.execPath, argv, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  children.push({ name: role, process: child })
}

async function reachable(url: string): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if ((await fetch(url).catch(() => null))?.ok) return
    await delay(100)
  }
  throw new Error(`${url} does not answer`)
}

/** Alternates both, so that a change of the machine's speed affects both. */
async function compare(key: string): Promise<void> {
  const answer = await fetch(`${one}/v1/patients?limit=1`, { headers: { authorization: `Bearer ${key}` } })
  const { data } = (await answer.json()) as { data: [{ id: string }] }
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
  const goals = [
    { name: 'GET /v1/appointments, 25 rows', path: `/v1/appointments?from=${day(-30)}&to=${day(-20)}`, atLeast: 80 },
    { name: 'GET /v1/patients/{id}', path: `/v1/patients/${data[0].id}`, atLeast: 65 },
  ]
  process.stdout.write('| route | one process, requests/s | two, requests/s | ratio | CPU of each, µs a request |\n')
  process.stdout.write('|---|---|---|---|---|\n')
  for (const { name, path, atLeast } of goals) {
    const rounds: { one: number; two: number; cpu: Record<string, number> }[] = []
    for (const url of [one + path, two + path]) load({ url, key, connections: CONNECTIONS, seconds: WARM_UP_SECONDS })
    for (let round = 0; round < ROUNDS; round++) {
      const alone = measured(one + path, key, ['all'])
      const apart = measured(two + path, key, ['gateway', 'backend'])
      rounds.push({ one: alone.rate, two: apart.rate, cpu: { ...alone.cpu, ...apart.cpu } })
    }
    const ratio = 100 * median(rounds.map((round) => round.two / round.one))
    const cpu = children.map(
      (child) => `${child.name} ${Math.round(median(rounds.map((r) => r.cpu[child.name] ?? 0)))}`,
    )
    const rates = [median(rounds.map((round) => round.one)), median(rounds.map((round) => round.two))].map(Math.round)
    process.stdout.write(`| ${name} | ${rates.join(' | ')} | ${ratio.toFixed(0)} % | ${cpu.join(', ')} |\n`)
    report({
      name: `gateway and backend apart, ${name}, ${CONNECTIONS} connections`,
      value: ratio,
      unit: '%',
      limit: { atLeast },
      opponent: 'both in one process',
    })
  }
}

/** Requests per second, and the CPU time of these processes for each. */
function measured(url: string, key: string, names: readonly string[]): { rate: number; cpu: Record<string, number> } {
  const pids = names.map((name) => children.find((child) => child.name === name)?.process.pid ?? 0)
  const before = pids.map(cpuOf)
  const { requestsPerSecond } = load({ url, key, connections: CONNECTIONS, seconds })
  const cpu = names.map((name, i) => [name, (cpuOf(pids[i] ?? 0) - (before[i] ?? 0)) / (requestsPerSecond * seconds)])
  return { rate: requestsPerSecond, cpu: Object.fromEntries(cpu) }
}
