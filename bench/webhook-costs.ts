// Measures what webhooks cost PostgreSQL: while nothing happens, and for a claim of due deliveries and the storing of their outcomes, by the
// number of clinics and of days whose deliveries are kept.
//
//   node bench/webhook-costs.ts [seconds idle]    makes a new database each time
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createClinic } from '@clinic-data/administration/clinics'
import { migrations, tables } from '@clinic-data/backend/migrations'
import type { Clinic } from '@clinic-data/contract'
import { openDatabase, sql } from '@clinic-data/database'
import { migrate } from '@clinic-data/database/schema/migrate'
import { DEMO_CLINIC } from '@clinic-data/demo/demo-clinic'
import { claimDue } from '@clinic-data/webhooks/engine/claim'
import { complete } from '@clinic-data/webhooks/engine/complete'
import { report } from './goal.ts'
import { answering, serve } from './served.ts'
import { type Costs, costsSoFar, dearest, startCounting, startCountingPostgres } from './statement-costs.ts'
import { happen } from './webhook-ground.ts'

const idleSeconds = Number(process.argv[2] ?? 61)
const IDLE = { clinics: 500, subscriptions: 2_000 }
const SUBSCRIPTIONS = IDLE.subscriptions / IDLE.clinics
const FEW_CLINICS = 10
const MANY_CLINICS = 1_000
const KEPT_DAYS = 30
/** The kept deliveries of a day: of the measured clinic, and of each other one. */
const A_DAY = { measured: 2_000, other: 4 }
const ROUNDS = 30
const WARM_UP_ROUNDS = 5
/** A round has so many: with four subscriptions that is half of what a clinic may have under way. */
const EVENTS = 8
/** The hourly work of the background follows the start. */
const SETTLING_MS = 8_000
const ADMIN = '18571'

const dataDir = await mkdtemp(join(tmpdir(), 'clinic-data-bench-'))
const server = await startCountingPostgres(dataDir)
const owner = await openDatabase({ url: server.ownerUrl, statementTimeoutMs: 0 })
const app = await openDatabase({ url: server.appUrl, ownerUrl: server.ownerUrl })
try {
  await migrate(owner, migrations, { tables, log: () => undefined })
  await owner.query(sql`select maintain_events(${KEPT_DAYS}, null) from generate_series(1, 40)`)
  const clinic = await addClinics(0, FEW_CLINICS)
  const few = await costOfDeliveries(clinic)
  await addClinics(FEW_CLINICS, IDLE.clinics)
  const idle = await costOfIdling()
  await addClinics(IDLE.clinics, MANY_CLINICS)
  const many = await costOfDeliveries(clinic)
  for (let day = 1; day < KEPT_DAYS; day++) await keepDay(day)
  const long = await costOfDeliveries(clinic)
  print(idle, { few, many, long })
} finally {
  await app.close()
  await owner.close()
  await server.stop()
  await rm(dataDir, { recursive: true })
}

/** Adds the clinics with these numbers, each with its subscriptions. @returns the first. */
async function addClinics(from: number, to: number): Promise<Clinic> {
  const added: Clinic[] = []
  for (let n = from; n < to; n++) {
    added.push(await createClinic(owner, { ...DEMO_CLINIC, clinic_id: `measured-${n}`, name: 'Measured clinic' }))
  }
  const ids = sql`unnest(${added.map(({ clinic_id }) => clinic_id)}::text[]) clinic_id, generate_series(1, ${SUBSCRIPTIONS}::int) n`
  await owner.query(sql`insert into subscription
      (clinic_id, id, url, event_types, secret, secret_last_characters, created_at)
    select clinic_id, 'whk_' || n, 'https://receiver.example/', '{}', ${randomBytes(8)}, 'abcd', now() from ${ids}`)
  await owner.query(sql`insert into lane (clinic_id, subscription_id) select clinic_id, 'whk_' || n from ${ids}`)
  await owner.query(sql`analyze`)
  const [first] = added
  if (first === undefined) throw new Error('no clinic was added')
  return first
}

/** Stores delivered deliveries of a past day for all clinics that have none of that day. */
async function keepDay(daysAgo: number): Promise<void> {
  const { rows } = await owner.query<{ day: string; next: string; name: string }>(sql`
    select day::text, (day + 1)::text as next, to_char(day, 'YYYYMMDD') as name
    from (select (now() at time zone 'UTC')::date - ${daysAgo}::int as day) _`)
  const { day = '', next = '', name = '' } = rows[0] ?? {}
  await owner.maintain(async (tx) => {
    for (const parent of ['event', 'delivery', 'attempt']) {
      await tx.script(`create table if not exists ${parent}_${name} partition of ${parent}
        for values from ('${day}T00:00:00Z') to ('${next}T00:00:00Z')`)
    }
  })
  const at = sql`${day}::date::timestamp at time zone 'UTC' + n * interval '1 second'`
  const from = sql`subscription, generate_series(1, case when clinic_id = 'measured-0'
      then ${A_DAY.measured / SUBSCRIPTIONS}::int else ${A_DAY.other / SUBSCRIPTIONS}::int end) n`
  await owner.query(sql`
    insert into delivery (clinic_id, subscription_id, id, event_id, event_type, status, attempt_count, automatic_count,
      created_at, last_attempt_at, delivered_at, response_status)
    select clinic_id, id, 'dlv_' || id || ${name} || n, 'evt_' || ${name} || n, 'appointment.created', 'delivered', 1, 1,
      ${at}, ${at}, ${at}, 204 from ${from} on conflict do nothing`)
  await owner.query(sql`
    insert into attempt (clinic_id, subscription_id, event_id, created_at, number, trigger, attempted_at, duration_ms, response_status)
    select clinic_id, id, 'evt_' || ${name} || n, ${at}, 1, 'automatic', ${at}, 5, 204 from ${from} on conflict do nothing`)
  await owner.query(sql`vacuum analyze`)
}

interface CostOfDeliveries {
  claim: Costs
  complete: Costs
}

/** Measures one claim, and the storing of its outcomes. Each case begins with the same deliveries of today. */
async function costOfDeliveries(clinic: Clinic): Promise<CostOfDeliveries> {
  for (const parent of ['event', 'delivery', 'attempt']) {
    await owner.query(sql`delete from ${sql.identifier(parent)} where created_at >= date_trunc('day', now(), 'UTC')`)
  }
  await keepDay(0)
  const claims: Costs[] = []
  const completions: Costs[] = []
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    await happen(app, clinic, EVENTS, new Date())
    const now = new Date()
    const lease_id = randomUUID()
    await startCounting(owner)
    const { claimed } = await claimDue(app, { clinic_id: clinic.clinic_id, most: 64, retries: 64, lease_id, now })
    const claim = await costsSoFar(owner)
    if (claimed.length !== EVENTS * SUBSCRIPTIONS) throw new Error(`${claimed.length} were claimed`)
    if (round === ROUNDS - 1) for (const line of await dearest(owner, 4)) process.stderr.write(`claim: ${line}\n`)
    await startCounting(owner)
    const sent = { started_at: now, duration_ms: 3, response_status: 204, error: null, retry_after_seconds: null }
    const outcomes = claimed.map((one) => ({ claimed: one, ...sent }))
    const { delivered } = await complete(app, clinic.clinic_id, outcomes, { now, random: Math.random })
    if (delivered !== claimed.length) throw new Error(`${delivered} were stored`)
    const completion = await costsSoFar(owner)
    if (round === ROUNDS - 1) for (const line of await dearest(owner, 4)) process.stderr.write(`complete: ${line}\n`)
    if (round < 0) continue
    claims.push(claim)
    completions.push(completion)
  }
  return { claim: least(claims), complete: least(completions) }
}

/** Dead rows of the rounds before, which a vacuum removes at its time, make some rounds dearer. */
function least(costs: readonly Costs[]): Costs {
  const of = (value: (one: Costs) => number) => Math.min(...costs.map(value))
  return {
    statements: of((one) => one.statements),
    calls: of((one) => one.calls),
    ms: of((one) => one.ms),
    pages: of((one) => one.pages),
  }
}

/** Measures a second of a service to which nothing happens. */
async function costOfIdling(): Promise<Costs> {
  const service = serve({ DATABASE_URL: server.ownerUrl, PORT: '18570', ADMIN_PORT: ADMIN })
  try {
    await answering(`http://127.0.0.1:${ADMIN}/readyz`, service)
    await delay(SETTLING_MS)
    await startCounting(owner)
    await delay(idleSeconds * 1000)
    const { statements, calls, ms, pages } = await costsSoFar(owner)
    for (const line of await dearest(owner, 8)) process.stderr.write(`idle: ${line}\n`)
    const [a, b, c, d] = [statements, calls, ms, pages].map((sum) => sum / idleSeconds) as [
      number,
      number,
      number,
      number,
    ]
    return { statements: a, calls: b, ms: c, pages: d }
  } finally {
    await service.stop()
  }
}

function print(idle: Costs, { few, many, long }: Record<'few' | 'many' | 'long', CostOfDeliveries>): void {
  const line = (name: string, { statements, calls, ms, pages }: Costs) =>
    process.stdout.write(
      `| ${name} | ${statements.toFixed(1)} | ${calls.toFixed(1)} | ${ms.toFixed(2)} | ${Math.round(pages)} |\n`,
    )
  process.stdout.write(
    '| what | statements | with begin, set, commit | time in PostgreSQL (ms) | pages |\n|---|---|---|---|---|\n',
  )
  line(`a second of ${IDLE.subscriptions} idle subscriptions of ${IDLE.clinics} clinics`, idle)
  const cases = {
    [`${FEW_CLINICS} clinics, 1 day`]: few,
    [`${MANY_CLINICS} clinics, 1 day`]: many,
    [`${MANY_CLINICS} clinics, ${KEPT_DAYS} days`]: long,
  }
  for (const [name, { claim, complete: completion }] of Object.entries(cases)) {
    line(`claim of ${EVENTS * SUBSCRIPTIONS}, ${name}`, claim)
    line(`storing their outcomes, ${name}`, completion)
  }
  report({
    name: `statements for ${IDLE.subscriptions} idle subscriptions of ${IDLE.clinics} clinics`,
    value: idle.statements,
    unit: '/s',
    limit: { atMost: 5 },
  })
  const growth = (name: string, from: CostOfDeliveries, to: CostOfDeliveries) => {
    const ratios = (['claim', 'complete'] as const).map((part) => to[part].pages / from[part].pages)
    report({ name, value: Math.max(...ratios), unit: '×', limit: { atMost: 1.1 } })
  }
  growth(`pages of a claim and of its outcomes, ${MANY_CLINICS} clinics to ${FEW_CLINICS}`, few, many)
  growth(`pages of a claim and of its outcomes, ${KEPT_DAYS} days kept to 1`, many, long)
}
