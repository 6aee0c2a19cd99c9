// The delivery engine beside ever more subscriptions: whether a claim, the memory and the latency depend on how many there are.
//
//   node bench/webhook-simulation.ts [--subscriptions 1000,10000,100000] [--seconds 8]    makes a new database each time
//
// The engine runs as a process of its own on a real PostgreSQL. The receiver is in this process: each subscription has an address of its
// own on the loopback network, so no connection is shared. In each tenth clinic one of four endpoints never answers and one answers 500. The
// load is open: events happen at an even rate in clinics by chance, each for four subscriptions.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createClinic } from '@clinic-data/administration/clinics'
import { migrations, tables } from '@clinic-data/backend/migrations'
import type { Clinic } from '@clinic-data/contract'
import { parseSecretKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import { newWebhookSecret } from '@clinic-data/contract/webhook-signature'
import { openDatabase, sql } from '@clinic-data/database'
import { migrate } from '@clinic-data/database/schema/migrate'
import { DEMO_CLINIC } from '@clinic-data/demo/demo-clinic'
import { sealSecret } from '@clinic-data/webhooks/subscriptions/sealed-secret'
import { WakeUp } from '@clinic-data/webhooks/wake-up'
import { residentMb } from './served.ts'
import { type Costs, costsSoFar, dearest, startCounting, startCountingPostgres } from './statement-costs.ts'
import { happen, secretKeys } from './webhook-ground.ts'

const { values: options } = parseArgs({
  options: {
    subscriptions: { type: 'string', default: '1000,10000,100000' },
    seconds: { type: 'string', default: '8' },
  },
})
const PER_CLINIC = 4
const BAD_EVERY = 10
const EVENTS_PER_SECOND = 60
const WARM_UP_SECONDS = 2
const DRAIN_MS = 5_000
/** A new engine first looks for times in the future. */
const SETTLING_MS = 2_000
const IDLE_SECONDS = 3
const ROWS_AT_ONCE = 5_000
const SAMPLE_MS = 200
/** The generator of chance begins with it: every run asks the same clinics. */
const SEED = 20_260_101

const keys = signingKeys(parseSecretKeys(secretKeys), 'webhook-secret')
const clinicId = (n: number) => `simulated-${n}`

/** Healthy lanes of clinics without and with bad ones. */
type Lane = 'quiet' | 'beside'
let latencies: Record<Lane, number[]> = { quiet: [], beside: [] }
let since = Number.POSITIVE_INFINITY
const receiver = createServer((request, response) => {
  const arrivedAt = Date.now()
  const [, kind = ''] = (request.url ?? '').split('/')
  let body = ''
  request.setEncoding('latin1').on('data', (text: string) => {
    body += text
  })
  request.on('end', () => {
    if (kind === 'hung') return
    response.writeHead(kind === 'failing' ? 500 : 204).end()
    const createdAt = Date.parse(/"created_at":"([^"]+)"/.exec(body)?.[1] ?? '')
    if (createdAt >= since && (kind === 'quiet' || kind === 'beside')) latencies[kind].push(arrivedAt - createdAt)
  })
})
receiver.listen(0, '0.0.0.0')
await once(receiver, 'listening')
const { port } = receiver.address() as AddressInfo

const dataDir = await mkdtemp(join(tmpdir(), 'clinic-data-bench-'))
const server = await startCountingPostgres(dataDir)
const owner = await openDatabase({ url: server.ownerUrl, statementTimeoutMs: 0 })
const app = await openDatabase({ url: server.appUrl, ownerUrl: server.ownerUrl })
const wakeUp = new WakeUp(app)
try {
  await migrate(owner, migrations, { tables, log: () => undefined })
  // One day a call, like the service in its first hour.
  await owner.query(sql`select maintain_events(30, null) from generate_series(1, 40)`)
  process.stdout.write(
    '| subscriptions | deliveries | p50, p99 (ms) | beside bad endpoints (ms) | PostgreSQL, ms and pages a delivery |',
  )
  process.stdout.write(
    ' engine, CPU ms a delivery | its memory at most (MB) | a second idle, ms in PostgreSQL |\n|---|---|---|---|---|---|---|---|\n',
  )
  let there = 0
  for (const wanted of options.subscriptions.split(',').map(Number)) {
    await addClinics(there / PER_CLINIC, wanted / PER_CLINIC)
    there = wanted
    await measure(wanted)
  }
} finally {
  receiver.closeAllConnections()
  receiver.close()
  await app.close()
  await owner.close()
  await server.stop()
  await rm(dataDir, { recursive: true })
}

async function addClinics(from: number, to: number): Promise<void> {
  if (from === 0) await createClinic(owner, { ...DEMO_CLINIC, clinic_id: clinicId(0), name: 'Simulated clinic' })
  await owner.query(sql`insert into clinic (clinic_id, name, time_zone, currency, country, week_start, min_visit_minutes,
      slot_step_minutes, ai_transcription, created_at)
    select 'simulated-' || n, name, time_zone, currency, country, week_start, min_visit_minutes, slot_step_minutes,
      ai_transcription, created_at
    from clinic, generate_series(${Math.max(from, 1)}::int, ${to - 1}::int) n where clinic_id = ${clinicId(0)}`)
  for (let first = from * PER_CLINIC; first < to * PER_CLINIC; first += ROWS_AT_ONCE) {
    await subscribe(first, Math.min(first + ROWS_AT_ONCE, to * PER_CLINIC))
  }
  await owner.query(sql`insert into lane (clinic_id, subscription_id) select clinic_id, id from subscription
    on conflict do nothing`)
  await owner.query(sql`vacuum analyze`)
}

async function subscribe(from: number, to: number): Promise<void> {
  const made = Array.from({ length: to - from }, (_, at) => {
    const n = from + at
    const row = { clinic_id: clinicId(Math.floor(n / PER_CLINIC)), subscription_id: `whk_${n % PER_CLINIC}` }
    return { ...row, url: urlOf(n), secret: sealSecret(keys, row, newWebhookSecret()) }
  })
  const clinics = made.map(({ clinic_id }) => clinic_id)
  const ids = made.map(({ subscription_id }) => subscription_id)
  const urls = made.map(({ url }) => url)
  // The driver takes no array of bytes.
  const secrets = made.map(({ secret }) => Buffer.from(secret).toString('hex'))
  await owner.query(sql`insert into subscription (clinic_id, id, url, event_types, secret, secret_last_characters, created_at)
    select clinic_id, id, url, '{}', decode(secret, 'hex'), 'abcd', now()
    from unnest(${clinics}::text[], ${ids}::text[], ${urls}::text[], ${secrets}::text[]) as made (clinic_id, id, url, secret)`)
}

/** An address of the loopback network for each subscription, whose path says how it behaves. */
function urlOf(n: number): string {
  const isBad = Math.floor(n / PER_CLINIC) % BAD_EVERY === 0
  const lane = n % PER_CLINIC
  const kind = !isBad ? 'quiet' : lane === 0 ? 'hung' : lane === 1 ? 'failing' : 'beside'
  const host = `127.${1 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}`
  return `http://${host}:${port}/${kind}`
}

async function measure(subscriptions: number): Promise<void> {
  const engine = fork(join(import.meta.dirname, 'webhook-sender.ts'), [server.appUrl, server.ownerUrl, secretKeys])
  await once(engine, 'message')
  await delay(SETTLING_MS)
  await startCounting(owner)
  await delay(IDLE_SECONDS * 1000)
  const idle = (await costsSoFar(owner)).ms / IDLE_SECONDS
  for (const line of await dearest(owner, 3)) process.stderr.write(`${subscriptions}, idle: ${line}\n`)
  latencies = { quiet: [], beside: [] }
  let memory = 0
  const sampling = setInterval(() => {
    memory = Math.max(memory, residentMb(engine))
  }, SAMPLE_MS)
  await load(subscriptions, WARM_UP_SECONDS)
  await startCounting(owner)
  since = Date.now()
  const expected = await load(subscriptions, Number(options.seconds))
  const endsAt = Date.now() + DRAIN_MS
  const arrived = () => latencies.quiet.length + latencies.beside.length
  while (arrived() < expected && Date.now() < endsAt) await delay(50)
  const costs = await costsSoFar(owner)
  for (const line of await dearest(owner, 5)) process.stderr.write(`${subscriptions}: ${line}\n`)
  since = Number.POSITIVE_INFINITY
  clearInterval(sampling)
  const reported = once(engine, 'message')
  engine.send({})
  const [{ cpuMs }] = (await reported) as [{ cpuMs: number }]
  if (engine.exitCode === null) await once(engine, 'exit')
  print({ subscriptions, expected, arrived: arrived(), costs, cpuMs, memory, idle })
}

/** @returns the deliveries to healthy endpoints that it made due */
async function load(subscriptions: number, seconds: number): Promise<number> {
  const clinics = subscriptions / PER_CLINIC
  const beginsAt = Date.now()
  const stored: Promise<void>[] = []
  let expected = 0
  let chance = SEED
  for (let i = 0; i < EVENTS_PER_SECOND * seconds; i++) {
    const at = beginsAt + (i * 1000) / EVENTS_PER_SECOND
    if (at > Date.now()) await delay(at - Date.now())
    chance = (chance * 1_103_515_245 + 12_345) % 2_147_483_648
    const n = Math.floor((chance / 2_147_483_648) * clinics)
    const clinic: Clinic = { ...DEMO_CLINIC, clinic_id: clinicId(n) }
    stored.push(happen(app, clinic, 1, new Date(at)).then(() => wakeUp.tell(clinic.clinic_id)))
    expected += n % BAD_EVERY === 0 ? PER_CLINIC - 2 : PER_CLINIC
  }
  await Promise.all(stored)
  return expected
}

interface Result {
  subscriptions: number
  expected: number
  arrived: number
  costs: Costs
  cpuMs: number
  memory: number
  idle: number
}

function print({ subscriptions, expected, arrived, costs, cpuMs, memory, idle }: Result): void {
  const of = (lane: Lane) => {
    const sorted = latencies[lane].toSorted((a, b) => a - b)
    const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN
    return `${at(0.5)}, ${at(0.99)}`
  }
  // The engine's own figure is of its whole life, the start and the warming up included.
  const all = (arrived * (Number(options.seconds) + WARM_UP_SECONDS)) / Number(options.seconds)
  const cells = [
    ...[subscriptions, `${arrived} of ${expected}`, of('quiet'), of('beside')],
    ...[`${(costs.ms / arrived).toFixed(2)}, ${Math.round(costs.pages / arrived)}`, (cpuMs / all).toFixed(2)],
    ...[Math.round(memory), idle.toFixed(2)],
  ]
  process.stdout.write(`| ${cells.join(' | ')} |\n`)
}
