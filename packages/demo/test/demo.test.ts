// The generated clinic: repeatable, consistent with the rules of real data, completed after an interruption, kept going.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { type Statement, sql } from '@clinic-data/database'
import { messageStatus } from '@clinic-data/records/chat'
import { sized } from '@clinic-data/testing/run/size'
import { ownDatabase, testClinic } from '@clinic-data/testing/run/test-database'
import { AHEAD_DAYS } from '../src/clinic-plan.ts'
import { continueCalendar } from '../src/continue-calendar.ts'
import { DEMO_CLINIC, ensureDemoClinic } from '../src/demo-clinic.ts'
import { generateDemo } from '../src/generate-demo.ts'

// A demo has the statistics of all tables taken, which is more work where other tests' rows are.
const { owner, app } = await ownDatabase()
const NOW = new Date('2026-07-15T08:20:30.123Z')
const DAY_MS = 86_400_000

const TABLES = [
  ...[
    'branch',
    'provider',
    'working_hours',
    'time_off',
    'appointment_type',
    'appointment_status',
    'treatment_category',
  ],
  ...['catalog_treatment', 'billing_account', 'patient_status', 'patient', 'patient_contact', 'patient_name'],
  ...['appointment', 'appointment_provider', 'treatment_plan', 'treatment', 'payment', 'payment_document'],
  ...['file', 'file_piece', 'call', 'chat_conversation', 'chat_message', 'chat_template', 'lead'],
]

/** One line per table: its number of rows and a digest of their content. */
async function contents(clinic: Clinic): Promise<string[]> {
  return Promise.all(
    TABLES.map(async (table) => {
      const [row] = await app.read<{ count: number; digest: string }>(
        clinic,
        sql`select count(*)::int as count, md5(string_agg(line, '|' order by line)) as digest
          from (select (to_jsonb(t) - 'clinic_id' - 'stored_at')::text as line from ${sql.identifier(table)} t) lines`,
      )
      return `${table} ${row?.count} ${row?.digest}`
    }),
  )
}

async function demo(patients = 120, now = NOW): Promise<Clinic> {
  const clinic = await testClinic(owner)
  await generateDemo({ database: app, clinic, patients, now })
  return clinic
}

/** A statement over several tables names the clinic of each one: a distributed database allows no other join. */
async function none(clinic: Clinic, fault: Statement): Promise<void> {
  assert.deepEqual(await app.read(clinic, sql`${fault} limit 3`), [])
}

const small = await demo()

/** A clinic of half the size, and what it begins with: one test moves it on. */
const half = await demo(60)
const halfAtFirst = await contents(half)

test('the same seed, size and now give the same clinic, and a second run changes nothing', async () => {
  const clinic = await demo(60)
  assert.deepEqual(await contents(clinic), halfAtFirst)
  const versions = () => app.read(clinic, sql`select id, xmin::text, updated_at from appointment order by id`)
  const before = await versions()
  await generateDemo({ database: app, clinic, patients: 60, now: NOW })
  assert.deepEqual(await contents(clinic), halfAtFirst)
  assert.deepEqual(await versions(), before)
})

test('every table of a clinic has rows, and every state of a status occurs', async () => {
  const empty = (await contents(small)).filter((line) => / 0 /.test(line))
  assert.deepEqual(empty, [])
  // In the small one each occurs, too.
  const clinic = await sized({ everyday: async () => small, long: () => demo(600) })()
  const states = async (table: string, column: string) => {
    const name = sql.identifier(column)
    const rows = await app.read<{ state: string }>(
      clinic,
      sql`select distinct coalesce(${name}::text, 'null') as state from ${sql.identifier(table)} order by 1`,
    )
    return rows.map(({ state }) => state)
  }
  assert.deepEqual(await states('call', 'status'), ['answered', 'missed', 'no_answer', 'voicemail'])
  assert.deepEqual(await states('call', 'transcript_status'), ['completed', 'failed', 'null'])
  assert.deepEqual(await states('call', 'has_recording'), ['false', 'true'])
  const messages = ['delivered', 'failed', 'read', 'received', 'sent']
  assert.deepEqual(
    (await states('chat_message', 'status')).filter((state) => state !== 'queued'),
    messages,
  )
  assert.deepEqual(await states('payment', 'status'), ['cancelled', 'recorded'])
  assert.deepEqual(await states('payment', 'is_refund'), ['false', 'true'])
  assert.deepEqual(await states('lead', 'status'), ['converted', 'in_progress', 'lost', 'new'])
  const templates = ['approved', 'disabled', 'paused', 'pending', 'rejected']
  assert.deepEqual(await states('chat_template', 'status'), templates)
  // At some hours nobody is in so small a clinic.
  const kinds = await app.read<{ kind: string }>(
    clinic,
    sql`select distinct s.kind from appointment a
      join appointment_status s on s.clinic_id = a.clinic_id and s.id = a.status_id
      where a.clinic_id = ${clinic.clinic_id} and s.kind <> 'arrived' order by 1`,
  )
  assert.deepEqual(
    kinds.map(({ kind }) => kind),
    ['booked', 'cancelled', 'completed', 'confirmed', 'no_show'],
  )
})

test('no provider is in two places, works outside her weekly hours, or works on a day off', async () => {
  const { clinic_id } = small
  await none(
    small,
    sql`select a.appointment_id, b.appointment_id from appointment_provider a join appointment_provider b
      on b.clinic_id = a.clinic_id and a.provider_id = b.provider_id and a.appointment_id < b.appointment_id
      and a.busy and b.busy and a.start_sort < b."end" and b.start_sort < a."end" where a.clinic_id = ${clinic_id}`,
  )
  await none(
    small,
    sql`select a.id from appointment a join appointment_provider p
      on p.clinic_id = a.clinic_id and p.appointment_id = a.id and p.position = 0
      where a.clinic_id = ${clinic_id} and not exists (select from working_hours h
        where h.clinic_id = a.clinic_id and h.provider_id = p.provider_id and h.branch_id = a.branch_id
          and h.weekday = extract(dow from a.start) and h.starts_at <= a.start::time and h.ends_at >= a."end"::time)`,
  )
  await none(
    small,
    sql`select p.appointment_id from appointment_provider p join time_off o
      on o.clinic_id = p.clinic_id and coalesce(o.provider_id, p.provider_id) = p.provider_id
      and o.start < p."end" and o."end" > p.start_sort where p.clinic_id = ${clinic_id}`,
  )
})

test('nothing has happened after now or before its patient was known, and appointments reach four weeks ahead', async () => {
  for (const table of ['patient', 'appointment', 'treatment', 'payment', 'call', 'chat_message', 'lead']) {
    const name = sql.identifier(table)
    await none(small, sql`select id from ${name} where updated_at > ${NOW} or created_at > updated_at`)
  }
  await none(
    small,
    sql`select a.id from appointment a join patient p on p.clinic_id = a.clinic_id and p.id = a.patient_id
      where a.clinic_id = ${small.clinic_id} and a.created_at < p.created_at`,
  )
  await none(small, sql`select id from appointment where status_id in ('completed', 'no-show') and "end" > ${NOW}`)
  await none(small, sql`select id from appointment where status_id in ('booked', 'confirmed') and start < ${NOW}`)
  const [span] = await app.read(
    small,
    sql`select min(start) < ${new Date(NOW.getTime() - 720 * DAY_MS)} as past,
    max(start) > ${new Date(NOW.getTime() + (AHEAD_DAYS - 7) * DAY_MS)} as ahead from appointment`,
  )
  assert.deepEqual(span, { past: true, ahead: true })
})

test('documents are numbered without gaps in the order of issue, per billing account and type', async () => {
  await none(
    small,
    sql`select * from (select number, row_number() over w as expected from payment_document
      window w as (partition by billing_account_id, type order by issued_at, number)) n where number <> expected`,
  )
})

test('balances vary: some patients owe, most do not, and no refund exceeds its payment', async () => {
  const { clinic_id } = small
  const [row] = await app.read<{ owing: number; settled: number }>(
    small,
    sql`select count(*) filter (where owed > 0)::int as owing, count(*) filter (where owed <= 0)::int as settled
      from (select p.id,
        coalesce((select sum(price_minor - discount_minor)
            from treatment t where t.clinic_id = p.clinic_id and t.patient_id = p.id), 0)
        - coalesce((select sum(case when is_refund then -amount_minor else amount_minor end)
            from payment y where y.clinic_id = p.clinic_id and y.patient_id = p.id and status = 'recorded'), 0) as owed
        from patient p where p.clinic_id = ${clinic_id}) balances`,
  )
  assert.ok(row && row.owing > 10 && row.settled > 10, JSON.stringify(row))
  await none(
    small,
    sql`select r.id from payment r join payment p on p.clinic_id = r.clinic_id and p.id = r.refunded_payment_id
      where r.clinic_id = ${clinic_id} and (r.amount_minor > p.amount_minor or r.paid_at < p.paid_at)`,
  )
})

test('only answered calls have a transcript, and only calls with talk a recording', async () => {
  await none(small, sql`select id from call where transcript_status is not null and status <> 'answered'`)
  await none(small, sql`select id from call where has_recording and duration_seconds = 0`)
  await none(
    small,
    sql`select id from call where (answered_at is null) <> (duration_seconds = 0)
      or ended_at <> started_at + (ring_seconds + duration_seconds) * interval '1 second'`,
  )
})

test("the times of a message's steps are in order, and its conversation sums up its messages", async () => {
  await none(
    small,
    sql`select id from chat_message where delivered_at < sent_at or read_at < delivered_at or failed_at < sent_at
      or sent_at < created_at or (direction = 'inbound' and sent_at is not null)`,
  )
  type Row = Parameters<typeof messageStatus>[0] & { status: string }
  const rows = await app.read<Row>(
    small,
    sql`select direction, status, sent_at, delivered_at, read_at, failed_at from chat_message`,
  )
  for (const row of rows) assert.equal(messageStatus(row), row.status)
  await none(
    small,
    sql`select c.id from chat_conversation c where c.clinic_id = ${small.clinic_id} and last_activity_at is distinct from
      (select max(created_at)::timestamptz(0) from chat_message m
        where m.clinic_id = c.clinic_id and m.conversation_id = c.id)`,
  )
  await none(small, sql`select id from chat_conversation where free_text_window_expires_at <= ${NOW}`)
})

test('an interrupted demo is recognized and completed as of its first start', async () => {
  const clinic = { ...DEMO_CLINIC, clinic_id: `demo-${randomBytes(6).toString('hex')}` }
  const options = { owner, database: app, clinic, patients: 60 }
  const stopped = new Error('stopped in the middle')
  const interrupted = ensureDemoClinic({
    ...options,
    now: NOW,
    onProgress: ({ stage }) => {
      if (stage === 'calls') throw stopped
    },
  })
  await assert.rejects(interrupted, stopped)
  const later = new Date(NOW.getTime() + DAY_MS)
  assert.equal(await ensureDemoClinic({ ...options, now: later }), 'made')
  assert.deepEqual(await contents(clinic), halfAtFirst)
  assert.equal(await ensureDemoClinic({ ...options, now: later }), 'present')
})

test('a demo that runs out of booked days gets new ones, and past appointments get their outcomes', async () => {
  const clinic = half
  const [moved] = await app.read<{ id: string }>(
    clinic,
    sql`select id from appointment where status_id = 'booked' order by id limit 1`,
  )
  const id = moved?.id ?? ''
  const { clinic_id } = clinic
  const keep = sql`update appointment set note = 'kept' where clinic_id = ${clinic_id} and id = ${id}`
  await app.write(clinic, (tx) => tx.query(keep))
  const later = new Date(NOW.getTime() + 60 * DAY_MS)
  const soon = new Date(NOW.getTime() + 3 * DAY_MS)
  assert.equal(await continueCalendar({ database: app, clinic, now: soon }), false)
  const untouched = (await contents(clinic)).filter((line) => /^(patient|call|chat_message|lead) /.test(line))

  assert.equal(await continueCalendar({ database: app, clinic, now: later }), true)
  const now = await contents(clinic)
  assert.deepEqual(
    now.filter((line) => /^(patient|call|chat_message|lead) /.test(line)),
    untouched,
  )
  await none(clinic, sql`select id from appointment where status_id in ('booked', 'confirmed') and "end" < ${later}`)
  await none(
    clinic,
    sql`select * from (select number, row_number() over (partition by billing_account_id, type order by number) as expected
      from payment_document) n where number <> expected`,
  )
  await none(
    clinic,
    sql`select id from appointment a where clinic_id = ${clinic_id} and status_id = 'completed'
      and not exists (select from treatment t where t.clinic_id = a.clinic_id and t.appointment_id = a.id)
      and type_id <> 'emergency'`,
  )
  const [row] = await app.read(clinic, sql`select note, status_id from appointment where id = ${id}`)
  assert.equal(row?.note, 'kept')
  assert.match(String(row?.status_id), /completed|no-show/)
  assert.equal(await continueCalendar({ database: app, clinic, now: later }), false)
})
