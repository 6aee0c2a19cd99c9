// The dispatcher's background work: each round looks after every clinic, even if the work fails for one of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAdministrator } from '@clinic-data/administration/administrators'
import { packInThread } from '@clinic-data/audit/packing-thread'
import * as schema from '@clinic-data/backend/migrations'
import type { Clinic } from '@clinic-data/contract'
import { parseSecretKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import { Database, openDatabase, sql } from '@clinic-data/database'
import { deliveriesOf, happen, newClinic } from '@clinic-data/testing/grounds/ground'
import { insert } from '@clinic-data/testing/grounds/rows'
import { asApplication } from '@clinic-data/testing/run/application'
import { ownGround, secretKeysText, subscribeSigned, keys as webhookKeys } from '@clinic-data/testing/run/own-ground'
import { HORIZON_MS } from '@clinic-data/webhooks/engine/retry-schedule'
import { type Background, startBackground } from '../src/background.ts'

const base = await ownGround(schema)
const auditKeys = signingKeys(parseSecretKeys(secretKeysText), 'audit-head')
const NOW = new Date()
const LONG_AGO = new Date(NOW.getTime() - HORIZON_MS - 1)

/** Writes of one clinic fail. */
class BrokenFor extends Database {
  broken: string | null = null

  override async write<T>(...args: Parameters<typeof Database.prototype.write<T>>): Promise<T> {
    if (args[0].clinic_id === this.broken) throw new Error('this clinic cannot be written to')
    return super.write(...args)
  }
}

/** Calls `onWrite` before each write. */
class Watched extends Database {
  onWrite: () => void = () => undefined

  override write<T>(...args: Parameters<typeof Database.prototype.write<T>>): Promise<T> {
    this.onWrite()
    return super.write(...args)
  }
}

function started(database: Database, lines: string[]): Background {
  const log = {
    debug: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    error: (_: object, line?: string) => void lines.push(line ?? ''),
  }
  const asOwner = <T>(work: (owner: Database) => Promise<T>) => work(base.owner)
  return startBackground({
    database,
    asOwner,
    log,
    auditKeys,
    webhookKeys,
    eventRetentionDays: 30,
    auditRetentionDays: 30,
    packAudit: (now, stopping) => packInThread({ ownerUrl: base.url, now }, stopping),
    follower: null,
    mailing: null,
    alerting: { mail: null, webhook: null, consoleUrl: null },
    now: () => NOW,
  })
}

/** Runs the first round of every job. @returns the errors that were logged. */
async function firstRound(database: Database): Promise<string[]> {
  const lines: string[] = []
  const background = started(database, lines)
  await background.idle()
  await background.stop()
  return lines
}

async function keepAnswer({ clinic_id }: Clinic): Promise<void> {
  await base.owner.query(sql`insert into idempotency (clinic_id, scope, key, request_hash, answer, created_at)
    values (${clinic_id}, 'POST /v1/leads', 'k', ${'0'.repeat(64)}, '{}', ${LONG_AGO})`)
}

async function keptAnswers(): Promise<string[]> {
  const { rows } = await base.owner.query<{ clinic_id: string }>(sql`select clinic_id from idempotency`)
  return rows.map(({ clinic_id }) => clinic_id)
}

test('a failure for one clinic is logged, and the other clinics are still looked after', async (t) => {
  const clinics = [await newClinic(base), await newClinic(base), await newClinic(base)]
  for (const clinic of clinics) await keepAnswer(clinic)
  const database = await new BrokenFor(asApplication(base.url)).open()
  t.after(() => database.close())
  // Clinics are visited in the order of their ids, so another one comes after the broken one.
  database.broken = clinics.map(({ clinic_id }) => clinic_id).sort()[1] ?? null
  const lines = await firstRound(database)
  assert.deepEqual(await keptAnswers(), [database.broken])
  assert.ok(lines.some((line) => line.startsWith('old answers of Idempotency-Key could not be removed')))
})

test('a round removes the ended sign-ins of the console', async () => {
  const { clinic_id } = await newClinic(base)
  await base.owner.query(sql`insert into sign_in_attempt (clinic_id, email_hash, count, last_at)
    values (${clinic_id}, ${'0'.repeat(64)}, 1, ${LONG_AGO})`)
  assert.deepEqual(await firstRound(base.app), [])
  const { rows } = await base.owner.query(sql`select from sign_in_attempt where clinic_id = ${clinic_id}`)
  assert.equal(rows.length, 0)
})

test('a round deletes what is left of a deleted clinic, and nothing of another', async () => {
  const [deleted, other] = [await newClinic(base), await newClinic(base)]
  for (const { clinic_id } of [deleted, other])
    await base.owner.query(sql`insert into patient_status (clinic_id, id, name) values (${clinic_id}, 's1', 'Active')`)
  await base.owner.query(
    sql`update clinic set closed_at = now(), deleted_at = now() where clinic_id = ${deleted.clinic_id}`,
  )
  assert.deepEqual(await firstRound(base.app), [])
  const { rows } = await base.owner.query<{ clinic_id: string }>(sql`select clinic_id from patient_status`)
  const left = rows.map(({ clinic_id }) => clinic_id)
  assert.deepEqual([left.includes(deleted.clinic_id), left.includes(other.clinic_id)], [false, true])
})

test('a round drops the days of the audit log beyond the retention, though no key asks for anything', async () => {
  const { clinic_id } = await newClinic(base)
  await base.owner.query(sql`insert into audit
    (clinic_id, at, stored_at, key_id, operation, surface, resource_ids, count, status, request_id, address)
    values (${clinic_id}, ${LONG_AGO}, now() - interval '40 days', '', 'patients.list', 'rest', '{}', 0, 200, '', '')`)
  assert.deepEqual(await firstRound(base.app), [])
  const { rows } = await base.owner.query(sql`select from audit where clinic_id = ${clinic_id}`)
  assert.equal(rows.length, 0)
})

test('a round ends the deliveries that have waited too long', async () => {
  const clinic = await newClinic(base)
  await subscribeSigned(base, clinic, 'down', 'https://w.example')
  await happen(base, clinic, 3, LONG_AGO)
  await base.owner.query(sql`update lane set opened_at = ${LONG_AGO} where clinic_id = ${clinic.clinic_id}`)
  assert.deepEqual(await firstRound(base.app), [])
  const rows = await deliveriesOf(base, clinic)
  assert.deepEqual(
    rows.map(({ status, error }) => ({ status, error })),
    Array.from({ length: 3 }, () => ({ status: 'failed', error: 'circuit_open' })),
  )
})

test('overdue deliveries end even if those of another clinic cannot be ended', async (t) => {
  const clinics = [await newClinic(base), await newClinic(base)]
  for (const clinic of clinics) {
    await subscribeSigned(base, clinic, 'down', 'https://w.example')
    await happen(base, clinic, 1, LONG_AGO)
    await base.owner.query(sql`update lane set opened_at = ${LONG_AGO} where clinic_id = ${clinic.clinic_id}`)
  }
  const database = await new BrokenFor(asApplication(base.url)).open()
  t.after(() => database.close())
  // In one of these rounds the healthy clinic comes after the broken one, in any order of visits.
  for (const { clinic_id } of clinics) {
    database.broken = clinic_id
    const lines = await firstRound(database)
    assert.ok(lines.some((line) => line.startsWith('deliveries past their time could not be ended')))
    const others = clinics.filter((clinic) => clinic.clinic_id !== clinic_id)
    for (const other of others) assert.ok((await deliveriesOf(base, other)).every(({ status }) => status === 'failed'))
    await base.owner.query(sql`update delivery set status = 'pending', error = null, due_at = created_at`)
  }
})

test('a round removes sums of the audit log that no page shows any more', async (t) => {
  const { clinic_id } = await newClinic(base)
  const minutes = Array<number>(60).fill(0)
  await base.owner.query(sql`insert into audit_hour
    (clinic_id, hour, key_id, requests, refusals, failures, durations, minutes, busiest_minute)
    values (${clinic_id}, ${new Date(NOW.getTime() - 32 * 86_400_000)}, 'key_1', 1, 0, 0, ${minutes}, ${minutes}, 1)`)
  const database = await openDatabase(asApplication(base.url))
  t.after(() => database.close())
  assert.deepEqual(await firstRound(database), [])
  const { rows } = await base.owner.query(sql`select from audit_hour where clinic_id = ${clinic_id}`)
  assert.equal(rows.length, 0)
})

test('a stop waits for the clinic that a round is at, not for those behind it', async (t) => {
  const clinics = [await newClinic(base), await newClinic(base), await newClinic(base)]
  for (const clinic of clinics) await keepAnswer(clinic)
  const database = await new Watched(asApplication(base.url)).open()
  t.after(() => database.close())
  const lines: string[] = []
  const background = started(database, lines)
  const { promise: stopped, resolve } = Promise.withResolvers<void>()
  database.onWrite = () => resolve(background.stop())
  await stopped
  const kept = await keptAnswers()
  assert.ok(clinics.filter(({ clinic_id }) => kept.includes(clinic_id)).length >= 2, `${kept.length} are kept`)
  assert.deepEqual(lines, [])
})

test('what a chosen rule has called is stopped in the next round', async () => {
  const { owner } = base
  const clinic = await newClinic(base)
  const { clinic_id } = clinic
  const { id: chosen_by } = await createAdministrator(owner, {
    clinic_id,
    email: 'noa@clinic.example',
    name: 'Noa',
    now: NOW,
  })
  await insert(owner, clinic, 'stop_rule', { rule: 'silence', chosen_at: LONG_AGO.toISOString(), chosen_by })
  // As the version before stores it: without an integration.
  await insert(owner, clinic, 'api_key', {
    id: 'key_1',
    key_hash: 'f'.repeat(64),
    first_characters: '',
    last_characters: '',
    name: 'CRM',
    scopes: [],
    created_at: LONG_AGO.toISOString(),
  })
  await insert(owner, clinic, 'audit_alert', {
    id: 'alert_1',
    rule: 'silence',
    key_id: 'key_1',
    day: NOW.toISOString().slice(0, 10),
    noticed_at: NOW.toISOString(),
    facts: JSON.stringify({ days: 90, last_day: '2025-10-01' }),
  })
  assert.deepEqual(await firstRound(base.app), [])
  const { rows } = await owner.query(sql`select stopped_by from integration
    where clinic_id = ${clinic_id} and id = 'int_key_1'`)
  assert.deepEqual(rows, [{ stopped_by: 'watch' }])
})
