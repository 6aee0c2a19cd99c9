// Analytics of our service and of Cube, in turn on the same tables: questions about 1,000,000 treatments, none answered from a cache.
//
//   node bench/peers/cube.ts [rounds] [defaults]    makes its clinic once, in .data/bench-analytics, as for analytics.ts. `defaults`
//                                                   leaves Cube with PostgreSQL's own settings
import { deepEqual } from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { cp } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { analyticsClinic } from '../analytics-clinic.ts'
import { type BenchQuestion, questions } from '../analytics-questions.ts'
import { report } from '../goal.ts'
import { median } from '../wrk.ts'
import { asCube, rowsAsOurs, withoutGroups } from './cube/question.ts'
import { installedPeer } from './installed-peer.ts'
import { openPeerGround, type PeerGround } from './peer-ground.ts'
import { type Started, startServer } from './server-process.ts'

/** The newest of the registry's that makes its answers without the native part, which is not on the registry. */
const VERSION = '0.35.81'
const PORT = 18_730
const CLINIC = 'bench'
const GOAL = 3
const rounds = Number(process.argv[2] ?? 5)
const secret = randomBytes(24).toString('hex')

/** Left out: its weeks begin on another day, and it has no word for ages. */
const LEFT_OUT = ['net revenue by week, one year', 'net revenue by age band of the patient, one year']

const GRANTS = 'grant select on treatment, provider, branch, catalog_treatment, treatment_category to peer;'
/** With these our service scans. They help Cube too, which sets none. */
const SETTINGS = `alter role peer set jit = off; alter role peer set work_mem = '32MB'; alter role peer set random_page_cost = 1.1;`
const granted = process.argv[3] === 'defaults' ? GRANTS : GRANTS + SETTINGS

interface Measured {
  ms: number
  /** CPU seconds of the server and of PostgreSQL. */
  cpu: number
}
interface Answer {
  rows: readonly Record<string, unknown>[]
  /** Over all rows. */
  totals?: Record<string, unknown> | undefined
}
interface Pair {
  ours: Measured
  theirs: Measured
}
/** Cube is asked for the groups, or for them and the totals, which is what ours answers. */
type Part = 'groups' | 'whole'

const packages = { '@cubejs-backend/server': VERSION, '@cubejs-backend/postgres-driver': VERSION }
const folder = await installedPeer('cube', packages)
const ground = await openPeerGround('bench-analytics', (owner) => analyticsClinic(owner, CLINIC), [
  'patients:read',
  'payments:read',
  'analytics:read',
])
try {
  const theirs = await startCube(ground)
  try {
    await compare(ground, theirs)
  } finally {
    await theirs.stop()
  }
} finally {
  await ground.close()
}

/** One process, with its queue in memory and without a worker that renews caches. Row level security does not bind its login. */
async function startCube({ peerUrl }: PeerGround): Promise<Started> {
  const from = join(import.meta.dirname, 'cube')
  await cp(join(from, 'model.js'), join(folder, 'model', 'model.js'))
  await cp(join(from, 'server.cjs'), join(folder, 'server.cjs'))
  const url = new URL(await peerUrl('bypassrls', granted))
  return startServer({
    argv: [join(folder, 'server.cjs')],
    port: PORT,
    readyAt: '/livez',
    env: {
      PORT: String(PORT),
      CUBEJS_DB_TYPE: 'postgres',
      CUBEJS_DB_HOST: decodeURIComponent(url.hostname),
      CUBEJS_DB_NAME: url.pathname.slice(1),
      CUBEJS_DB_USER: url.username,
      CUBEJS_DB_PASS: url.password,
      CUBEJS_API_SECRET: secret,
      CUBEJS_CACHE_AND_QUEUE_DRIVER: 'memory',
      CUBEJS_REFRESH_WORKER: 'false',
    },
    cwd: folder,
    logFile: join(folder, 'server.log'),
  })
}

/** All questions in turn, so that a second passes until one is asked again: then Cube looks the rows up anew. */
async function compare({ ours, key, databaseCpuUs }: PeerGround, theirs: Started): Promise<void> {
  const answered = questions(CLINIC).filter(({ name }) => !LEFT_OUT.includes(name))
  const results = new Map(answered.map(({ name }) => [name, { groups: [] as Pair[], whole: [] as Pair[] }]))
  const measured = async (server: Started, ask: () => Promise<Answer>) => {
    const [startedAt, before] = [performance.now(), server.cpuUs() + databaseCpuUs()]
    const answer = await ask()
    const ms = performance.now() - startedAt
    return { ...answer, ms, cpu: (server.cpuUs() + databaseCpuUs() - before) / 1_000_000 }
  }
  const compared = async (question: BenchQuestion, part: Part, oursFirst: boolean) => {
    const mine = () => measured(ours, () => askOurs(ours.url, key, question))
    const other = () => measured(theirs, () => askTheirs(theirs.url, question, part))
    const early = oursFirst ? await mine() : null
    const two = await other()
    const one = early ?? (await mine())
    deepEqual(two.rows, one.rows, question.name)
    if (two.totals !== undefined) deepEqual(two.totals, one.totals, question.name)
    return { ours: one, theirs: two }
  }
  process.stdout.write(`${rounds} rounds, load ${loadavg()[0]?.toFixed(1)}\n\n`)
  // The first round warms both up.
  for (let round = -1; round < rounds; round++) {
    for (const part of ['groups', 'whole'] as const) {
      for (const question of answered) {
        const pair = await compared(question, part, round % 2 === 0)
        if (round >= 0) results.get(question.name)?.[part].push(pair)
      }
    }
  }
  print(results)
}

function print(results: ReadonlyMap<string, Readonly<Record<Part, readonly Pair[]>>>): void {
  process.stdout.write(
    `| question | ours (ms) | Cube ${VERSION}, groups (ms) | theirs / ours | groups and totals (ms) | theirs / ours | CPU (s) ours, groups, both |\n|---|---|---|---|---|---|---|\n`,
  )
  const of = (pairs: readonly Pair[], figure: (pair: Pair) => number) => median(pairs.map(figure))
  for (const [name, { groups, whole }] of results) {
    const ms = (pairs: readonly Pair[]) => of(pairs, ({ theirs }) => theirs.ms).toFixed(0)
    const ratio = (pairs: readonly Pair[]) => of(pairs, ({ ours, theirs }) => theirs.ms / ours.ms)
    const cpu = [
      of(whole, ({ ours }) => ours.cpu),
      ...[groups, whole].map((all) => of(all, ({ theirs }) => theirs.cpu)),
    ]
    const ours = of([...groups, ...whole], (pair) => pair.ours.ms).toFixed(0)
    process.stdout.write(
      `| ${name} | ${ours} | ${ms(groups)} | ${ratio(groups).toFixed(1)} | ${ms(whole)} | ${ratio(whole).toFixed(1)} | ${cpu.map((one) => one.toFixed(2)).join(', ')} |\n`,
    )
    const opponent = `Cube ${VERSION}, uncached, ${ratio(groups).toFixed(1)} × for the groups alone`
    report({ name: `${name}, beside Cube`, value: ratio(whole), unit: '×', limit: { atLeast: GOAL }, opponent })
  }
}

async function askOurs(url: string, key: string, { body }: BenchQuestion): Promise<Answer> {
  const answer = (await post(`${url}/v1/query`, `Bearer ${key}`, body)) as { data: Answer }
  return answer.data
}

/** The totals are a second question, at the same time. */
async function askTheirs(url: string, { body }: BenchQuestion, part: Part): Promise<Answer> {
  if (part === 'groups' || body.dimensions === undefined) return { rows: await askCube(url, body) }
  const [rows, totals] = await Promise.all([askCube(url, body), askCube(url, withoutGroups(body))])
  return { rows, totals: totals[0] }
}

/** @throws Error if it answers rows that it had looked up before. */
async function askCube(url: string, body: BenchQuestion['body']): Promise<Answer['rows']> {
  const askedAt = Date.now()
  for (;;) {
    const answer = (await post(`${url}/cubejs-api/v1/load`, token(), { query: asCube(body) })) as {
      error?: string
      lastRefreshTime: string
      data: Answer['rows']
    }
    // It says so after some seconds, and goes on.
    if (answer.error === 'Continue wait') continue
    if (answer.error !== undefined) throw new Error(answer.error)
    if (Date.parse(answer.lastRefreshTime) < askedAt) throw new Error('Cube answered from a cache')
    return rowsAsOurs(body, answer.data)
  }
}

async function post(url: string, authorization: string, body: unknown): Promise<unknown> {
  const headers = { authorization, 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

/** A JSON web token, by which Cube lets a client in. */
function token(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const head = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ exp: Math.floor(Date.now() / 1000) + 3600 })}`
  return `${head}.${createHmac('sha256', secret).update(head).digest('base64url')}`
}
