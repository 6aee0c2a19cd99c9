// The continuous export: which rows go to a destination, in which order, how its place is kept, and what the lines prove.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { following, newClinics, placeOf, requestsIn, sealRows, sound } from '@clinic-data/testing/grounds/follow-ground'
import { app, dayBefore, makeDay, now, owner, seal, store } from '@clinic-data/testing/grounds/packed-ground'
import { testClinic } from '@clinic-data/testing/run/test-database'
import { type Destination, Unreachable } from '../src/follow/destination.ts'
import { packDays } from '../src/segments/pack-days.ts'

/** Keeps the lines of each clinic, and fails where a test wants it. */
class Kept implements Destination {
  readonly name: string = 'https://collector.example/audit'
  readonly #texts = new Map<string, string>()
  /** Called before each batch is kept. */
  onBatch: (clinic_id: string) => void | Promise<void> = () => undefined
  /** Called when all are, before they are acknowledged. */
  onEnd: (clinic_id: string) => void | Promise<void> = () => undefined
  batches = 0

  async send(clinic_id: string, batches: AsyncIterable<readonly string[]>): Promise<void> {
    for await (const lines of batches) {
      await this.onBatch(clinic_id)
      this.batches++
      this.#texts.set(clinic_id, `${this.of({ clinic_id })}${lines.join('\n')}\n`)
    }
    await this.onEnd(clinic_id)
  }

  of({ clinic_id }: Pick<Clinic, 'clinic_id'>): string {
    return this.#texts.get(clinic_id) ?? ''
  }
}

const auditOf = async ({ clinic_id }: Clinic) => {
  const { rows } = await owner.query<{ resource_ids: string[] }>(
    sql`select resource_ids from audit where clinic_id = ${clinic_id} and operation = 'operator.audit.follow' order by id`,
  )
  return rows.map(({ resource_ids }) => resource_ids.slice(0, 3))
}

test('a setting that is new exports what is sealed from then on, and of a clinic that is new everything', async () => {
  const destination = new Kept()
  const { round } = following(destination)
  const [old] = (await newClinics(1)) as [Clinic]
  await round(old)
  assert.deepEqual([destination.of(old), await placeOf(old)], ['', 1])
  const later = await sealRows(old, 3)
  const [fresh] = (await newClinics(1)) as [Clinic]
  await round(old, fresh)
  assert.deepEqual(requestsIn(destination.of(old)).slice(-3), later)
  const verdict = await sound(destination.of(old))
  // The row of the export itself was stored before them.
  assert.deepEqual([verdict.rows, verdict.seals?.first, verdict.before?.startsWith('1.')], [4, 2, true])
  assert.equal((await sound(destination.of(fresh))).before, null)
  assert.equal(requestsIn(destination.of(fresh)).length, 2)
  assert.deepEqual(await auditOf(old), [[old.clinic_id, 'seals:2-', destination.name]])
  assert.deepEqual(await auditOf(fresh), [[fresh.clinic_id, 'seals:1-', destination.name]])
})

test('a log that was begun after the export was started is exported from its first row, also the first one', async () => {
  const destination = new Kept()
  let at = new Date(now.getTime() - 60_000)
  const { round } = following(destination, { now: () => at })
  await owner.maintainAsDispatcher((tx) => tx.query(sql`delete from audit_export_place`))
  const [clinic] = (await newClinics(1)) as [Clinic]
  at = now
  await round(clinic)
  assert.equal(requestsIn(destination.of(clinic)).length, 2)
})

test('only sealed rows leave, and those that come later follow behind them: the lines of all rounds verify as one file', async () => {
  const destination = new Kept()
  const { round, follower } = following(destination)
  const [clinic] = (await newClinics(1)) as [Clinic]
  await store(clinic, { stored_at: `${dayBefore(0)} 10:00Z`, request_id: 'req_unsealed' })
  await round(clinic)
  assert.ok(!destination.of(clinic).includes('req_unsealed'))
  for (let n = 0; n < 3; n++) {
    await seal(clinic)
    await round(clinic)
    await round(clinic)
    await sealRows(clinic, 2)
  }
  await round(clinic)
  const verdict = await sound(destination.of(clinic))
  assert.equal(verdict.repeated.seals, 0)
  assert.equal(new Set(requestsIn(destination.of(clinic))).size, verdict.rows)
  assert.ok(requestsIn(destination.of(clinic)).includes('req_unsealed'))
  const { head } = await sound(destination.of(clinic))
  assert.equal((await sound(destination.of(clinic), head)).proven_to, await placeOf(clinic))
  assert.equal(follower.lag.clinics, 0)
  assert.ok(follower.exportedRows >= verdict.rows)
})

test('what is interrupted anywhere comes again from the last acknowledged seal, in order, and the file says so and verifies', async () => {
  const destination = new Kept()
  const { round, follower } = following(destination)
  const [clinic] = (await newClinics(1)) as [Clinic]
  await round(clinic)
  const ids = await sealRows(clinic, 40)
  destination.onEnd = () => {
    throw new Unreachable('the acknowledgement is lost')
  }
  const placed = await placeOf(clinic)
  await assert.rejects(round(clinic), /the acknowledgement is lost/)
  assert.equal(await placeOf(clinic), placed)
  assert.equal(follower.lag.clinics, 1)
  await assert.rejects(round(clinic), /the acknowledgement is lost/)
  destination.onEnd = () => undefined
  await round(clinic)
  const { repeated, rows } = await sound(destination.of(clinic))
  assert.deepEqual(repeated, { seals: 2 * (1 + 1), rows: 2 * 41 })
  const sent = requestsIn(destination.of(clinic))
  assert.deepEqual([...new Set(sent)].slice(-40), ids)
  assert.equal(sent.length, rows + repeated.rows)
})

test('two that export at once do not send the same lines: one has the clinic, the other passes it by', async () => {
  const [one, other] = [new Kept(), new Kept()]
  const [first, second] = [following(one), following(other)]
  const [clinic] = (await newClinics(1)) as [Clinic]
  one.onEnd = async () => {
    one.onEnd = () => undefined
    await second.round(clinic)
    assert.equal(other.of(clinic), '')
  }
  await first.round(clinic)
  assert.notEqual(one.of(clinic), '')
  await second.round(clinic)
  assert.equal(other.of(clinic), '')
  await sealRows(clinic, 1)
  await second.round(clinic)
  assert.ok((await sound(one.of(clinic) + other.of(clinic))).rows > 3)
})

test('a clinic whose lines are refused keeps no other from being exported, and one that cannot be reached is asked once', async () => {
  const destination = new Kept()
  const { round, follower } = following(destination)
  const clinics = (await newClinics(3)).sort((a, b) => (a.clinic_id < b.clinic_id ? -1 : 1)) as [Clinic, Clinic, Clinic]
  const [refused] = clinics
  destination.onBatch = (clinic_id) => {
    if (clinic_id === refused.clinic_id) throw new Error('no such lines')
  }
  await assert.rejects(round(...clinics), /no such lines/)
  for (const clinic of clinics.slice(1)) await sound(destination.of(clinic))
  assert.deepEqual([await placeOf(refused), follower.lag.clinics], [0, 1])
  for (const clinic of clinics) await sealRows(clinic, 1)
  const asked: string[] = []
  destination.onBatch = (clinic_id) => {
    asked.push(clinic_id)
    throw new Unreachable('nobody is there')
  }
  await assert.rejects(round(...clinics), /nobody is there/)
  // Each round begins behind the one that failed before: no clinic can keep the others waiting for ever.
  await assert.rejects(round(...clinics), /nobody is there/)
  assert.deepEqual(asked, [clinics[1].clinic_id, clinics[2].clinic_id])
  destination.onBatch = () => undefined
  await round(...clinics)
  for (const clinic of clinics) await sound(destination.of(clinic))
})

test('a long log goes in bounded stretches and batches, one stretch a round', async () => {
  const destination = new Kept()
  const { round, follower } = following(destination)
  const clinic = await testClinic(owner)
  const rows = Array.from({ length: 6_000 }, () => ({ stored_at: `${dayBefore(2)} 10:00Z` }))
  await store(clinic, ...rows)
  await seal(clinic)
  await sealRows(clinic, 2)
  await round(clinic)
  const { seals } = await sound(destination.of(clinic))
  assert.deepEqual([seals, await placeOf(clinic), follower.lag.clinics], [{ first: 1, last: 1 }, 1, 1])
  assert.ok(destination.batches > 5, `${destination.batches} batches`)
  await round(clinic)
  assert.equal((await sound(destination.of(clinic))).rows >= 6_002, true)
})

test('packed days are exported as rows are', async () => {
  const destination = new Kept()
  const { round } = following(destination)
  const clinic = await testClinic(owner)
  await makeDay(dayBefore(20))
  const ids = await sealRows(clinic, 5, 20)
  assert.ok((await packDays(owner, now)).packed.includes(dayBefore(20)))
  await round(clinic)
  assert.deepEqual(requestsIn(destination.of(clinic)), ids)
  await sound(destination.of(clinic))
})

test('days that the retention drops before they are exported are told, and their seals stand in the lines without rows', async () => {
  const destination = new Kept()
  const { round, faults } = following(destination)
  const clinic = await testClinic(owner)
  await sealRows(clinic, 2, 9)
  await round(clinic)
  await sealRows(clinic, 3, 8)
  await sealRows(clinic, 4, 7)
  await owner.query(sql`delete from audit where clinic_id = ${clinic.clinic_id} and stored_at < ${`${dayBefore(7)} 00:00Z`}
    and stored_at > ${`${dayBefore(8)} 00:00Z`}`)
  await round(clinic)
  const { dropped, rows } = await sound(destination.of(clinic))
  assert.deepEqual([dropped, rows >= 6], [{ first: 3, last: 3, seals: 1 }, true])
  assert.deepEqual(faults, [`${clinic.clinic_id} rows of the seals 3 to 3 were gone before they were exported`])
})

test('a log that does not match its seals is exported as it is stored, and that is told', async () => {
  const destination = new Kept()
  const { round, faults } = following(destination)
  const clinic = await testClinic(owner)
  await sealRows(clinic, 3)
  await owner.query(sql`update audit set status = 500 where clinic_id = ${clinic.clinic_id}`)
  await round(clinic)
  assert.match(faults.join(), /its rows were changed/)
  await assert.rejects(sound(destination.of(clinic)), /its rows were changed/)
})

test('another destination goes on where the former one ended, and its row names it', async () => {
  const destination = new Kept()
  const [clinic] = (await newClinics(1)) as [Clinic]
  await following(destination).round(clinic)
  await sealRows(clinic, 2)
  const next = Object.assign(new Kept(), { name: 'file:///var/log/clinic' })
  await following(next).round(clinic)
  assert.equal((await sound(destination.of(clinic) + next.of(clinic))).repeated.seals, 0)
  assert.deepEqual((await auditOf(clinic)).at(-1), [clinic.clinic_id, 'seals:2-', 'file:///var/log/clinic'])
})

test('the login of requests sees no place of the export', async () => {
  await assert.rejects(app.query(sql`select from audit_export_place`), /permission denied/)
})

// The last one: the log of its clinic stays broken.
test('a seal that is missing stops the export of its clinic, and that is told each round', async () => {
  const destination = new Kept()
  const { round, follower } = following(destination)
  const [clinic, other] = (await newClinics(2)) as [Clinic, Clinic]
  await sealRows(clinic, 1)
  await owner.query(sql`delete from audit_seal where clinic_id = ${clinic.clinic_id} and number = 1`)
  await assert.rejects(round(clinic, other), /seal 1 of the audit log of the clinic .* is missing/)
  await assert.rejects(round(clinic, other), /is missing/)
  assert.equal(follower.lag.clinics, 1)
  await sound(destination.of(other))
})
