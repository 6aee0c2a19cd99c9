// The audit chain: every stored row is sealed once, whatever its clock said; what is changed, removed or slipped in is found, the
// end of the chain included.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import type { AuditRow, Clinic } from '@clinic-data/contract'
import { parseSecretKeys, type SigningKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import { openDatabase, sql } from '@clinic-data/database'
import { AuditSealer } from '../src/audit-seal.ts'
import { type Verification, verifyAudit } from '../src/audit-verify.ts'
import { insert, type Row } from './rows.ts'
import { testClinic, testDatabase } from './test-database.ts'

const { owner, app, ownerUrl } = await testDatabase()

const MINUTE_MS = 60_000
const entry = (id: string) => `${id}:${randomBytes(32).toString('base64')}`
const keysOf = (...entries: string[]): SigningKeys => signingKeys(parseSecretKeys(entries.join(',')), 'audit-head')
const [KEY_A, KEY_B] = [entry('a'), entry('b')]
const keys = keysOf(KEY_A)

class Rounds {
  #ms = 0
  readonly #sealer: AuditSealer

  constructor(given: SigningKeys = keys) {
    const now = () => new Date('2026-07-12T06:30:00Z')
    this.#sealer = new AuditSealer({ keys: given, now, monotonic: () => this.#ms })
  }

  /** The time between two rounds passes, then what has settled is sealed. */
  next({ clinic_id }: Clinic, passedMs = MINUTE_MS): Promise<number> {
    this.#ms += passedMs
    return this.#sealer.seal(owner, clinic_id)
  }
}

const row = ({ clinic_id }: Clinic, changes: Partial<AuditRow & { stored_at: string }> = {}) => ({
  ...{ at: '2026-07-12T06:30:00.123Z', clinic_id, key_id: 'key_1', operation: 'patients.list', surface: 'rest' },
  ...{ resource_ids: ['p1', 'p"2,{}'], count: 2, status: 200, request_id: 'req_1', address: '192.0.2.1' },
  ...changes,
})

const add = (clinic: Clinic, ...stored: string[]) =>
  insert(owner, clinic, 'audit', ...stored.map((stored_at) => row(clinic, { stored_at })))

const verify = ({ clinic_id }: Clinic, asked: Partial<Verification> = {}) =>
  verifyAudit(app, clinic_id, { keys, keptSince: null, expected: null, ...asked })

async function assertSound(clinic: Clinic, seals: number, rows: number, asked: Partial<Verification> = {}) {
  const verdict = await verify(clinic, asked)
  assert.ok(verdict.sound, JSON.stringify(verdict))
  assert.deepEqual([verdict.seals, verdict.rows], [seals, rows])
  return verdict
}

async function assertBroken(clinic: Clinic, number: number, reason: RegExp, asked: Partial<Verification> = {}) {
  const verdict = await verify(clinic, asked)
  assert.ok(!verdict.sound, JSON.stringify(verdict))
  assert.deepEqual([verdict.number, reason.test(verdict.reason)], [number, true], verdict.reason)
}

/** Days that the retention keeps, whichever test asks it to drop others. */
const day = (age: number) => new Date(Date.now() - age * 86_400_000).toISOString().slice(0, 10)
const [ONE, TWO, THREE] = [day(5), day(4), day(3)]
const FIRST = `${ONE} 10:00:00.000001Z`
const DAYS = [`${ONE} 10:00:00.000002Z`, `${TWO} 09:00Z`, `${TWO} 09:00Z`]

/** Two seals of two rows each, the second one's of one instant. Between the first two rows a number is free. */
async function sealed(): Promise<{ clinic: Clinic; rounds: Rounds }> {
  const [clinic, rounds] = [await testClinic(owner), new Rounds()]
  await add(clinic, FIRST)
  await owner.query(sql`select nextval(pg_get_serial_sequence('audit', 'id'))`)
  await add(clinic, ...DAYS)
  assert.equal(await rounds.next(clinic), 0)
  assert.equal(await rounds.next(clinic), 4)
  return { clinic, rounds }
}

test('each row is sealed once, those of one instant too, one seal a day at most, and the chain goes on where it ended', async () => {
  const { clinic, rounds } = await sealed()
  const before = await assertSound(clinic, 2, 4)
  assert.equal(await rounds.next(clinic), 0)
  await add(clinic, `${THREE} 10:00Z`)
  assert.equal(await rounds.next(clinic), 0)
  assert.equal(await rounds.next(clinic), 1)
  const after = await assertSound(clinic, 3, 5)
  assert.notEqual(after.head, before.head)
  assert.match(after.head ?? '', /^3\.[0-9a-f]{64}$/)
})

test('a row is sealed at the earliest 45 seconds after it was seen, by the clock that does not jump', async () => {
  const [clinic, rounds] = [await testClinic(owner), new Rounds()]
  await add(clinic, `${ONE} 10:00Z`)
  assert.equal(await rounds.next(clinic), 0)
  assert.equal(await rounds.next(clinic, 44_999), 0)
  assert.equal(await rounds.next(clinic, 1), 1)
})

test('a row whose statement takes long is sealed in its place, not left behind by those that came after', async (t: TestContext) => {
  const [clinic, rounds] = [await testClinic(owner), new Rounds()]
  const slow = await openDatabase({ url: ownerUrl })
  t.after(() => slow.close())
  const { promise: isAdded, resolve: added } = Promise.withResolvers<void>()
  const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
  const adding = slow.maintain(async (tx) => {
    await tx.query(sql`insert into audit (clinic_id, at, key_id, operation, surface, resource_ids, count, status, request_id,
      address) values (${clinic.clinic_id}, now(), 'slow', 'x', 'rest', '{}', 0, 200, '', '')`)
    added()
    await mayCommit
  })
  await isAdded
  await add(clinic, `${ONE} 10:00Z`)
  assert.equal(await rounds.next(clinic), 0)
  commit()
  await adding
  assert.equal(await rounds.next(clinic), 2)
  const { rows } = await owner.query<{ key_id: string }>(
    sql`select key_id from audit where clinic_id = ${clinic.clinic_id} order by id limit 1`,
  )
  assert.equal(rows[0]?.key_id, 'slow')
  await assertSound(clinic, 2, 2)
})

test('a clock that jumps ahead for a while and back again breaks nothing: all that was stored is sealed', async () => {
  const [clinic, rounds] = [await testClinic(owner), new Rounds()]
  const minutes = (hour: number, from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => `${ONE} ${hour}:${String(from + n).padStart(2, '0')}:00Z`)
  await rounds.next(clinic)
  for (const times of [
    minutes(22, 0, 5),
    minutes(23, 5, 8),
    minutes(22, 8, 20),
    [`${TWO} 01:00Z`],
    minutes(22, 20, 30),
  ]) {
    await add(clinic, ...times)
    await rounds.next(clinic)
  }
  await rounds.next(clinic)
  await assertSound(clinic, 5, 5 + 3 + 12 + 1 + 10)
})

test('two who seal at once make one chain', async () => {
  const clinic = await testClinic(owner)
  await add(clinic, FIRST, ...DAYS)
  const three = [new Rounds(), new Rounds(), new Rounds()]
  for (const rounds of three) await rounds.next(clinic)
  const counts = await Promise.all(three.map((rounds) => rounds.next(clinic)))
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    4,
  )
  await assertSound(clinic, 2, 4)
})

type Tamper = (clinic_id: string) => Promise<unknown>

const dropLastSeal: Tamper = async (clinic_id) => {
  await owner.query(sql`delete from audit where clinic_id = ${clinic_id} and stored_at = ${`${TWO} 09:00Z`}`)
  await owner.query(sql`delete from audit_seal where clinic_id = ${clinic_id} and number = 2`)
}

const setHeadBack: Tamper = async (clinic_id) => {
  await dropLastSeal(clinic_id)
  await owner.query(sql`update audit_head set number = 1 where clinic_id = ${clinic_id}`)
}

const slipIn: Tamper = (clinic_id) =>
  owner.query(sql`insert into audit (clinic_id, id, stored_at, at, key_id, operation, surface, resource_ids, count, status,
    request_id, address) overriding system value
    select clinic_id, id + 1, stored_at, at, key_id, operation, surface, resource_ids, count, status, request_id, address
    from audit where clinic_id = ${clinic_id} and stored_at = ${FIRST}`)

const statement =
  (of: (clinic_id: string) => ReturnType<typeof sql>): Tamper =>
  (clinic_id) =>
    owner.query(of(clinic_id))

const tampers: [what: string, number: number, reason: RegExp, Tamper][] = [
  [
    'a changed row',
    1,
    /rows were changed/,
    statement((id) => sql`update audit set status = 403 where clinic_id = ${id} and stored_at = ${FIRST}`),
  ],
  [
    'a changed list',
    1,
    /rows were changed/,
    statement((id) => sql`update audit set resource_ids = '{p1}' where clinic_id = ${id} and stored_at = ${FIRST}`),
  ],
  [
    'a row that is gone',
    1,
    /covers 2 rows of .*, 1 are there/,
    statement((id) => sql`delete from audit where clinic_id = ${id} and stored_at = ${FIRST}`),
  ],
  ['a row that was slipped in', 1, /3 are there/, slipIn],
  ['every row gone', 1, /are gone/, statement((id) => sql`delete from audit where clinic_id = ${id}`)],
  [
    'a seal that is gone',
    1,
    /seal is missing/,
    statement((id) => sql`delete from audit_seal where clinic_id = ${id} and number = 1`),
  ],
  [
    'a changed hash',
    2,
    /seal was changed/,
    statement((id) => sql`update audit_seal set hash = repeat('0', 64) where clinic_id = ${id} and number = 2`),
  ],
  [
    'a day that the retention would have dropped',
    1,
    /seal was changed/,
    statement((id) => sql`update audit_seal set day = '2020-01-01' where clinic_id = ${id} and number = 1`),
  ],
  ['the last seal gone with its rows', 2, /went on to seal 2/, dropLastSeal],
  ['the last seal gone with its rows, and the head set back', 2, /head was changed/, setHeadBack],
  [
    'the head gone',
    1,
    /head of the chain is missing/,
    statement((id) => sql`delete from audit_head where clinic_id = ${id}`),
  ],
  [
    'a seal behind the head',
    3,
    /behind the head/,
    statement(
      (id) => sql`insert into audit_seal select clinic_id, 3, last_id + 1, day, row_count, rows_hash, hash, sealed_at
      from audit_seal where clinic_id = ${id} and number = 2`,
    ),
  ],
]

for (const [what, number, reason, tamper] of tampers) {
  test(`found, at the first seal that it touches: ${what}`, async () => {
    const { clinic } = await sealed()
    await assertSound(clinic, 2, 4)
    await tamper(clinic.clinic_id)
    await assertBroken(clinic, number, reason)
  })
}

test('a chain whose end was removed is not sealed on: the next seal would hide it', async () => {
  const { clinic, rounds } = await sealed()
  await dropLastSeal(clinic.clinic_id)
  await add(clinic, `${THREE} 10:00Z`)
  await rounds.next(clinic)
  await assert.rejects(rounds.next(clinic), /is broken: the chain went on to seal 2/)
  await assertBroken(clinic, 2, /went on to seal 2/)
})

test('a chain whose head was removed is not sealed on either', async () => {
  const { clinic, rounds } = await sealed()
  await owner.query(sql`delete from audit_head where clinic_id = ${clinic.clinic_id}`)
  await add(clinic, `${THREE} 10:00Z`)
  await rounds.next(clinic)
  await assert.rejects(rounds.next(clinic), /is broken: the head of the chain is missing/)
})

test('an older copy of rows, seals and head that was put back is found by who expects a head of later', async () => {
  const { clinic, rounds } = await sealed()
  const { clinic_id } = clinic
  const { head: older } = await assertSound(clinic, 2, 4)
  const copy = await owner.query<{ number: number; mac: string }>(
    sql`select number, mac from audit_head where clinic_id = ${clinic_id}`,
  )
  await add(clinic, `${THREE} 10:00Z`)
  await rounds.next(clinic)
  await rounds.next(clinic)
  const { head: later } = await assertSound(clinic, 3, 5, { expected: older })
  await assertSound(clinic, 3, 5, { expected: later })

  await owner.query(sql`delete from audit where clinic_id = ${clinic_id} and stored_at = ${`${THREE} 10:00Z`}`)
  await owner.query(sql`delete from audit_seal where clinic_id = ${clinic_id} and number = 3`)
  const { number, mac } = copy.rows[0] ?? assert.fail()
  await owner.query(sql`update audit_head set number = ${number}, mac = ${mac} where clinic_id = ${clinic_id}`)
  await assertSound(clinic, 2, 4)
  await assertBroken(clinic, 3, /expected head is not in the chain/, { expected: later })
  for (const table of ['audit', 'audit_seal', 'audit_head'])
    await owner.query(sql`delete from ${sql.identifier(table)} where clinic_id = ${clinic_id}`)
  await assertBroken(clinic, 1, /expected head is not in the chain/, { expected: later })
})

test("another clinic's chain does not fit, with its rows and head", async () => {
  const [{ clinic }, { clinic: other }] = [await sealed(), await sealed()]
  const { clinic_id } = clinic
  for (const table of ['audit_seal', 'audit_head'])
    await owner.query(sql`delete from ${sql.identifier(table)} where clinic_id = ${clinic_id}`)
  // Read and inserted: a cluster copies no rows from one clinic's shard to another's.
  for (const table of ['audit_seal', 'audit_head']) {
    const { rows } = await owner.query<{ row: Row }>(
      sql`select to_jsonb(taken) as row from ${sql.identifier(table)} as taken where clinic_id = ${other.clinic_id}`,
    )
    for (const { row } of rows) await insert(owner, clinic, table, { ...row, clinic_id })
  }
  await assertBroken(clinic, 1, /seal was changed/)
})

test('keys are rotated: the head is renewed by the new one, and the old one is needed no more', async () => {
  const { clinic } = await sealed()
  const both = keysOf(KEY_B, KEY_A)
  await assertSound(clinic, 2, 4, { keys: both })
  await assertBroken(clinic, 3, /SECRET_KEYS lacks the key of the head/, { keys: keysOf(KEY_B) })
  const rounds = new Rounds(both)
  await rounds.next(clinic)
  assert.equal(await rounds.next(clinic), 0)
  await assertSound(clinic, 2, 4, { keys: keysOf(KEY_B) })
  await assertBroken(clinic, 3, /head was changed/, { keys: keysOf(entry('b')) })
})

test('days that the retention has dropped do not break the chain, days that it has not do', async () => {
  const { clinic } = await sealed()
  const { clinic_id } = clinic
  const complete = await assertSound(clinic, 2, 4, { keptSince: TWO })
  assert.equal(complete.since, null)
  await owner.query(sql`delete from audit where clinic_id = ${clinic_id} and stored_at < ${`${TWO}T00:00Z`}`)
  const { since, head } = await assertSound(clinic, 2, 2, { keptSince: TWO })
  assert.deepEqual([since, head], [TWO, complete.head])
  await assertBroken(clinic, 1, /2 rows of .* are gone/, { keptSince: ONE })
  await assertBroken(clinic, 1, /are gone/)
  await owner.query(sql`delete from audit where clinic_id = ${clinic_id}
    and id = (select max(id) from audit where clinic_id = ${clinic_id})`)
  await assertBroken(clinic, 2, /1 are there/, { keptSince: THREE })
})
