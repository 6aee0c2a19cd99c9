// A year of a clinic's ordinary traffic, day by day, and the incidents that are planted into it: each is called, and little else is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Notice } from '../src/watch/alerts.ts'
import { decideDays, type Standing } from '../src/watch/decide.ts'
import type { Rule } from '../src/watch/facts.ts'
import { NO_ORDER } from '../src/watch/id-order.ts'
import { type DayUse, dayAfter, NO_USE, newUsual, type OpenDay, openDay, type Usual } from '../src/watch/usual.ts'

const FIRST = '2025-01-01'
const DAYS = 365

/** Repeatable: the same seed gives the same year. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

interface DayOfKey {
  use: DayUse
  rows: Partial<OpenDay>
}

type Traffic = (day: number, weekday: number, random: () => number) => DayOfKey | null

const busy = (requests: number, patients: number, refusals: number, rows: Partial<OpenDay> = {}): DayOfKey => ({
  use: { ...NO_USE, requests: Math.round(requests), patients: Math.round(patients), refusals: Math.round(refusals) },
  rows: { networks: ['192.0.2.0/24'], order: { ...NO_ORDER, most: 4 }, ...rows },
})

/** Fridays and Saturdays are quiet, Sundays after a holiday twice as busy, and in August nearly all are away. */
const isAway = (day: number) => day > 215 && day < 232
const keys: Readonly<Record<string, Traffic>> = {
  crm: (day, weekday, random) => {
    if (weekday === 6 || isAway(day)) return null
    const season = (1 + day / 1_000) * (weekday === 0 ? 1.6 : 1) * (weekday === 5 ? 0.3 : 1)
    return busy(2_000 * season, (120 + 90 * random()) * season, 20 + 40 * random())
  },
  analytics: (_, __, random) => busy(300, 0, random() < 0.02 ? 60 : 2),
  agent: (_, weekday, random) =>
    weekday === 6 ? null : busy(150, 10 + 30 * random(), 3, { networks: [`198.51.${Math.floor(random() * 90)}.0/24`] }),
  accountant: (day) => (day % 30 < 2 ? busy(1_600, 1_500, 0, { order: { ...NO_ORDER, most: 1_400 } }) : null),
  report: (day) => (day % 91 === 4 ? busy(40, 30, 0) : null),
  newcomer: (day, _, random) => (day < 170 ? null : busy(900, day < 173 ? 4_000 : 200 + 50 * random(), 30)),
  mover: (day, weekday, random) =>
    weekday === 6
      ? null
      : busy(500, 60 + 20 * random(), 5, { networks: [day < 140 ? '203.0.113.0/24' : '203.0.114.0/24'] }),
}

/** By key and day. */
type Planted = Readonly<Record<string, Readonly<Record<number, (usual: DayOfKey) => DayOfKey>>>>

function replay(seed: number, planted: Planted = {}): (Notice & { at: number })[] {
  const called: (Notice & { at: number })[] = []
  for (const [key_id, traffic] of Object.entries(keys)) {
    const random = randomFrom(seed + key_id.length * 101)
    let usual: Usual | null = null
    const standing: Standing[] = []
    for (let at = 0; at < DAYS; at += 1) {
      const day = dayAfter(FIRST, at)
      const ordinary = traffic(at, new Date(day).getUTCDay(), random)
      const plant = planted[key_id]?.[at]
      const did = plant === undefined ? ordinary : plant(ordinary ?? busy(0, 0, 0))
      if (did === null && usual === null) continue
      usual ??= { ...newUsual(day), networks_since: day }
      const open = did === null ? [] : [{ ...openDay(usual, day), ...did.rows }]
      const decided = decideDays({
        key_id,
        usual: { ...usual, open },
        days: [day],
        uses: did === null ? new Map() : new Map([[day, did.use]]),
        ended: null,
        standing,
        callsSince: day,
        learnsBefore: dayAfter(day),
      })
      usual = decided.usual
      for (const notice of decided.notices) {
        called.push({ ...notice, at })
        standing.push({ ...notice, is_seen: false })
      }
    }
  }
  return called
}

test('a year of ordinary traffic calls at most once a month, with any of ten seeds', () => {
  for (let seed = 1; seed <= 10; seed += 1) {
    const called = replay(seed)
    const months = Map.groupBy(called, ({ day }) => day.slice(0, 7))
    for (const [month, some] of months)
      assert.ok(some.length <= 1, `${seed} ${month}: ${some.map((one) => `${one.rule} ${one.key_id} ${one.day}`)}`)
  }
})

const incidents: readonly { rule: Rule; key_id: string; at: number; plant: (usual: DayOfKey) => DayOfKey }[] = [
  {
    rule: 'many_patients',
    key_id: 'crm',
    at: 250,
    plant: ({ use, rows }) => ({ use: { ...use, patients: 4_112, requests: 9_000 }, rows }),
  },
  {
    rule: 'many_patients',
    key_id: 'newcomer',
    at: 320,
    plant: ({ use, rows }) => ({ use: { ...use, patients: 14_000 }, rows }),
  },
  {
    rule: 'new_network',
    key_id: 'crm',
    at: 300,
    plant: ({ use, rows }) => ({ use, rows: { ...rows, networks: ['192.0.2.0/24', '100.64.7.0/24'] } }),
  },
  {
    rule: 'patients_in_order',
    key_id: 'agent',
    at: 180,
    plant: ({ use, rows }) => ({ use, rows: { ...rows, order: { ...NO_ORDER, most: 70 } } }),
  },
  {
    rule: 'many_refusals',
    key_id: 'mover',
    at: 200,
    plant: ({ use, rows }) => ({ use: { ...use, refusals: 900, requests: 1_400 }, rows }),
  },
]

test('each planted incident is called on its day, beside what the year calls anyway', () => {
  for (let seed = 1; seed <= 10; seed += 1) {
    const usual = new Set(replay(seed).map(({ rule, key_id, at }) => `${rule} ${key_id} ${at}`))
    for (const { rule, key_id, at, plant } of incidents) {
      const named = replay(seed, { [key_id]: { [at]: plant } }).map((one) => `${one.rule} ${one.key_id} ${one.at}`)
      assert.ok(named.includes(`${rule} ${key_id} ${at}`), `${seed} ${rule} ${key_id}: ${named}`)
      assert.ok(!usual.has(`${rule} ${key_id} ${at}`))
    }
  }
})

test('a key that somebody takes up again after half a year calls', () => {
  const sleeper = replay(1, { newcomer: { 20: () => busy(50, 3, 0) } })
  assert.ok(sleeper.some(({ rule, key_id, at }) => rule === 'silence' && key_id === 'newcomer' && at === 170))
})
