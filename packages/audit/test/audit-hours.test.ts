// The sums of the audit log by hour: at every moment they are what a plain loop over the rows counts, whatever is sealed by then.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { sql, utcSession } from '@clinic-data/database'
import { assertSound, day, owner, Rounds, row } from '@clinic-data/testing/grounds/audit-ground'
import { insert } from '@clinic-data/testing/grounds/rows'
import { testClinic } from '@clinic-data/testing/run/test-database'
import fc from 'fast-check'
import { DURATION_BOUNDS_MS, forgetHours, hoursBefore, percentile, readKeyUse } from '../src/audit-hours.ts'

interface Audited {
  key_id: string
  stored_at: string
  status: number
  surface: 'rest' | 'mcp' | 'file' | 'ingest' | 'console'
  duration_ms: number | null
}

interface Counted {
  requests: number
  refusals: number
  failures: number
  durations: number[]
}

const NOTHING = (): Counted => ({
  requests: 0,
  refusals: 0,
  failures: 0,
  durations: DURATION_BOUNDS_MS.concat(0).fill(0),
})

const HOUR_MS = 3_600_000
const BEGIN = Date.parse(`${day(3)}T22:00:00Z`)

/** Around the borders of hours, one of which is the border of a day. */
const instants = fc
  .tuple(fc.integer({ min: 0, max: 4 }), fc.oneof(fc.constantFrom(-1, 0, 1, 59_999, 60_000), fc.nat(HOUR_MS)))
  .map(([hour, ms]) => new Date(BEGIN + hour * HOUR_MS + ms).toISOString())

const durations = fc.option(
  fc.oneof(fc.constantFrom(...DURATION_BOUNDS_MS.flatMap((bound) => [bound - 1, bound, bound + 1])), fc.nat(40_000)),
)

const rows = fc.array(
  fc.record<Audited>({
    key_id: fc.constantFrom('key_a', 'key_b', 'whatsapp'),
    stored_at: instants,
    status: fc.constantFrom(200, 201, 304, 400, 404, 422, 500, 503),
    surface: fc.constantFrom('rest', 'mcp', 'file', 'ingest', 'console'),
    duration_ms: durations,
  }),
  { maxLength: 40 },
)

/** Counts the rows one by one. */
function looped(all: readonly Audited[], nameOf: (row: Audited) => string): Map<string, Counted> {
  const found = new Map<string, Counted>()
  for (const one of all.filter(({ surface }) => surface !== 'console')) {
    const sums = found.get(nameOf(one)) ?? NOTHING()
    found.set(nameOf(one), sums)
    sums.requests++
    if (one.status >= 400) sums.refusals++
    if (one.status >= 500) sums.failures++
    const { duration_ms } = one
    if (duration_ms === null) continue
    const place = DURATION_BOUNDS_MS.findIndex((bound) => duration_ms <= bound)
    const at = place === -1 ? DURATION_BOUNDS_MS.length : place
    sums.durations[at] = (sums.durations[at] ?? 0) + 1
  }
  return found
}

const hourOf = (stored_at: string) => stored_at.slice(0, 13)

async function assertCounted({ clinic_id }: Clinic, all: readonly Audited[]): Promise<void> {
  const uses = await readKeyUse(owner, utcSession(clinic_id), { since: new Date(BEGIN - HOUR_MS), step: 'hour' })
  const found = new Map<string, Counted>()
  for (const { key_id, at, ...use } of uses) {
    const name = `${key_id} ${hourOf(at.replace(' ', 'T'))}`
    const sums = found.get(name) ?? NOTHING()
    found.set(name, sums)
    for (const counter of ['requests', 'refusals', 'failures'] as const) sums[counter] += use[counter]
    sums.durations = sums.durations.map((count, place) => count + (use.durations[place] ?? 0))
  }
  const sorted = (sums: Map<string, Counted>) => [...sums].sort(([a], [b]) => (a < b ? -1 : 1))
  assert.deepEqual(sorted(found), sorted(looped(all, ({ key_id, stored_at }) => `${key_id} ${hourOf(stored_at)}`)))
}

test('sums are what a plain loop counts, before, while and after rows are sealed, each row exactly once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(rows, { minLength: 1, maxLength: 4 }), async (groups) => {
      const [clinic, other, rounds] = [await testClinic(owner), await testClinic(owner), new Rounds()]
      const all: Audited[] = []
      await insert(owner, other, 'audit', row(other, { stored_at: `${day(3)} 22:30Z` }))
      for (const group of groups) {
        all.push(...group)
        if (group.length > 0) await insert(owner, clinic, 'audit', ...group.map((one) => ({ ...row(clinic), ...one })))
        await assertCounted(clinic, all)
        await rounds.next(clinic)
        await assertCounted(clinic, all)
      }
      await rounds.next(clinic)
      await assertCounted(clinic, all)
      const busiest = new Map<string, number>()
      for (const [minute, { requests }] of looped(
        all,
        ({ key_id, stored_at }) => `${key_id} ${stored_at.slice(0, 16)}`,
      )) {
        const name = minute.slice(0, -3)
        busiest.set(name, Math.max(busiest.get(name) ?? 0, requests))
      }
      const { clinic_id } = clinic
      const stored = await owner.read<{ key_id: string; hour: string; busiest_minute: number }>(
        utcSession(clinic_id),
        sql`select key_id, hour, busiest_minute from audit_hour where clinic_id = ${clinic_id}`,
      )
      assert.deepEqual(
        new Map(
          stored.map(({ key_id, hour, busiest_minute }) => [
            `${key_id} ${hourOf(hour.replace(' ', 'T'))}`,
            busiest_minute,
          ]),
        ),
        busiest,
      )
      assert.equal(await rounds.next(clinic), 0)
      await assertCounted(clinic, all)
    }),
    { numRuns: 25 },
  )
})

test('rows with and without a duration are sealed alike, and the chain over both is sound', async () => {
  const [clinic, rounds] = [await testClinic(owner), new Rounds()]
  const stored_at = `${day(3)} 10:00Z`
  await insert(owner, clinic, 'audit', { ...row(clinic, { stored_at }), duration_ms: null })
  await insert(owner, clinic, 'audit', { ...row(clinic, { stored_at }), duration_ms: 17 })
  await rounds.next(clinic)
  assert.equal(await rounds.next(clinic), 2)
  await assertSound(clinic, 1, 2)
  // A measurement, no evidence: it is outside of the seal.
  await owner.query(sql`update audit set duration_ms = 18 where clinic_id = ${clinic.clinic_id}`)
  await assertSound(clinic, 1, 2)
})

test('two sealers at once add each row once', async () => {
  const clinic = await testClinic(owner)
  const all = Array.from({ length: 30 }, (_, n) => ({
    key_id: 'key_a',
    stored_at: new Date(BEGIN + n * 1000).toISOString(),
    status: 200,
    surface: 'rest' as const,
    duration_ms: n,
  }))
  await insert(owner, clinic, 'audit', ...all.map((one) => ({ ...row(clinic), ...one })))
  const sealers = [new Rounds(), new Rounds(), new Rounds()]
  for (const rounds of sealers) await rounds.next(clinic)
  await Promise.all(sealers.map((rounds) => rounds.next(clinic)))
  await assertSound(clinic, 1, 30)
  await assertCounted(clinic, all)
})

test('sums that no page shows any more are removed, those of a month stay', async () => {
  const clinic = await testClinic(owner)
  const now = new Date('2026-07-12T06:30:00Z')
  const session = utcSession(clinic.clinic_id)
  const hours = [31 * 24 + 1, 31 * 24, 5].map((age) => hoursBefore(now, age).toISOString())
  const minutes = Array<number>(60).fill(0)
  const sums = {
    key_id: 'key_a',
    requests: 1,
    refusals: 0,
    failures: 0,
    durations: minutes,
    minutes,
    busiest_minute: 1,
  }
  await insert(owner, clinic, 'audit_hour', ...hours.map((hour) => ({ ...sums, hour })))
  await forgetHours(owner, session, now)
  const { clinic_id } = clinic
  const kept = await owner.read<{ hour: string }>(
    session,
    sql`select hour from audit_hour where clinic_id = ${clinic_id} order by hour`,
  )
  assert.deepEqual(
    kept.map(({ hour }) => Date.parse(hour)),
    hours.slice(1).map((hour) => Date.parse(hour)),
  )
})

test('a percentile lies between the bounds of the counter that holds it', () => {
  const counted = (...all: number[]) =>
    looped(
      all.map((duration_ms) => ({ ...SOME, duration_ms })),
      () => '',
    ).get('')
  assert.equal(percentile(NOTHING().durations, 0.5), null)
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 9_999 }), { minLength: 1 }),
      fc.constantFrom(0.5, 0.99),
      (all, share) => {
        const real = all.sort((a, b) => a - b)[Math.ceil(share * all.length) - 1] ?? 0
        const estimated = percentile(counted(...all)?.durations ?? [], share) ?? 0
        const place = DURATION_BOUNDS_MS.findIndex((bound) => real <= bound)
        assert.ok(
          estimated >= (DURATION_BOUNDS_MS[place - 1] ?? 0) && estimated <= (DURATION_BOUNDS_MS[place] ?? 0),
          `${estimated} for ${real}`,
        )
      },
    ),
  )
  assert.equal(percentile(counted(40_000)?.durations ?? [], 0.5), 10_000)
})

const SOME: Audited = { key_id: 'key_a', stored_at: '', status: 200, surface: 'rest', duration_ms: null }
