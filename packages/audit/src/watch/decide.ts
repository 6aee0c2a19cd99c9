// Goes through the days of one key that are not learnt yet: what is unusual on each, and what is usual after those that have ended.
import type { Notice } from './alerts.ts'
import { type Facts, RULES, type Rule } from './facts.ts'
import { type EndedKey, rules, type Watched } from './rules.ts'
import { type DayUse, daysBetween, learnt, NO_USE, openDay, type Usual } from './usual.ts'

/** As a rule that called lately calls again for the same key only for what is worse. */
export const QUIET_DAYS = 30
const WORSE_TIMES = 2

/** An alert that stands already. */
export interface Standing<R extends Rule = Rule> {
  rule: R
  day: string
  facts: Facts[R]
  /** Somebody has seen it and let the key go on: what it tells counts as usual. */
  is_seen: boolean
}

export interface KeyDays {
  key_id: string
  usual: Usual
  /** Those that are not learnt yet, in order. */
  days: readonly string[]
  uses: ReadonlyMap<string, DayUse>
  ended: (EndedKey & { day: string }) | null
  standing: readonly Standing[]
  /** Nothing of before is called. */
  callsSince: string
  /** Days before have ended, and are learnt. */
  learnsBefore: string
}

export function decideDays(key: KeyDays): { notices: Notice[]; usual: Usual } {
  const { key_id, days, uses, ended, callsSince, learnsBefore } = key
  const standing = [...key.standing]
  const notices: Notice[] = []
  let kept = key.usual
  let usual = key.usual
  for (const day of days) {
    const use = uses.get(day) ?? NO_USE
    const watched: Watched = {
      day,
      usual: withSeen(usual, standing),
      use,
      rows: openDay(usual, day),
      ended: ended?.day === day ? ended : null,
    }
    const unusual = RULES.flatMap((rule) => noticeOf(rule, watched, key_id))
    for (const notice of unusual) {
      if (day < callsSince || !isNews(notice, standing)) continue
      notices.push(notice)
      standing.push({ ...notice, is_seen: false })
    }
    usual = learnt(usual, day, use, day < callsSince ? NOTHING : new Set(unusual.map(({ rule }) => rule)))
    if (day < learnsBefore) kept = usual
  }
  return { notices, usual: kept }
}

/** The time before the watch began is what it learns from. */
const NOTHING: ReadonlySet<Rule> = new Set()

function noticeOf<R extends Rule>(rule: R, watched: Watched, key_id: string): Notice[] {
  const facts = rules[rule].decide(watched)
  return facts === null ? [] : [{ rule, key_id, day: watched.day, facts } as Notice]
}

/** The first of its rule for a while, or worse, or the same day's with later numbers while nobody has seen it. */
function isNews({ rule, day, facts }: Notice, standing: readonly Standing[]): boolean {
  const { weight } = rules[rule] as { weight: ((facts: Facts[Rule]) => number) | null }
  const before = standing.filter((one) => one.rule === rule)
  const isWorse = (one: Standing) => weight !== null && weight(facts) >= weight(one.facts) * WORSE_TIMES
  const same = before.find((one) => one.day === day)
  if (same !== undefined) return !same.is_seen || isWorse(same)
  return weight === null || before.every((one) => daysBetween(one.day, day) >= QUIET_DAYS || isWorse(one))
}

function withSeen(usual: Usual, standing: readonly Standing[]): Usual {
  let { patients, refusals, in_order } = usual
  for (const one of standing) {
    if (!one.is_seen) continue
    if (isOf(one, 'many_patients') && one.facts.patients > patients.most)
      patients = { most: one.facts.patients, day: one.day }
    if (isOf(one, 'many_refusals') && one.facts.refusals > refusals.most)
      refusals = { most: one.facts.refusals, day: one.day }
    if (isOf(one, 'patients_in_order')) in_order = Math.max(in_order, one.facts.patients)
  }
  return { ...usual, patients, refusals, in_order }
}

function isOf<R extends Rule>(one: Standing, rule: R): one is Standing<R> {
  return one.rule === rule
}
