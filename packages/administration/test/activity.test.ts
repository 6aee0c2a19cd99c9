// The activity of a clinic: every filter finds what a plain loop over the rows finds, page after page, and no search reads on and on.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { Database, type Row, type Statement, type StatementResult, sql, type Transaction } from '@clinic-data/database'
import { row } from '@clinic-data/testing/grounds/audit-ground'
import { insert } from '@clinic-data/testing/grounds/rows'
import { sized } from '@clinic-data/testing/run/size'
import { ownDatabase, testClinic } from '@clinic-data/testing/run/test-database'
import fc from 'fast-check'
import { type ActivitySearch, listActivity } from '../src/pages/activity.ts'

const { owner, ownerUrl } = await ownDatabase()
const DAY_MS = 86_400_000
const NOW = new Date()

const audited = fc.record({
  key_id: fc.constantFrom('key_a', 'key_b', 'adm_c'),
  operation: fc.constantFrom('patients.get', 'patients.list', 'me.get'),
  surface: fc.constantFrom('rest', 'mcp', 'console'),
  resource_ids: fc.subarray(['p1', 'p2', "p'3{}"]),
  status: fc.constantFrom(200, 399, 400, 404, 499, 500, 503),
  /** Some on one day, some months apart. */
  agoMs: fc.oneof(fc.nat(DAY_MS), fc.nat(200 * DAY_MS)),
})

const filters = fc.record(
  {
    actor: fc.constantFrom('key_a', 'adm_c', 'nobody'),
    operation: fc.constantFrom('patients.get', 'me.get'),
    surface: fc.constantFrom('rest', 'console'),
    resource_id: fc.constantFrom('p1', "p'3{}"),
    outcome: fc.constantFrom('done', 'refused', 'failed'),
    from: fc.nat(200 * DAY_MS),
    to: fc.nat(200 * DAY_MS),
  },
  { requiredKeys: [] },
)

const RANGES = { done: [0, 400], refused: [400, 500], failed: [500, 600] } as const

/** All pages. @returns the request ids, in the order of the pages. */
async function walked(clinic: Clinic, search: ActivitySearch): Promise<string[]> {
  const found: string[] = []
  let cursor: string | null | undefined
  for (let pages = 0; cursor !== null; pages++) {
    assert.ok(pages < 500, 'the pages come to an end')
    const { data, meta } = await listActivity(owner, clinic, { ...search, ...(cursor && { cursor }) }, NOW)
    assert.ok(data.length <= search.limit)
    assert.ok(meta.searched_until === null || meta.next_cursor !== null)
    found.push(...data.map(({ request_id }) => request_id))
    cursor = meta.next_cursor
  }
  return found
}

test('every filter finds what a plain loop finds, latest first and once, however short a search is', async () => {
  const pages = fc.record({ limit: fc.integer({ min: 1, max: 5 }), mostSearched: fc.integer({ min: 1, max: 9 }) })
  await fc.assert(
    fc.asyncProperty(
      fc.array(audited, { maxLength: 40 }),
      filters,
      pages,
      async (sent, { from, to, ...others }, size) => {
        const [clinic, other] = [await testClinic(owner), await testClinic(owner)]
        const instantOf = (agoMs: number) => new Date(NOW.getTime() - agoMs).toISOString()
        // Rows get their numbers in the order in which they are stored.
        const rows = sent
          .toSorted((a, b) => b.agoMs - a.agoMs)
          .map(({ agoMs, ...one }, n) => ({ ...one, stored_at: instantOf(agoMs), request_id: `r${n}` }))
        if (rows.length > 0) await insert(owner, clinic, 'audit', ...rows.map((one) => ({ ...row(clinic), ...one })))
        await insert(owner, other, 'audit', row(other, { request_id: 'theirs', stored_at: instantOf(0) }))
        const period = {
          ...(from !== undefined && { from: instantOf(from) }),
          ...(to !== undefined && { to: instantOf(to) }),
        }
        const [least, most] = RANGES[others.outcome ?? 'done']
        const looped = rows.filter(
          (one) =>
            (others.actor === undefined || one.key_id === others.actor) &&
            (others.operation === undefined || one.operation === others.operation) &&
            (others.surface === undefined || one.surface === others.surface) &&
            (others.resource_id === undefined || one.resource_ids.includes(others.resource_id)) &&
            (others.outcome === undefined || (one.status >= least && one.status < most)) &&
            (period.from === undefined || one.stored_at >= period.from) &&
            (period.to === undefined || one.stored_at <= period.to),
        )
        const expected = looped.map(({ request_id }) => request_id).reverse()
        assert.deepEqual(await walked(clinic, { ...others, ...period, ...size }), expected)
      },
    ),
    { numRuns: 60 },
  )
})

test('a day is the clinic’s, and is included as a whole', async () => {
  const clinic = await testClinic(owner)
  const moments = [
    '2026-07-11T20:59:59.999Z',
    '2026-07-11T21:00:00Z',
    '2026-07-12T20:59:59.999Z',
    '2026-07-12T21:00:00Z',
  ]
  const rows = moments.map((stored_at, n) => row(clinic, { stored_at, request_id: `r${n}` }))
  await insert(owner, clinic, 'audit', ...rows)
  assert.equal(clinic.time_zone, 'Asia/Jerusalem')
  assert.deepEqual(await walked(clinic, { from: '2026-07-12', to: '2026-07-12', limit: 10 }), ['r2', 'r1'])
  assert.deepEqual(await walked(clinic, { from: '0001-01-01', to: '9999-12-31', limit: 10 }), ['r3', 'r2', 'r1', 'r0'])
})

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

/** Explains each statement of a transaction before it runs. */
class ExplainingDatabase extends Database {
  readonly plans: Plan[] = []

  override write<T>(...[clinic, work]: Parameters<typeof Database.prototype.write<T>>): Promise<T> {
    const explained =
      (tx: Transaction) =>
      async (statement: Statement): Promise<StatementResult<Row>> => {
        const { rows } = await tx.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
          sql`explain (analyze, timing off, format json) ${statement}`,
        )
        this.plans.push(...(rows[0]?.['QUERY PLAN'] ?? []).map(({ Plan }) => Plan))
        return tx.query(statement)
      }
    return super.write(clinic, (tx) =>
      work(
        new Proxy(tx, {
          get: (whole, name) => (name === 'query' ? explained(whole) : Reflect.get(whole, name).bind(whole)),
        }),
      ),
    )
  }
}

const ROWS = sized({ everyday: 50_000, long: 100_000 })
/** All of them reach back some hours more than a day. */
const SECONDS_APART = 100_000 / ROWS

/** Days with many rows and with none, all of them without statistics. */
async function busyClinic(): Promise<Clinic> {
  const clinic = await testClinic(owner)
  await owner.query(sql`insert into audit
    (clinic_id, stored_at, at, key_id, operation, surface, resource_ids, count, status, request_id, address)
    select ${clinic.clinic_id}, moment, moment, 'key_' || n % 5, 'patients.get', 'rest', array['p' || n % 200], 1, 200, 'r', ''
    from generate_series(1, ${ROWS}::integer) n,
      lateral (select ${NOW}::timestamptz - (${ROWS}::integer - n) * ${SECONDS_APART} * interval '1 second' - interval '1 hour' as moment) at`)
  return clinic
}

const { rows: citus } = await owner.query(sql`select from pg_extension where extname = 'citus'`)

test('no statement of a search reads more than a bounded number of rows, whatever it looks for', {
  skip: citus.length > 0 && 'a cluster explains its own plans',
}, async (t) => {
  const database = await new ExplainingDatabase({ url: ownerUrl, statementTimeoutMs: 0 }).open()
  t.after(() => database.close())
  const clinic = await busyClinic()
  const yesterday = new Date(NOW.getTime() - DAY_MS).toISOString()
  const someHoursAgo = new Date(NOW.getTime() - DAY_MS / 6).toISOString()
  const searches: Partial<ActivitySearch>[] = [
    {},
    { actor: 'key_1' },
    { actor: 'nobody' },
    { resource_id: 'p77' },
    { resource_id: 'nobody' },
    { resource_id: 'nobody', outcome: 'failed', surface: 'mcp', operation: 'me.get' },
    { outcome: 'refused', from: someHoursAgo },
    { resource_id: 'nobody', to: yesterday },
  ]
  for (const filter of searches) {
    database.plans.length = 0
    const { meta } = await listActivity(database, clinic, { ...filter, limit: 50 }, NOW)
    assert.ok(database.plans.length >= 1)
    const reads = database.plans.flatMap(readsOf)
    const text = JSON.stringify(filter)
    for (const { node, rows } of reads) assert.ok(rows <= 41_000, `${text}: ${node} reads ${rows} rows`)
    assert.equal(meta.searched_until !== null, text.includes('nobody') && filter.to === undefined, text)
  }
})

function readsOf(plan: Plan): { node: string; rows: number }[] {
  const { 'Actual Rows': rows, 'Actual Loops': loops, 'Rows Removed by Filter': removed = 0 } = plan
  const relation = plan['Relation Name']
  const node = `${plan['Node Type']} ${relation ?? ''}`
  return [
    ...(relation === undefined || loops === 0 ? [] : [{ node, rows: (rows + removed) * loops }]),
    ...(plan.Plans ?? []).flatMap(readsOf),
  ]
}
