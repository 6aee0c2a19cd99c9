// Appointments per second through the ingest API, in batches of 1,000: new ones, changed ones, unchanged ones. Each change is an
// event with two deliveries. They are compared with bare inserts of the same rows (bare-rows.ts), without events.
//
//   node bench/ingest.ts [batches a run]
import { randomBytes } from 'node:crypto'
import { createClinic } from '@clinic-data/administration/clinics'
import { mintIngestToken } from '@clinic-data/administration/credentials/ingest-tokens'
import type { Clinic } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { DEMO_CLINIC } from '@clinic-data/demo/demo-clinic'
import { generateDemo } from '@clinic-data/demo/generate-demo'
import { bareRowsPerSecond } from './bare-rows.ts'
import { KEPT, openBenchDatabase } from './bench-database.ts'
import { report } from './goal.ts'
import { answering, serve } from './served.ts'

const BATCH = 1_000
const batches = Number(process.argv[2] ?? 20)
const ingest = 'http://127.0.0.1:18081/ingest/v1'

const { server, owner, close } = await openBenchDatabase(KEPT)
const service = serve({ DATABASE_URL: server.ownerUrl, PORT: '18080', ADMIN_PORT: '18081' })
try {
  const { clinic, token, ids } = await clinicToFill()
  await answering('http://127.0.0.1:18081/readyz', service)
  process.stdout.write('| at once | new, rows/s | changed, rows/s | the same again, rows/s |\n|---|---|---|---|\n')
  let best = 0
  for (const atOnce of [1, 2, 4]) {
    const prefix = `${atOnce}-${randomBytes(4).toString('hex')}`
    const rates: number[] = []
    for (const note of ['first', 'second', 'second']) rates.push(await fill({ token, ids, prefix, note, atOnce }))
    process.stdout.write(`| ${atOnce} | ${rates.map((rate) => Math.round(rate)).join(' | ')} |\n`)
    best = Math.max(best, rates[0] ?? 0)
  }
  const bare = await bareRowsPerSecond(owner, clinic)
  const of = 'new appointments through the ingest API, two deliveries each'
  report({
    name: of,
    value: best,
    unit: '/s',
    limit: { atLeast: 12_000 },
    opponent: `bare inserts: ${Math.round(bare)}/s`,
  })
} finally {
  await service.stop()
  await close()
}

interface Ids {
  patients: string[]
  providers: string[]
  branches: string[]
  statuses: string[]
  types: string[]
}

/** A separate clinic with people and catalogs, and two subscriptions to everything. */
async function clinicToFill(): Promise<{ clinic: Clinic; token: string; ids: Ids }> {
  const now = new Date()
  const clinic_id = `ingest-${randomBytes(6).toString('hex')}`
  const clinic = await createClinic(owner, { ...DEMO_CLINIC, clinic_id, name: 'Filled clinic', now })
  await generateDemo({ database: owner, clinic, patients: 200, appointments_per_patient: 2, now })
  const columns = sql`(clinic_id, id, url, event_types, secret, secret_last_characters, created_at)`
  await owner.query(sql`insert into subscription ${columns} values
    ${sql.values(['one', 'two'].map((id) => [clinic_id, id, 'https://example.com', [], new Uint8Array(1), 'abcd', now]))}`)
  const idsOf = async (table: string) => {
    const { rows } = await owner.query<{ id: string }>(sql`select id from ${sql.identifier(table)}
      where clinic_id = ${clinic_id} limit 200`)
    return rows.map(({ id }) => id)
  }
  const ids = {
    patients: await idsOf('patient'),
    providers: await idsOf('provider'),
    branches: await idsOf('branch'),
    statuses: await idsOf('appointment_status'),
    types: await idsOf('appointment_type'),
  }
  // As on a server that has run for a while: planned without statistics, each look-up of a patient reads all of the clinic's.
  await owner.query(sql`analyze`)
  return { clinic, token: (await mintIngestToken(owner, { clinic_id, name: 'bench', now })).token, ids }
}

interface Filling {
  token: string
  ids: Ids
  prefix: string
  note: string
  atOnce: number
}

/** Returns rows per second. */
async function fill({ token, ids, prefix, note, atOnce }: Filling): Promise<number> {
  const bodies = Array.from({ length: batches }, (_, b) => JSON.stringify({ records: batchOf(ids, prefix, note, b) }))
  const startedAt = performance.now()
  let next = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let body = bodies[next++]; body !== undefined; body = bodies[next++]) {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
        const answer = await fetch(`${ingest}/appointments`, { method: 'POST', headers, body })
        if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`)
        await answer.arrayBuffer()
      }
    }),
  )
  return (batches * BATCH * 1000) / (performance.now() - startedAt)
}

function batchOf(ids: Ids, prefix: string, note: string, batch: number): object[] {
  return Array.from({ length: BATCH }, (_, i) => {
    const n = batch * BATCH + i
    const one = (list: readonly string[]) => list[n % list.length] as string
    const start = new Date(Date.UTC(2026, 0, 1) + n * 900_000)
    return {
      id: `${prefix}-${n}`,
      patient_id: one(ids.patients),
      branch_id: one(ids.branches),
      type_id: one(ids.types),
      status_id: one(ids.statuses),
      provider_ids: [one(ids.providers)],
      start: start.toISOString(),
      end: new Date(start.getTime() + 1_800_000).toISOString(),
      note,
    }
  })
}
