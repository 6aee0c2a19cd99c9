// Set-up of the conformance kit's tests: two clinics with a little of everything, and any backend behind the port.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mintKey } from '@clinic-data/administration/credentials/keys'
import { createBackend, type Log } from '@clinic-data/backend'
import { portRoutes } from '@clinic-data/backend/port-listener'
import { allOperations, allScopes, type Backend, type Clinic, type Scope } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { generateDemo } from '@clinic-data/demo/generate-demo'
import { storeFile } from '@clinic-data/records/file-bytes'
import { insert } from '@clinic-data/testing/grounds/rows'
import { sized } from '@clinic-data/testing/run/size'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import Fastify, { type FastifyInstance } from 'fastify'
import { type ConformanceReport, runConformance } from '../src/conformance.ts'
import { prepareGround } from '../src/ground.ts'
import { PortCaller } from '../src/port-caller.ts'
import { type RuleReport, tryRule } from '../src/rule-report.ts'
import { rules } from '../src/rules.ts'

const { owner, app } = await testDatabase()

export const reference: Backend = createBackend({ database: app, now: () => new Date(), log: failingLog })

/** The second clinic is larger, so its last patients, visits and calls have ids that the first lacks. */
const [FEWER, MORE] = sized({ everyday: [6, 9], long: [24, 36] })
const VISITS = sized({ everyday: 4, long: 8 })
export const first = await clinicOf(FEWER, 1)
export const second = await clinicOf(MORE, 2)

export interface Filled {
  clinic: Clinic
  key: string
  key_id: string
}

async function clinicOf(patients: number, seed: number): Promise<Filled> {
  const clinic = await testClinic(owner)
  const now = new Date()
  await generateDemo({ database: app, clinic, patients, appointments_per_patient: VISITS, seed, now })
  await ownRows(clinic, seed, now)
  const { key, id: key_id } = await minted(clinic, allScopes)
  return { clinic, key, key_id }
}

function minted({ clinic_id }: Clinic, scopes: readonly Scope[]) {
  const unlimited = { expires_at: null, rate_limit: null, now: new Date() }
  return mintKey(owner, { clinic_id, name: 'Conformance', scopes, ...unlimited })
}

/** A key that may do little, so that the kit has little to try. */
export async function narrowKey({ clinic }: Filled, ...scopes: Scope[]): Promise<string> {
  return (await minted(clinic, scopes)).key
}

/** Adds rows with ids that only this clinic has: a branch, a provider who is free all day, a recorded call, and a delivery that arrived. */
async function ownRows(clinic: Clinic, seed: number, now: Date): Promise<void> {
  const { clinic_id, time_zone } = clinic
  await insert(owner, clinic, 'branch', { id: `branch-of-${seed}`, name: 'Own' })
  await insert(owner, clinic, 'provider', { id: `provider-of-${seed}`, name: 'Own' })
  for (let weekday = 0; weekday < 7; weekday++) {
    await insert(owner, clinic, 'working_hours', {
      provider_id: `provider-of-${seed}`,
      branch_id: `branch-of-${seed}`,
      weekday,
      starts_at: '00:00',
      ends_at: '24:00',
    })
  }
  const content = randomBytes(300_001)
  const { file_id } = await app.write({ clinic_id, time_zone }, (tx) =>
    storeFile(tx, clinic_id, now, { content_type: 'audio/wav', file_name: 'שיחה 1%.wav', content: [content] }),
  )
  await insert(owner, clinic, 'call', {
    id: `call-of-${seed}`,
    patient_phone: '+972500000001',
    patient_phone_local: '0500000001',
    started_at: '2020-01-01T08:00:00Z',
    recording_file_id: file_id,
  })
  // Every demo clinic has this file. One that no message shows would look like the other clinic's.
  const conversation_id = `conversation-of-${seed}`
  await insert(owner, clinic, 'chat_conversation', { id: conversation_id })
  await insert(owner, clinic, 'chat_message', {
    id: `in_99999${seed}`,
    conversation_id,
    type: 'image',
    media_type: 'image/png',
    media_file_id: 'picture1',
    text: 'Own',
    from_phone: '+972500000001',
    patient_phone: '+972500000001',
    patient_phone_local: '0500000001',
  })
  const times = { delivered_at: '2026-01-01T08:00:00.345Z', last_attempt_at: '2026-01-01T08:00:00.234Z' }
  await insert(owner, clinic, 'subscription', { id: `subscription-of-${seed}`, url: 'https://crm.example.com/hook' })
  await insert(owner, clinic, 'delivery', {
    subscription_id: `subscription-of-${seed}`,
    id: `delivery-of-${seed}`,
    event_id: `event-of-${seed}`,
    event_type: 'patient.created',
    status: 'delivered',
    attempt_count: 1,
    created_at: '2026-01-01T08:00:00.123Z',
    ...times,
  })
}

export interface Served {
  /** The backend behind the port's routes. */
  backend?: Backend
  /** Registers hooks before the port's routes. */
  before?: (app: FastifyInstance, token: string) => void
}

/** Serves a backend over HTTP while `use` runs. */
export async function serving<T>(
  { backend = reference, before }: Served,
  use: (url: string, token: string, listener: FastifyInstance) => Promise<T>,
): Promise<T> {
  const token = randomBytes(24).toString('hex')
  const listener = Fastify({ forceCloseConnections: true })
  const errors: unknown[] = []
  const log: Log = { warn: (fields) => void errors.push(fields), error: (fields) => void errors.push(fields) }
  before?.(listener, token)
  await listener.register(portRoutes(backend, { token, log }))
  const url = await listener.listen({ port: 0, host: '127.0.0.1' })
  try {
    return await use(url, token, listener)
  } finally {
    await listener.close()
    assert.deepEqual(errors, [], 'the backend logged errors')
  }
}

/** Runs the kit against a backend. */
export function conformanceOf(served: Served, writes: boolean): Promise<ConformanceReport> {
  return serving(served, (url, token) => runConformance({ url, token, key: first.key, otherKey: second.key, writes }))
}

/** The kit reads these back after a write. */
const READ_BACK = ['payments.get', 'payments.list', 'chat.messages.get', 'chat.conversations.messages.list']

/** Tries only the rules of these names, none twice. What is asked by ids and answers as the reference does is left out. */
export function reportsOf(served: Served, names: ReadonlySet<string>): Promise<RuleReport[]> {
  const handlers: Readonly<Record<string, unknown>> = served.backend?.handlers ?? {}
  const own: Readonly<Record<string, unknown>> = reference.handlers
  const operations = allOperations.filter(
    ({ id, ids, shape, effect }) =>
      handlers[id] !== own[id] ||
      Object.keys(ids).length === 0 ||
      shape === 'link' ||
      effect !== 'none' ||
      READ_BACK.includes(id),
  )
  return serving(served, async (url, token) => {
    const keys = { key: first.key, otherKey: second.key }
    const ground = await prepareGround(new PortCaller(url, token), { ...keys, operations })
    const reports: RuleReport[] = []
    for (const rule of rules.filter(({ name }) => names.has(name))) reports.push((await tryRule(rule, ground)).report)
    return reports
  })
}

export function failed({ rules }: ConformanceReport): string[] {
  return rules.filter(({ result }) => result === 'failed').map(({ name }) => name)
}

/** Counts a clinic's rows in the tables that the public API can write. */
export async function writtenRows({ clinic: { clinic_id } }: Filled): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of ['lead', 'payment', 'chat_message', 'idempotency']) {
    const { rows } = await owner.query<{ count: number }>(
      sql`select count(*)::integer as count from ${sql.identifier(table)} where clinic_id = ${clinic_id}`,
    )
    counts[table] = rows[0]?.count ?? 0
  }
  return counts
}

/** The names, phones and emails of a clinic's patients, which no report may quote. */
export async function patientTexts({ clinic: { clinic_id } }: Filled): Promise<string[]> {
  const { rows } = await owner.query<{ text: string }>(sql`
    select concat_ws(' ', first_name, last_name) as text from patient where clinic_id = ${clinic_id}
    union select value from patient_contact where clinic_id = ${clinic_id}
    union select value_normal from patient_contact where clinic_id = ${clinic_id} and value_normal is not null`)
  return rows.map(({ text }) => text)
}
