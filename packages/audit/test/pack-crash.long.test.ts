// Whoever packs the audit log is killed in the middle of it, while others add rows and seal them: no row is lost, doubled or changed.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import {
  app,
  dayBefore,
  hasPartition,
  makeDay,
  now,
  owner,
  ownerUrl,
  seal,
  verify,
} from '@clinic-data/testing/grounds/packed-ground'
import { SEED, sized } from '@clinic-data/testing/run/size'
import { testClinic } from '@clinic-data/testing/run/test-database'
import { seeded } from '@clinic-data/testing/test-clock'
import { until } from '@clinic-data/testing/until'
import { sealedRows } from '../src/sealed-rows.ts'
import { canonicalText } from '../src/segments/log-row.ts'
import { packDays } from '../src/segments/pack-days.ts'
import type { Point } from './pack-child.ts'

const CHILD = join(import.meta.dirname, 'pack-child.ts')
const ROUNDS = sized({ everyday: 5, long: 30 })
const CLINICS = 5
/** Then others come: what is checked after each kill grows no more. */
const ROUNDS_OF_CLINICS = 5
/** Each round has these new days, with a segment of each clinic at least. */
const DAYS_A_ROUND = 2
const EVERYTHING = { after: 0, upTo: Number.MAX_SAFE_INTEGER, limit: 1_000_000 }

/** Where a round's child is killed: at a halt, or at any moment behind one of its lines. */
interface Kill {
  halt: Point | 'never'
  /** Behind so many lines: of this point, or of all. */
  count: number
}

const children: ChildProcess[] = []
after(() => {
  for (const child of children) child.kill('SIGKILL')
})

/** Starts a child that packs, and kills it there. */
async function packUntilKilled({ halt, count }: Kill): Promise<void> {
  const argv = [CHILD, ownerUrl, now.toISOString(), halt, String(count)]
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const gone = once(child, 'exit')
  let lines = 0
  for await (const line of createInterface({ input: child.stdout })) {
    assert.doesNotMatch(line, /^failure/)
    if (halt === 'never' || line === halt) lines += 1
    if (lines === count) child.kill('SIGKILL')
  }
  await gone
  assert.equal(child.signalCode, 'SIGKILL')
}

/** The texts of all rows that the database has acknowledged, by their numbers. */
class Log {
  readonly clinic: Clinic
  readonly rows = new Map<number, string>()
  #requests = 0

  constructor(clinic: Clinic) {
    this.clinic = clinic
  }

  /** Adds rows that were stored on these days. */
  async add(days: readonly string[], random: () => number): Promise<void> {
    const { clinic_id } = this.clinic
    const added = days.map((day) => {
      const at_ms = Date.parse(`${day}T08:00:00Z`) + Math.floor(random() * 36_000_000)
      this.#requests += 1
      return {
        stored_us: at_ms * 1000 + Math.floor(random() * 1_000_000),
        at_ms,
        key_id: `key_${Math.floor(random() * 3)}`,
        operation: random() < 0.5 ? 'patients.get' : 'appointments.list',
        surface: 'rest',
        resource_ids: [`a${Math.floor(random() * 90)}`, '', `p${Math.floor(random() * 30)}`],
        count: 1,
        status: random() < 0.9 ? 200 : 404,
        request_id: `req_${this.#requests}`,
        address: '192.0.2.1',
        duration_ms: 7,
      }
    })
    const values = added.map(({ stored_us, at_ms, ...row }) => [
      clinic_id,
      new Date(at_ms),
      `${new Date(Math.floor(stored_us / 1000)).toISOString().slice(0, -1)}${String(stored_us % 1000).padStart(3, '0')}Z`,
      ...Object.values(row),
    ])
    const { rows: stored } = await owner.query<{ id: number; request_id: string }>(sql`insert into audit
      (clinic_id, at, stored_at, key_id, operation, surface, resource_ids, count, status, request_id, address, duration_ms)
      values ${sql.values(values)} returning id, request_id`)
    const ids = new Map(stored.map(({ id, request_id }) => [request_id, id]))
    for (const row of added) {
      const id = ids.get(row.request_id) ?? assert.fail('a row was not acknowledged')
      this.rows.set(id, canonicalText({ id, ...row }))
    }
  }

  /** Every row that was acknowledged before stands once, as it was, and the chain proves it. @returns how many stand there. */
  async assertWhole(): Promise<number> {
    const acknowledged = [...this.rows]
    const rows = await sealedRows(app, this.clinic.clinic_id, EVERYTHING)
    const there = new Map(rows.map(({ id, content }) => [id, content]))
    assert.equal(there.size, rows.length, 'a row stands in the table and in a segment, or twice')
    assert.deepEqual(
      acknowledged.filter(([id, text]) => there.get(id) !== text),
      [],
    )
    const verdict = await verify(this.clinic)
    assert.ok(verdict.sound, JSON.stringify(verdict))
    return rows.length
  }
}

async function newLogs(): Promise<Log[]> {
  const logs: Log[] = []
  for (let n = 0; n < CLINICS; n++) logs.push(new Log(await testClinic(owner)))
  return logs
}

/** Each group of rounds has days of its own. */
let age = 700
/** A day with sealed rows of all clinics. */
async function sealedDay(logs: readonly Log[], random: () => number): Promise<string> {
  age -= 1
  const day = dayBefore(age)
  await makeDay(day)
  for (const log of logs) {
    await log.add([day, day, day], random)
    await seal(log.clinic)
  }
  return day
}

/** The days with segments that are not in the place of the rows yet. */
async function preparedDays(): Promise<string[]> {
  const rows = await owner.readAsDispatcher<{ day: string }>(sql`select distinct day from audit_segment
    where not exists (select from audit_packed_day packed where packed.day = audit_segment.day)`)
  return rows.map(({ day }) => day)
}

/** Packs what is left. A server may still be ending the transaction of a killed one. */
async function packRest(days: readonly string[]): Promise<void> {
  await until(
    async () => {
      const { failures, waiting } = await packDays(owner, now)
      assert.deepEqual(failures, [])
      return !days.some((day) => waiting.includes(day))
    },
    () => 'a day never gives way',
  )
  for (const day of days) assert.equal(await hasPartition(day), false, day)
  assert.deepEqual(await preparedDays(), [])
}

for (const { name, kill } of [
  { name: 'when all segments of a day are made', kill: { halt: 'stored', count: CLINICS } },
  { name: 'before the commit with which the day gives way', kill: { halt: 'giving-way', count: 1 } },
] as const) {
  test(`killed ${name}, the rows still stand in the table, and the next round ends the work`, async () => {
    const logs = await newLogs()
    const day = await sealedDay(logs, seeded(SEED))
    await packUntilKilled(kill)
    assert.deepEqual([await hasPartition(day), await preparedDays()], [true, [day]])
    for (const log of logs) assert.equal(await log.assertWhole(), 3)
    await packRest([day])
    for (const log of logs) assert.equal(await log.assertWhole(), 3)
  })
}

test('killed at any moment beside others that add rows and seal them, no row is lost, doubled or changed', async () => {
  const random = seeded(SEED)
  const number = (most: number) => 1 + Math.floor(random() * most)
  const all: Log[] = []
  const days: string[] = []
  const segments = CLINICS * DAYS_A_ROUND
  let midway = 0
  for (let round = 0; round < ROUNDS; round++) {
    if (round % ROUNDS_OF_CLINICS === 0) all.push(...(await newLogs()))
    const logs = all.slice(-CLINICS)
    for (let n = 0; n < DAYS_A_ROUND; n++) days.push(await sealedDay(logs, random))
    const kills: readonly Kill[] = [
      { halt: 'never', count: number(2 * segments) },
      { halt: 'stored', count: number(CLINICS - 1) },
      { halt: 'storing', count: number(segments) },
      { halt: 'giving-way', count: 1 },
      { halt: 'given-way', count: number(DAYS_A_ROUND) },
    ]
    const stopping = new AbortController()
    const writing = keepWriting(logs, days.slice(-3), seeded(SEED + round), stopping.signal)
    await packUntilKilled(kills[round % kills.length] ?? assert.fail())
    if ((await preparedDays()).length > 0) midway += 1
    for (const log of logs) await log.assertWhole()
    stopping.abort()
    await writing
    for (const { clinic } of logs) await seal(clinic)
  }
  assert.ok(midway >= Math.floor(ROUNDS / 5), `${midway} kills left a day with segments that had not given way`)
  await packRest(days)
  for (const log of all) assert.equal(await log.assertWhole(), log.rows.size)
})

/** Most rows are of today, others of days that are being packed. Each clinic has one writer, so what it seals has settled. */
async function keepWriting(
  logs: readonly Log[],
  days: readonly string[],
  random: () => number,
  stopping: AbortSignal,
): Promise<void> {
  await Promise.all(
    logs.map(async (log) => {
      while (!stopping.aborted) {
        const late = random() < 0.2 ? [days[Math.floor(random() * days.length)] ?? dayBefore(0)] : []
        await log.add([dayBefore(0), ...late], random)
        await seal(log.clinic)
      }
    }),
  )
}
