// The base of tests with packed days: a database of the file's own, days long past with their partitions, and rows that were sealed on them.
import { randomBytes } from 'node:crypto'
import { AuditSealer } from '@clinic-data/audit/audit-seal'
import { type Verification, verifyAudit } from '@clinic-data/audit/audit-verify'
import * as schema from '@clinic-data/backend/migrations'
import type { Clinic } from '@clinic-data/contract'
import { parseSecretKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import { sql } from '@clinic-data/database'
import { ownGround } from '../run/own-ground.ts'
import { testClinic, withConsoleLogin } from '../run/test-database.ts'
import { insert } from './rows.ts'

const ground = await ownGround(schema)
export const { owner, app, url: ownerUrl } = ground
export const openForConsole = () => withConsoleLogin(ownerUrl, owner, ground.opened)

export const keys = signingKeys(parseSecretKeys(`a:${randomBytes(32).toString('base64')}`), 'audit-head')

const DAY_MS = 86_400_000
/** The same for a whole file, also around midnight. */
const NOW = Date.now()
export const now = new Date(NOW)

/** A day of UTC's so long ago. */
export const dayBefore = (age: number) => new Date(NOW - age * DAY_MS).toISOString().slice(0, 10)

/** Makes a day's partition, as a service does before the day comes. */
export async function makeDay(day: string): Promise<void> {
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10)
  await owner.maintain((tx) =>
    tx.script(`create table if not exists ${partitionOf(day)} partition of audit
      for values from ('${day} 00:00Z') to ('${next} 00:00Z')`),
  )
}

/** Makes another day with each call, each older than those before: each test has days of its own. */
export function daysBehind(age: number): () => Promise<string> {
  let oldest = age
  return async () => {
    oldest += 1
    const day = dayBefore(oldest)
    await makeDay(day)
    return day
  }
}

export const partitionOf = (day: string) => `audit_${day.replaceAll('-', '')}`

export async function hasPartition(day: string): Promise<boolean> {
  const { rows } = await owner.query<{ found: string | null }>(sql`select to_regclass(${partitionOf(day)}) as found`)
  return rows[0]?.found !== null
}

/** Not an interface, so that it is a row of any table too. */
type Stored = {
  stored_at: string
  key_id?: string
  operation?: string
  surface?: string
  resource_ids?: string[]
  status?: number
  request_id?: string
  address?: string
  duration_ms?: number | null
}

/** Adds rows in this order. */
export async function store(clinic: Clinic, ...rows: readonly Stored[]): Promise<void> {
  const all = rows.map((row) => ({
    at: row.stored_at,
    key_id: 'key_1',
    operation: 'patients.get',
    surface: 'rest',
    resource_ids: ['p1', '', 'p1'],
    count: 1,
    status: 200,
    request_id: 'req_1',
    address: '192.0.2.1',
    duration_ms: 7,
    ...row,
  }))
  await insert(owner, clinic, 'audit', ...all)
}

/** Seals all rows of the clinic. */
export async function seal({ clinic_id }: Clinic): Promise<void> {
  let ms = 0
  const sealer = new AuditSealer({ keys, now: () => now, monotonic: () => ms })
  for (let round = 0; round < 2; round++) {
    await sealer.seal(owner, clinic_id)
    ms += 60_000
  }
}

/** A clinic with sealed rows. */
export async function sealedClinic(...rows: readonly Stored[]): Promise<Clinic> {
  const clinic = await testClinic(owner)
  await store(clinic, ...rows)
  await seal(clinic)
  return clinic
}

export const verify = ({ clinic_id }: Clinic, verification: Partial<Verification> = {}) =>
  verifyAudit(app, clinic_id, { keys, keptSince: null, expected: null, ...verification })
