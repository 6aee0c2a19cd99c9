// The base of the audit chain's tests: rounds of sealing, rows of several days, and the result of a verification.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { AuditSealer, type UnsealedRows } from '@clinic-data/audit/audit-seal'
import { type Verification, verifyAudit } from '@clinic-data/audit/audit-verify'
import type { AuditRow, Clinic } from '@clinic-data/contract'
import { parseSecretKeys, type SigningKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import { openDatabase, sql } from '@clinic-data/database'
import { testClinic, testDatabase } from '../run/test-database.ts'
import { insert } from './rows.ts'

export const { owner, app, ownerUrl } = await testDatabase()
export const MINUTE_MS = 60_000
export const entry = (id: string) => `${id}:${randomBytes(32).toString('base64')}`

export const keysOf = (...entries: string[]): SigningKeys =>
  signingKeys(parseSecretKeys(entries.join(',')), 'audit-head')

export const [KEY_A, KEY_B] = [entry('a'), entry('b')]
export const keys = keysOf(KEY_A)

export class Rounds {
  #ms = 0
  readonly #sealer: AuditSealer

  constructor(signing: SigningKeys = keys) {
    const now = () => new Date('2026-07-12T06:30:00Z')
    this.#sealer = new AuditSealer({ keys: signing, now, monotonic: () => this.#ms })
  }

  get waiting(): UnsealedRows {
    return this.#sealer.waiting
  }

  /** Waits for the next round, then seals what has settled. */
  async next(clinic: Clinic, passedMs = MINUTE_MS): Promise<number> {
    let sealed = 0
    for (const one of await this.unsealed([clinic], passedMs)) sealed += await this.seal(one)
    return sealed
  }

  /** Waits for the next round. @returns the clinics that it looks at. */
  unsealed(clinics: readonly Clinic[], passedMs = MINUTE_MS, database = owner): Promise<Clinic[]> {
    this.#ms += passedMs
    return this.#sealer.unsealed(database, clinics)
  }

  /** Seals what has settled for this clinic. @returns the number of rows. */
  seal({ clinic_id }: Clinic): Promise<number> {
    return this.#sealer.seal(owner, clinic_id)
  }

  /** Seals what has settled for these clinics. @returns those that it looked at. */
  async all(clinics: readonly Clinic[]): Promise<Clinic[]> {
    const looked = await this.unsealed(clinics)
    for (const clinic of looked) await this.seal(clinic)
    return looked
  }
}

/** Not an interface, so that it is a row of any table too. */
type StoredRow = Pick<AuditRow & { stored_at?: string }, keyof AuditRow | 'stored_at'>

export const row = ({ clinic_id }: Clinic, changes: Partial<StoredRow> = {}): StoredRow => ({
  at: '2026-07-12T06:30:00.123Z',
  clinic_id,
  key_id: 'key_1',
  operation: 'patients.list',
  surface: 'rest',
  resource_ids: ['p1', 'p"2,{}'],
  count: 2,
  status: 200,
  request_id: 'req_1',
  address: '192.0.2.1',
  ...changes,
})

export const add = (clinic: Clinic, ...stored: string[]) =>
  insert(owner, clinic, 'audit', ...stored.map((stored_at) => row(clinic, { stored_at })))

export const verify = ({ clinic_id }: Clinic, verification: Partial<Verification> = {}) =>
  verifyAudit(app, clinic_id, { keys, keptSince: null, expected: null, ...verification })

export async function assertSound(
  clinic: Clinic,
  seals: number,
  rows: number,
  verification: Partial<Verification> = {},
) {
  const verdict = await verify(clinic, verification)
  assert.ok(verdict.sound, JSON.stringify(verdict))
  assert.deepEqual([verdict.seals, verdict.rows], [seals, rows])
  return verdict
}

export async function assertBroken(
  clinic: Clinic,
  number: number,
  reason: RegExp,
  verification: Partial<Verification> = {},
) {
  const verdict = await verify(clinic, verification)
  assert.ok(!verdict.sound, JSON.stringify(verdict))
  assert.deepEqual([verdict.number, reason.test(verdict.reason)], [number, true], verdict.reason)
}

/** The same for a whole file, also around midnight. */
const NOW = Date.now()
/** Days that the retention keeps in every test. */
export const day = (age: number) => new Date(NOW - age * 86_400_000).toISOString().slice(0, 10)
export const [ONE, TWO, THREE] = [day(5), day(4), day(3)]
export const FIRST = `${ONE} 10:00:00.000001Z`
export const DAYS = [`${ONE} 10:00:00.000002Z`, `${TWO} 09:00Z`, `${TWO} 09:00Z`]

/** Two seals of two rows each, the second one's of one instant. Between the first two rows a number is free. */
export async function sealed(): Promise<{ clinic: Clinic; rounds: Rounds }> {
  const [clinic, rounds] = [await testClinic(owner), new Rounds()]
  await add(clinic, FIRST)
  await owner.query(sql`select nextval(pg_get_serial_sequence('audit', 'id'))`)
  await add(clinic, ...DAYS)
  assert.equal(await rounds.next(clinic), 0)
  assert.equal(await rounds.next(clinic), 4)
  return { clinic, rounds }
}

/** Adds a row with a statement that takes its id now. @returns what commits it. */
export async function addSlowly(t: TestContext, { clinic_id }: Clinic): Promise<() => Promise<void>> {
  const slow = await openDatabase({ url: ownerUrl })
  t.after(() => slow.close())
  const { promise: isAdded, resolve: added } = Promise.withResolvers<void>()
  const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
  const adding = slow.maintain(async (tx) => {
    await tx.query(sql`insert into audit (clinic_id, at, key_id, operation, surface, resource_ids, count, status, request_id,
      address) values (${clinic_id}, now(), 'slow', 'x', 'rest', '{}', 0, 200, '', '')`)
    added()
    await mayCommit
  })
  await isAdded
  return () => {
    commit()
    return adding
  }
}
