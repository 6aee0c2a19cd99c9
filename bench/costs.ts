// Measures what the service costs by kind of work: CPU seconds of gateway, backend, dispatcher and PostgreSQL for a thousand of each, and
// the bytes that a row takes. These are the figures that `plan.ts` and docs/scaling.md count with.
//
//   node bench/costs.ts [--seconds 3] [--layout together] [--only leads,payments] [--statements] [--database <owner url of a Citus coordinator whose nodes are
//                       on this machine>]
//
// It needs wrk (Debian package wrk). Without a url it makes a new database each time. `--statements` names the dearest statements of each kind;
// PostgreSQL then counts them, which is in the figures.
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { mintIngestToken } from '@clinic-data/administration/credentials/ingest-tokens'
import { allScopes } from '@clinic-data/contract'
import { openDatabase, sql } from '@clinic-data/database'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@clinic-data/database/embedded/embedded-postgres'
import { WakeUp } from '@clinic-data/webhooks/wake-up'
import { benchClinic, benchKey } from './bench-clinic.ts'
import { shardsTouched, startRoles } from './costs-ground.ts'
import { isLayout, type Kind, PARTS } from './measured-costs.ts'
import { keysOfClinic } from './measured-writes.ts'
import { dearest, startCounting, startCountingPostgres } from './statement-costs.ts'
import { printAuditSizes, printSizes, storedSizes } from './stored-sizes.ts'
import { HEALTHY_PER_CLINIC, happen, prepare, secretKeys } from './webhook-ground.ts'
import { type MeasuredWrite, newLeads, newPayments } from './writes.ts'
import { load, WARM_UP_SECONDS } from './wrk.ts'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    layout: { type: 'string', default: 'apart' },
    only: { type: 'string' },
    statements: { type: 'boolean', default: false },
    database: { type: 'string' },
  },
})
const { layout } = options
if (!isLayout(layout)) throw new Error(`there are the layouts ${Object.keys(PARTS).join(', ')}`)
const seconds = Number(options.seconds)
const CONNECTIONS = 16
/** Records of a batch of the ingest API, and events of a burst. */
const BATCH = 100
const EVENTS_AT_ONCE = 20
const ORIGINS = 20
const SHOWN_STATEMENTS = 15

const dataDir = await mkdtemp(join(tmpdir(), 'clinic-data-bench-'))
const server = options.database === undefined ? await startServer() : null
const url = options.database ?? server?.ownerUrl ?? ''
const owner = await openDatabase({ url, statementTimeoutMs: 0 })
const receiver = fork(join(import.meta.dirname, 'webhook-receiver.ts'), [String(ORIGINS)])
const [{ ports }] = (await once(receiver, 'message')) as [{ ports: number[] }]
// This also migrates.
const subscribed = await prepare(
  owner,
  ports.map((port) => `http://127.0.0.1:${port}`),
)
await owner.query(sql`insert into lane (clinic_id, subscription_id) select clinic_id, id from subscription`)
const clinic = await benchClinic(owner, { clinic_id: 'bench', patients: 3_000, appointments_per_patient: 10 })
const key = await benchKey(owner, clinic, allScopes)
const roles = await startRoles({ owner, url, secretKeys, isCluster: server === null, layout })
const wakeUp = new WakeUp(owner)
try {
  const heads = ['a thousand of', 'per second', ...PARTS[layout], 'sum, CPU s']
  process.stdout.write(`| ${heads.join(' | ')} |\n|${heads.map(() => '---|').join('')}\n`)
  const all = await works()
  const names = (options.only?.split(',') ?? Object.keys(all)) as Kind[]
  const unknown = names.filter((name) => !Object.hasOwn(all, name))
  if (unknown.length > 0) throw new Error(`nothing measures ${unknown}; there are ${Object.keys(all).join(', ')}`)
  for (const name of names) await measure(name, all[name])
  if (server !== null && options.only === undefined) {
    const sizes = await storedSizes(owner)
    printSizes(sizes)
    await printAuditSizes(owner, sizes)
  }
} finally {
  receiver.kill()
  await roles.stop()
  await owner.close()
  await server?.stop()
  await rm(dataDir, { recursive: true })
}

function startServer(): Promise<EmbeddedPostgres> {
  return options.statements ? startCountingPostgres(dataDir) : startEmbeddedPostgres({ dataDir, log: () => undefined })
}

/** Does one kind of work for some seconds. @returns how many of it were done */
type Work = (seconds: number) => Promise<number> | number

/** Once to warm up, and once measured. */
async function measure(name: string, work: Work): Promise<void> {
  await work(WARM_UP_SECONDS)
  // The planner of a service that has run for longer knows its rows.
  await owner.query(sql`analyze`)
  // The work that was left to be done afterwards belongs to the warming up.
  await delay(1_000)
  const shards = server === null ? await shardsTouched(owner) : null
  if (options.statements) await startCounting(owner)
  const [before, startedAt] = [roles.cpu(), performance.now()]
  const count = await work(seconds)
  const [after, tookMs] = [roles.cpu(), performance.now() - startedAt]
  const costs = after.map((used, part) => (used - (before[part] ?? 0)) / 1000 / count)
  const shown = [...costs, costs.reduce((sum, cost) => sum + cost, 0)].map((cost) => cost.toFixed(3))
  const cells = [name, String(Math.round((count * 1000) / tookMs)), ...shown]
  if (shards !== null) {
    const { one, several } = await shardsTouched(owner)
    cells.push(`${one - shards.one} statements to one shard, ${several - shards.several} to several`)
  }
  process.stdout.write(`| ${cells.join(' | ')} |\n`)
  if (options.statements) for (const line of await dearest(owner, SHOWN_STATEMENTS)) process.stderr.write(`  ${line}\n`)
}

async function works(): Promise<Record<Kind, Work>> {
  const { data } = (await ask('/v1/patients?limit=1')) as { data: [{ id: string }] }
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
  const month = [{ field: 'start_date', op: 'between', value: [day(-30), day(0)] }]
  const call = { name: 'appointments_list', arguments: { limit: 25 } }
  return {
    'patients by id': get(`/v1/patients/${data[0].id}`),
    'lists of 25': get(`/v1/appointments?from=${day(-30)}&to=${day(-20)}`),
    'searches by name': get('/v1/patients?query=levi'),
    'pages of the event feed': get(`/v1/events?limit=25&cursor=${await readToTheEnd()}`),
    'tool calls': post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
    'queries of a month': post('/v1/query', {
      dataset: 'appointments',
      measures: ['appointment_count'],
      dimensions: ['provider'],
      filters: month,
    }),
    leads: await write(newLeads),
    payments: await write({ ...newPayments, prepare: preparePayments }),
    'changed records': await ingest(),
    deliveries,
  }
}

/** A reader of the feed asks from the place of its last answer: behind the last event, on most of its looks. */
async function readToTheEnd(): Promise<string> {
  await happen(owner, clinic, EVENTS_AT_ONCE, new Date())
  const { resume_cursor } = (await ask('/v1/events?limit=25')) as { resume_cursor: string }
  return resume_cursor
}

function get(path: string): Work {
  return (seconds) =>
    load({ url: roles.address + path, key, connections: CONNECTIONS, seconds }).requestsPerSecond * seconds
}

function post(path: string, body: object): Work {
  const script = {
    file: join(import.meta.dirname, 'post.lua'),
    env: { KEYS: key, URL_PATH: path, BODY: JSON.stringify(body) },
  }
  return (seconds) =>
    load({ url: roles.address, key, connections: CONNECTIONS, seconds, script }).requestsPerSecond * seconds
}

async function write(measured: MeasuredWrite): Promise<Work> {
  const keys = await keysOfClinic(owner, measured)
  return (seconds) => {
    const env = { KEYS: keys.join(','), RUN: randomBytes(4).toString('hex') }
    const script = { file: join(import.meta.dirname, measured.script), env }
    return load({ url: roles.address, key: '', connections: CONNECTIONS, seconds, script }).requestsPerSecond * seconds
  }
}

/** Without subscriptions: a delivery has its own line. */
async function preparePayments(...[database, made]: Parameters<MeasuredWrite['prepare']>): Promise<void> {
  await newPayments.prepare(database, made)
  await database.query(sql`delete from subscription where clinic_id = ${made.clinic_id}`)
}

/** Appointments of the clinic, of which something changes each time. */
async function ingest(): Promise<Work> {
  const { token } = await mintIngestToken(owner, { clinic_id: clinic.clinic_id, name: 'bench', now: new Date() })
  const { rows } = await owner.query<Record<'id' | 'patient_id' | 'branch_id' | 'type_id' | 'status_id', string>>(sql`
    select id, patient_id, branch_id, type_id, status_id from appointment where clinic_id = ${clinic.clinic_id} order by id limit 5000`)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  let batches = 0
  return async (seconds) => {
    const until = performance.now() + seconds * 1000
    let stored = 0
    while (performance.now() < until) {
      const from = (batches++ * BATCH) % rows.length
      const records = rows.slice(from, from + BATCH).map((row, at) => {
        const start = new Date(Date.now() + (from + at) * 60_000)
        const end = new Date(start.getTime() + 1_800_000)
        return { ...row, start: start.toISOString(), end: end.toISOString(), note: `changed ${batches}` }
      })
      const body = JSON.stringify({ records })
      const answer = await fetch(`${roles.ingest}/appointments`, { method: 'POST', headers, body })
      if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`)
      await answer.arrayBuffer()
      stored += records.length
    }
    return stored
  }
}

/** Events of 1 KB, each for five subscriptions: the events' own storing is in the figure. */
async function deliveries(seconds: number): Promise<number> {
  await answerTo({ ask: 'begin', since: 0 })
  const until = performance.now() + seconds * 1000
  let expected = 0
  for (let n = 0; performance.now() < until; n++) {
    const one = subscribed[n % subscribed.length] ?? clinic
    await happen(owner, one, EVENTS_AT_ONCE, new Date())
    wakeUp.tell(one.clinic_id)
    expected += EVENTS_AT_ONCE * HEALTHY_PER_CLINIC
    // No backlog that would have to be worked off afterwards.
    while (expected - ((await answerTo({ ask: 'count' })) as { count: number }).count > 1_000) await delay(5)
  }
  while (((await answerTo({ ask: 'count' })) as { count: number }).count < expected) await delay(20)
  return expected
}

async function answerTo(question: object): Promise<unknown> {
  const answered = once(receiver, 'message')
  receiver.send(question)
  const [answer] = await answered
  return answer
}

async function ask(path: string): Promise<unknown> {
  const answer = await fetch(roles.address + path, { headers: { authorization: `Bearer ${key}` } })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}
