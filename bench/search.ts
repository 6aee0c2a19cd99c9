// Name and phone search among 1,000,000 patients of one clinic: the time of its statements in the database, as the application's
// role under row level security, one call after the other.
//
//   node bench/search.ts [patients]    makes the clinic once, in .data/bench
import { createClinic, findClinic } from '@clinic-data/administration/clinics'
import { patientHandlers } from '@clinic-data/backend/operations/patients'
import { type Clinic, Grant, operations } from '@clinic-data/contract'
import { type Database, openDatabase, type Statement, sql } from '@clinic-data/database'
import { planClinic } from '@clinic-data/demo/clinic-plan'
import { DEMO_CLINIC } from '@clinic-data/demo/demo-clinic'
import { patient } from '@clinic-data/demo/patients'
import { PATIENT_STATUSES } from '@clinic-data/demo/reference-data'
import { Progress } from '@clinic-data/operator/progress'
import { patientStatusKind } from '@clinic-data/records/catalog'
import { storePatients } from '@clinic-data/records/patients'
import { KEPT, openBenchDatabase } from './bench-database.ts'

const PATIENTS = Number(process.argv[2] ?? 1_000_000)
const BATCH = 2_000
const CALLS = 300
/** The demo has these names in the other script alone. */
const HEARD = [
  { first: 'Noam', last: 'Rosenberg' },
  { first: 'Tamar', last: 'Azoulay' },
  { first: 'Itay', last: 'Bitton' },
  { first: 'Rivka', last: 'Vaknin' },
  { first: 'Michal', last: 'Ashkenazi' },
  { first: 'Omer', last: 'Malka' },
  { first: 'דניאל', last: 'אדלר' },
  { first: 'אולגה', last: 'איוונוב' },
  { first: 'סמואל', last: 'מילר' },
  { first: 'קלרה', last: 'פישר' },
]
/** The demo has nobody whose name is written so, and somebody whose name sounds so. */
const MISSPELT = [
  { first: 'Nina', last: 'Fisher' },
  { first: 'Leah', last: 'Fischer' },
  { first: 'Dana', last: 'Levy' },
  { first: 'David', last: 'Kohen' },
  { first: 'Jonatan', last: 'Klain' },
  { first: 'Maya', last: 'Rozen' },
  { first: 'Rahel', last: 'Schapiro' },
  { first: 'Tamar', last: 'Kats' },
]
const COMPLETE = 'Searched clinic'

const { server, owner, close } = await openBenchDatabase(KEPT)
const database = await openDatabase({ url: server.appUrl, ownerUrl: server.ownerUrl, readConnections: 1 })
try {
  const clinic = await searchedClinic(owner)
  await measure(database, clinic)
} finally {
  await database.close()
  await close()
}

async function searchedClinic(owner: Database): Promise<Clinic> {
  const clinic_id = `search-${PATIENTS}`
  const known = await findClinic(owner, clinic_id)
  if (known?.name === COMPLETE) return known
  const now = new Date()
  const clinic =
    known ?? (await createClinic(owner, { ...DEMO_CLINIC, clinic_id, name: 'Searched clinic, unfinished', now }))
  const plan = planClinic(clinic, now, { patients: PATIENTS, appointments_per_patient: 1, seed: 1 })
  await owner.write(clinic, (tx) => patientStatusKind.store(tx, clinic, PATIENT_STATUSES))
  const progress = new Progress()
  for (let from = 0; from < PATIENTS; from += BATCH) {
    const records = Array.from({ length: Math.min(BATCH, PATIENTS - from) }, (_, i) => patient(plan, from + i))
    await owner.write(clinic, (tx) => storePatients(tx, clinic, records))
    progress.show(`${from + records.length} of ${PATIENTS} patients`)
  }
  progress.end()
  await owner.write(clinic, (tx) => tx.query(sql`update clinic set name = ${COMPLETE} where clinic_id = ${clinic_id}`))
  await owner.query(sql`vacuum analyze`)
  return clinic
}

/** Measures the whole handler, and PostgreSQL's own figure for its statements. */
async function measure(database: Database, clinic: Clinic): Promise<void> {
  const people = await database.read<{ first_name: string; last_name: string; phone: string }>(
    clinic,
    sql`select first_name, last_name, phone from patient where clinic_id = ${clinic.clinic_id} and phone is not null
      order by id limit ${CALLS}`,
  )
  const searches: Record<string, (index: number) => Record<string, string>> = {
    'last name': (i) => ({ query: people[i]?.last_name ?? '' }),
    'first name and beginning of the last': (i) => ({
      query: `${people[i]?.first_name} ${people[i]?.last_name.slice(0, 2)}`,
    }),
    'three letters': (i) => ({ query: people[i]?.last_name.slice(0, 3) ?? '' }),
    'one letter': (i) => ({ query: people[i]?.last_name.slice(0, 1) ?? '' }),
    'last name in another script': (i) => ({ query: HEARD[i % HEARD.length]?.last ?? '' }),
    'full name in another script': (i) => {
      const heard = HEARD[i % HEARD.length]
      return { query: `${heard?.first} ${heard?.last}` }
    },
    'last name misspelt': (i) => ({ query: MISSPELT[i % MISSPELT.length]?.last ?? '' }),
    'full name misspelt': (i) => {
      const misspelt = MISSPELT[i % MISSPELT.length]
      return { query: `${misspelt?.first} ${misspelt?.last}` }
    },
    'full name misspelt, and a phone': (i) => {
      const misspelt = MISSPELT[i % MISSPELT.length]
      return { query: `${misspelt?.first} ${misspelt?.last}`, phone: people[i]?.phone ?? '' }
    },
    'no such name': (i) => ({ query: `zzz${i}` }),
    phone: (i) => ({ phone: people[i]?.phone ?? '' }),
  }
  process.stdout.write(
    `| search among ${PATIENTS} patients | in the database p50, p99 (ms) | whole call p50, p99 (ms) |\n|---|---|---|\n`,
  )
  for (const [name, queryOf] of Object.entries(searches)) {
    const inside: number[] = []
    const whole: number[] = []
    for (let i = 0; i < people.length; i++) {
      const { statements, milliseconds } = await called(database, clinic, queryOf(i))
      whole.push(milliseconds)
      const times = await Promise.all(statements.map((statement) => executionTime(database, clinic, statement)))
      inside.push(times.reduce((sum, time) => sum + time, 0))
    }
    process.stdout.write(`| ${name} | ${quantiles(inside)} | ${quantiles(whole)} |\n`)
  }
}

async function called(database: Database, clinic: Clinic, query: Record<string, string>) {
  const statements: Statement[] = []
  const listening = {
    read: (session: Clinic, text: Statement) => {
      statements.push(text)
      return database.read(session, text)
    },
  } as unknown as Database
  const handlers = patientHandlers({ database: listening, now: () => new Date() })
  const principal = { key_id: 'bench', clinic, scopes: ['patients:read'], rate_limit: null, expires_at: null } as const
  const grant = Grant.authorize(principal, operations['patients.list'])
  const context = { request_id: 'bench', deadline: performance.now() + 10_000 }
  const startedAt = performance.now()
  await handlers['patients.list'](
    grant,
    { params: {}, query: { ...query, limit: 25, after: null }, body: {}, idempotency_key: null } as never,
    context,
  )
  const milliseconds = performance.now() - startedAt
  return { statements, milliseconds }
}

async function executionTime(database: Database, clinic: Clinic, statement: Statement): Promise<number> {
  const rows = await database.read<{ 'QUERY PLAN': string }>(clinic, sql`explain (analyze, timing off) ${statement}`)
  const line = rows.map((row) => row['QUERY PLAN']).find((text) => text.startsWith('Execution Time'))
  return Number(/([\d.]+) ms/.exec(line ?? '')?.[1])
}

function quantiles(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(2)
  return `${at(0.5)}, ${at(0.99)}`
}
