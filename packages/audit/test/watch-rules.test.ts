// The rules of the watch at their bounds: each calls just beyond them and not at them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideDays, type KeyDays, QUIET_DAYS, type Standing } from '../src/watch/decide.ts'
import { type Facts, RULES, type Rule } from '../src/watch/facts.ts'
import { compareIds, type IdOrder, NO_ORDER, orderAfter } from '../src/watch/id-order.ts'
import {
  ENDED_GRACE_MS,
  FEWEST_IN_ORDER,
  FEWEST_PATIENTS,
  FEWEST_REFUSALS,
  LEARNING_DAYS,
  LEARNING_DAYS_OF_USE,
  ROAMING_NETWORKS,
  rules,
  SILENT_DAYS,
  type Watched,
} from '../src/watch/rules.ts'
import { dayAfter, learnt, NO_USE, newUsual, openDay, type Usual } from '../src/watch/usual.ts'

const DAY = '2026-06-15'
const before = (days: number) => dayAfter(DAY, -days)
const HOME = { network: '192.0.2.0/24', first_day: before(90), last_day: before(1) }

/** Of a key that works every day for three months. */
const usual = (changes: Partial<Usual> = {}): Usual => ({
  ...newUsual(before(90)),
  last_day: before(1),
  days: 80,
  patients: { most: 310, day: before(20) },
  refusals: { most: 30, day: before(9) },
  in_order: 5,
  networks: [HOME],
  networks_since: before(90),
  ...changes,
})

const watched = (changes: Partial<Watched> = {}): Watched => ({
  day: DAY,
  usual: usual(),
  use: { ...NO_USE, requests: 1_000 },
  rows: openDay(newUsual(DAY), DAY),
  ended: null,
  ...changes,
})

const use = (changes: object) => ({ use: { ...NO_USE, requests: 1_000, ...changes } })
const rows = (changes: object) => ({ rows: { ...openDay(newUsual(DAY), DAY), ...changes } })
const calls = (rule: Rule, changes: Partial<Watched>) => rules[rule].decide(watched(changes)) !== null

test('a usual day calls nothing', () => {
  for (const rule of RULES) assert.ok(!calls(rule, {}), rule)
})

test('three times the patients of the busiest day ever are usual, one more calls', () => {
  assert.ok(!calls('many_patients', use({ patients: 930 })))
  assert.deepEqual(rules.many_patients.decide(watched(use({ patients: 931 }))), {
    patients: 931,
    busiest: 310,
    busiest_day: before(20),
  })
  const quiet = usual({ patients: { most: 2, day: before(3) } })
  assert.ok(!calls('many_patients', { usual: quiet, ...use({ patients: FEWEST_PATIENTS - 1 }) }))
  assert.ok(calls('many_patients', { usual: quiet, ...use({ patients: FEWEST_PATIENTS }) }))
})

test('refusals call from four times the most, where they are a fifth of the requests', () => {
  assert.ok(!calls('many_refusals', use({ refusals: 120, requests: 200 })))
  assert.ok(calls('many_refusals', use({ refusals: 121, requests: 200 })))
  assert.ok(calls('many_refusals', use({ refusals: 200, requests: 1_000 })))
  assert.ok(!calls('many_refusals', use({ refusals: 200, requests: 1_001 })))
  const none = usual({ refusals: { most: 0, day: null } })
  assert.ok(!calls('many_refusals', { usual: none, ...use({ refusals: FEWEST_REFUSALS - 1, requests: 100 }) }))
  assert.ok(calls('many_refusals', { usual: none, ...use({ refusals: FEWEST_REFUSALS, requests: 100 }) }))
})

test('a month of silence calls at the first use, and longer than half as much again as the longest silence before', () => {
  const silent = (days: number, longest_gap = 3) => ({ usual: usual({ last_day: before(days), longest_gap }) })
  assert.ok(!calls('silence', silent(SILENT_DAYS - 1)))
  assert.ok(calls('silence', silent(SILENT_DAYS)))
  assert.ok(!calls('silence', { ...silent(SILENT_DAYS), use: NO_USE }))
  assert.ok(!calls('silence', silent(120, 80)))
  assert.ok(calls('silence', silent(121, 80)))
})

test('a network that the key never came from calls, unless it comes from everywhere', () => {
  const there = rows({ networks: ['198.51.100.0/24', '192.0.2.0/24'] })
  assert.deepEqual(rules.new_network.decide(watched(there)), { network: '198.51.100.0/24', known: 1 })
  assert.ok(!calls('new_network', rows({ networks: ['192.0.2.0/24'] })))
  const many = (count: number, first_day: string) =>
    usual({ networks: Array.from({ length: count }, (_, n) => ({ ...HOME, network: `203.0.${n}.0/24`, first_day })) })
  assert.ok(calls('new_network', { ...there, usual: many(ROAMING_NETWORKS - 1, before(90)) }))
  assert.ok(!calls('new_network', { ...there, usual: many(ROAMING_NETWORKS, before(90)) }))
  assert.ok(calls('new_network', { ...there, usual: many(1, before(20)) }))
  assert.ok(!calls('new_network', { ...there, usual: many(2, before(20)) }))
})

test('a key is new for two weeks and seven days of use, and calls nothing that needs what is usual', () => {
  const unusual = {
    ...use({ patients: 5_000, refusals: 900, requests: 1_000 }),
    ...rows({ networks: ['198.51.100.0/24'], order: { ...NO_ORDER, most: 900 } }),
  }
  const known = { first_day: before(LEARNING_DAYS), networks_since: before(LEARNING_DAYS), days: LEARNING_DAYS_OF_USE }
  for (const rule of ['many_patients', 'many_refusals', 'new_network', 'patients_in_order'] as const) {
    assert.ok(calls(rule, { ...unusual, usual: usual(known) }), rule)
    assert.ok(!calls(rule, { ...unusual, usual: usual({ ...known, days: LEARNING_DAYS_OF_USE - 1 }) }), rule)
    assert.ok(!calls(rule, { ...unusual, usual: usual({ ...known, first_day: before(LEARNING_DAYS - 1) }) }), rule)
  }
  assert.ok(!calls('new_network', { ...unusual, usual: usual({ networks_since: before(LEARNING_DAYS - 1) }) }))
})

const ended = (ms: number, end: 'revoked_at' | 'stopped_at') => ({
  ended: {
    revoked_at: null,
    stopped_at: null,
    [end]: '2026-06-15T08:00:00.000Z',
    tried_at: new Date(Date.parse('2026-06-15T08:00:00Z') + ms).toISOString(),
  },
})

test('a key that ended calls when it is tried an hour later', () => {
  for (const [rule, end] of [
    ['ended_key', 'revoked_at'],
    ['stopped_partner', 'stopped_at'],
  ] as const) {
    assert.ok(!calls(rule, ended(ENDED_GRACE_MS - 1, end)))
    assert.ok(calls(rule, ended(ENDED_GRACE_MS, end)))
  }
  assert.ok(!calls('stopped_partner', ended(ENDED_GRACE_MS, 'revoked_at')))
  assert.ok(!calls('ended_key', ended(ENDED_GRACE_MS, 'stopped_at')))
})

const walk = (ids: readonly string[]): IdOrder => ids.reduce(orderAfter, NO_ORDER)
const upwards = (count: number) => Array.from({ length: count + 1 }, (_, n) => `p${n + 1}`)

test('forty steps in the order of the ids call, up or down, with other reads in between', () => {
  const order = (ids: readonly string[]) => rows({ order: walk(ids) })
  assert.ok(!calls('patients_in_order', order(upwards(FEWEST_IN_ORDER - 1))))
  assert.ok(calls('patients_in_order', order(upwards(FEWEST_IN_ORDER))))
  assert.ok(calls('patients_in_order', order(upwards(FEWEST_IN_ORDER).toReversed())))
  assert.ok(calls('patients_in_order', order(upwards(200).flatMap((id, n) => (n % 12 === 0 ? ['p5000', id] : [id])))))
  assert.ok(!calls('patients_in_order', { ...order(upwards(80)), usual: usual({ in_order: 40 }) }))
  assert.ok(compareIds('p9', 'p10') < 0 && compareIds('a10', 'b9') < 0 && compareIds('p010', 'p10') === 0)
})

test('patients in no order come nowhere near', () => {
  let seed = 7
  const next = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed
  }
  assert.ok(walk(Array.from({ length: 100_000 }, () => `p${next() % 5_000}`)).most < FEWEST_IN_ORDER)
})

const keyDays = (changes: Partial<KeyDays> = {}): KeyDays => ({
  key_id: 'key_1',
  usual: usual(),
  days: [DAY],
  uses: new Map([[DAY, { ...NO_USE, requests: 2_000, patients: 1_000 }]]),
  ended: null,
  standing: [],
  callsSince: before(7),
  learnsBefore: DAY,
  ...changes,
})

const stands = (day: string, patients: number, is_seen = false): Standing => ({
  rule: 'many_patients',
  day,
  facts: { patients, busiest: 310, busiest_day: null } satisfies Facts['many_patients'],
  is_seen,
})

test('a rule calls again within a month only for what is twice as bad', () => {
  const called = (...standing: Standing[]) => decideDays(keyDays({ standing })).notices.length
  assert.equal(called(), 1)
  assert.equal(called(stands(before(QUIET_DAYS - 1), 501)), 0)
  assert.equal(called(stands(before(QUIET_DAYS - 1), 500)), 1)
  assert.equal(called(stands(before(QUIET_DAYS), 1_000)), 1)
})

test('the numbers of a day grow until somebody has seen them; what was seen is usual from then on', () => {
  const called = (standing: Standing) => decideDays(keyDays({ standing: [standing] })).notices.length
  assert.equal(called(stands(DAY, 999)), 1)
  assert.equal(called(stands(DAY, 332, true)), 1)
  assert.equal(called(stands(DAY, 334, true)), 0)
  assert.equal(called(stands(before(200), 334, true)), 0)
})

test('what a rule calls is not learnt, and what was before the watch began is', () => {
  const all = { learnsBefore: dayAfter(DAY) }
  assert.equal(decideDays(keyDays(all)).usual.patients.most, 310)
  const first = decideDays(keyDays({ ...all, callsSince: dayAfter(DAY) }))
  assert.deepEqual([first.notices, first.usual.patients.most], [[], 1_000])
  assert.equal(decideDays(keyDays()).usual.days, 80, 'a day that has not ended is not learnt')
})

test('a key keeps a bounded number of networks, those of the latest days', () => {
  let one = newUsual(before(90))
  for (let day = 90; day > 0; day -= 1) {
    const open = { ...openDay(one, before(day)), networks: [`10.0.${day}.0/24`] }
    one = learnt({ ...one, open: [open] }, before(day), NO_USE, new Set())
  }
  assert.equal(one.networks.length, 64)
  assert.equal(one.networks[0]?.network, '10.0.1.0/24')
})

test('each reason is one sentence with its numbers', () => {
  assert.equal(
    rules.many_patients.reason('the CRM', { patients: 4_112, busiest: 310, busiest_day: null }),
    'the CRM read 4,112 people in a day; its busiest day was 310',
  )
  assert.match(rules.silence.reason('the CRM', { days: 40, last_day: '2026-01-01' }), /after 40 days of silence/)
})
