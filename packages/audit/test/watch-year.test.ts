// A year of the demo clinic, day by day: each of its partners reads who comes, is reminded or pays, as the demo's own calendar says. Each incident
// that is planted into it is called on its day, and little else is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Calendar } from '@clinic-data/demo/calendar'
import { planClinic } from '@clinic-data/demo/clinic-plan'
import { DEMO_CLINIC } from '@clinic-data/demo/demo-clinic'
import { DEMO_APPOINTMENTS_PER_PATIENT, DEMO_PATIENTS, DEMO_SEED } from '@clinic-data/demo/generate-demo'
import { patientId } from '@clinic-data/demo/patients'
import type { Notice } from '../src/watch/alerts.ts'
import { decideDays, type Standing } from '../src/watch/decide.ts'
import { RULES, type Rule } from '../src/watch/facts.ts'
import { NO_ORDER, orderAfter } from '../src/watch/id-order.ts'
import type { EndedKey } from '../src/watch/rules.ts'
import { dayAfter, newUsual, type Usual } from '../src/watch/usual.ts'

const DAYS = 365
const DAY_MS = 24 * 60 * 60 * 1000
const TODAY = new Date('2026-09-30T20:00:00Z')
const FIRST = dayAfter(TODAY.toISOString().slice(0, 10), 1 - DAYS)
const SEEDS = Array.from({ length: 10 }, (_, n) => n + 1)

/** Repeatable: the same seed gives the same year. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

/** Who came to the demo clinic on each day of the year, in the order of their visits. A day more, for the reminders. */
const visitors: readonly (readonly string[])[] = (() => {
  const size = { patients: DEMO_PATIENTS, appointments_per_patient: DEMO_APPOINTMENTS_PER_PATIENT, seed: DEMO_SEED }
  const calendar = new Calendar(planClinic(DEMO_CLINIC, TODAY, size), true)
  return Array.from({ length: DAYS + 1 }, (_, at) =>
    [...calendar.visitsOf(Date.parse(FIRST) / DAY_MS + at)]
      .filter(({ record }) => record.cancelled_at === null)
      .sort((a, b) => ((a.record.start ?? '') < (b.record.start ?? '') ? -1 : 1))
      .flatMap(({ record }) => record.patient_id ?? []),
  )
})()

const visitorsOn = (at: number) => visitors[at] ?? []
const everybody = Array.from({ length: DEMO_PATIENTS }, (_, index) => patientId(index))

/** What a key did on a day. The demo writes no log: networks and refusals are made here, and the patients are the demo's. */
interface Read {
  /** In the order in which they were read. */
  patients: readonly string[]
  requests: number
  refusals: number
  networks: readonly string[]
  ended?: Omit<EndedKey, 'tried_at'>
}

const NONE: Read = { patients: [], requests: 0, refusals: 0, networks: [] }
const HOME = ['192.0.2.0/24']

type Traffic = (at: number, random: () => number) => Read | null

const partners: Readonly<Record<string, Traffic>> = {
  /** Opens the card of each patient who comes, and looks others up. */
  crm: (at, random) => {
    const [first = '', ...others] = visitorsOn(at)
    if (first === '') return null
    const looked = Array.from(
      { length: Math.floor(20 * random()) },
      () => everybody[Math.floor(random() * 2_000)] ?? first,
    )
    const patients = [first, ...others, ...looked]
    return { patients, requests: patients.length * 12, refusals: Math.round(40 * random()), networks: HOME }
  },
  /** Writes to each patient of the next day. It moved to another network once. */
  reminders: (at) => {
    const patients = visitorsOn(at + 1)
    const networks = [at < 140 ? '203.0.113.0/24' : '203.0.114.0/24']
    return patients.length === 0 ? null : { patients, requests: patients.length * 3, refusals: 2, networks }
  },
  analytics: (_, random) => ({ ...NONE, requests: 300, refusals: random() < 0.02 ? 60 : 2, networks: HOME }),
  /** Asks about some of who come, from everywhere. */
  agent: (at, random) => {
    const patients = visitorsOn(at).filter(() => random() < 0.4)
    const networks = [`198.51.${Math.floor(random() * 90)}.0/24`]
    return patients.length === 0 ? null : { patients, requests: 150, refusals: 3, networks }
  },
  /** Reads all who came in a month, by their ids. */
  accountant: (at) => {
    if (at % 30 > 1) return null
    const patients = [...new Set(visitors.slice(Math.max(0, at - 30), at).flat())].sort()
    return { patients, requests: patients.length + 40, refusals: 0, networks: HOME }
  },
  report: (at) => (at % 91 === 4 ? { patients: visitorsOn(at), requests: 40, refusals: 0, networks: HOME } : null),
  /** Copies the whole clinic in its first days, and then who came. */
  newcomer: (at) => {
    if (at < 170) return null
    return { patients: at < 173 ? everybody : visitorsOn(at), requests: 900, refusals: 30, networks: HOME }
  },
}

type Plant = (usual: Read) => Read

/** @returns what the rules called of one partner. */
function replay(
  key_id: string,
  seed: number,
  planted: Readonly<Record<number, Plant>> = {},
): (Notice & { at: number })[] {
  const called: (Notice & { at: number })[] = []
  const random = randomFrom(seed + key_id.length * 101)
  const standing: Standing[] = []
  let usual: Usual | null = null
  for (let at = 0; at < DAYS; at += 1) {
    const day = dayAfter(FIRST, at)
    const ordinary = partners[key_id]?.(at, random) ?? null
    const did = planted[at]?.(ordinary ?? NONE) ?? ordinary
    if (did === null && usual === null) continue
    usual ??= { ...newUsual(day), networks_since: day }
    const decided = decideDays({
      key_id,
      usual: { ...usual, open: did === null ? [] : [rowsOf(day, did)] },
      days: [day],
      uses: did === null ? new Map() : new Map([[day, sumsOf(did)]]),
      ended: did?.ended === undefined ? null : { ...did.ended, day, tried_at: `${day}T12:00:00.000Z` },
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
  return called
}

const sumsOf = ({ patients, requests, refusals }: Read) => ({ requests, refusals, patients: new Set(patients).size })
const rowsOf = (day: string, { patients, networks }: Read) => ({
  day,
  networks: [...networks],
  order: patients.reduce(orderAfter, NO_ORDER),
})

test('the demo’s year is one of a clinic that works: a few hundred days, and thousands of visits', () => {
  const busy = visitors.filter((some) => some.length > 0)
  assert.ok(busy.length > 250 && busy.length < DAYS, String(busy.length))
  assert.ok(visitors.flat().length > 5_000, String(visitors.flat().length))
})

test('the demo’s year calls at most once a month, with any of ten seeds', () => {
  for (const seed of SEEDS) {
    const called = Object.keys(partners).flatMap((key_id) => replay(key_id, seed))
    const months = Map.groupBy(called, ({ day }) => day.slice(0, 7))
    for (const [month, some] of months)
      assert.ok(some.length <= 1, `${seed} ${month}: ${some.map((one) => `${one.rule} ${one.key_id} ${one.day}`)}`)
  }
})

const ENDED_AT = `${FIRST}T06:00:00.000Z`

const incidents: readonly { rules: readonly Rule[]; key_id: string; at: number; plant: Plant }[] = [
  // Somebody counts through the ids with the key of the CRM.
  {
    rules: ['many_patients', 'patients_in_order'],
    key_id: 'crm',
    at: 250,
    plant: (read) => ({ ...read, patients: [...read.patients, ...everybody], requests: 9_000 }),
  },
  // Or takes them in no order.
  {
    rules: ['many_patients'],
    key_id: 'reminders',
    at: 320,
    plant: (read) => ({ ...read, patients: Array.from({ length: 500 }, (_, n) => everybody[(n * 773) % 2_000] ?? '') }),
  },
  {
    rules: ['new_network'],
    key_id: 'crm',
    at: 300,
    plant: (read) => ({ ...read, networks: [...HOME, '100.64.7.0/24'] }),
  },
  // As many as on other days, one after the other.
  {
    rules: ['patients_in_order'],
    key_id: 'agent',
    at: 180,
    plant: (read) => ({ ...read, patients: everybody.slice(500, 549) }),
  },
  {
    rules: ['many_refusals'],
    key_id: 'reminders',
    at: 200,
    plant: (read) => ({ ...read, refusals: 900, requests: 1_400 }),
  },
  { rules: ['silence'], key_id: 'newcomer', at: 170, plant: (read) => read },
  {
    rules: ['ended_key'],
    key_id: 'analytics',
    at: 230,
    plant: () => ({ ...NONE, ended: { revoked_at: ENDED_AT, stopped_at: null } }),
  },
  {
    rules: ['stopped_partner'],
    key_id: 'accountant',
    at: 231,
    plant: () => ({ ...NONE, ended: { revoked_at: null, stopped_at: ENDED_AT } }),
  },
]

test('each planted incident is called on its day, beside what the year calls anyway', () => {
  assert.deepEqual(new Set(incidents.flatMap(({ rules }) => rules)), new Set(RULES))
  for (const seed of SEEDS.slice(0, 3)) {
    for (const { rules, key_id, at, plant } of incidents) {
      // Half a year before, somebody tried the key of the newcomer once.
      const before = rules.includes('silence') ? { 20: () => ({ ...NONE, requests: 50, networks: HOME }) } : {}
      const named = (some: readonly { rule: Rule; at: number }[]) =>
        some.filter((one) => one.at === at).map(({ rule }) => rule)
      assert.deepEqual(named(replay(key_id, seed)), [], `${seed} ${key_id} ${at}`)
      assert.deepEqual(named(replay(key_id, seed, { ...before, [at]: plant })), rules, `${seed} ${key_id} ${at}`)
    }
  }
})

test('a theft that goes on for a week calls once, and becomes usual for nobody', () => {
  const week = Object.fromEntries(Array.from({ length: 7 }, (_, n) => [250 + n, incidents[0]?.plant ?? assert.fail()]))
  const called = replay('crm', 1, { ...week, 290: week[250] ?? assert.fail() })
  const of = (rule: Rule) => called.filter((one) => one.rule === rule).map(({ at }) => at)
  assert.deepEqual(
    [of('many_patients'), of('patients_in_order')],
    [
      [250, 290],
      [250, 290],
    ],
  )
})
