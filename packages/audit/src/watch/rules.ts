// The rules of the watch: when each calls, and its reason in words. Each decides from what is usual for a key and what it did on a day, and reads
// nothing itself (docs/decisions/0119).
import type { Facts, Rule } from './facts.ts'
import { type DayUse, daysBetween, type OpenDay, type Usual } from './usual.ts'

/** A key whose end does not keep its holder from trying. Moments as instants. */
export interface EndedKey {
  revoked_at: string | null
  stopped_at: string | null
  tried_at: string
}

/** A key on a day. */
export interface Watched {
  day: string
  usual: Usual
  use: DayUse
  rows: OpenDay
  /** Null: the key has not ended, or was not tried on this day. */
  ended: EndedKey | null
}

interface Definition<R extends Rule> {
  /** Null: nothing unusual. */
  decide: (watched: Watched) => Facts[R] | null
  /** How bad it is. Within some days the rule calls again for the same key only for what is twice as bad. Null: it calls each time. */
  weight: ((facts: Facts[R]) => number) | null
  /** One sentence, of a key by its name. */
  reason: (name: string, facts: Facts[R]) => string
}

/** A new key has nothing usual: two weeks show each day of the week twice, and fewer days of use show no pattern. */
export const LEARNING_DAYS = 14
export const LEARNING_DAYS_OF_USE = 7
/** Beyond holidays and the pause of a clinic in summer. */
export const SILENT_DAYS = 30
/** A report each quarter is silent for three months each time: once somebody was told, a little more is no news. */
export const SILENT_TIMES = 1.5
/** Below it a small clinic's busy day would call. */
export const FEWEST_PATIENTS = 50
/** The busiest day after a holiday is twice the usual one, not three times the busiest of all. */
export const PATIENTS_TIMES = 3
/** By chance once in 10^11 reads (`id-order.ts`). */
export const FEWEST_IN_ORDER = 40
export const IN_ORDER_TIMES = 2
/** Below it a partner's test of an hour would call. */
export const FEWEST_REFUSALS = 100
export const REFUSALS_TIMES = 4
/** A partner with a worse release has refusals among its answers; a thief who looks for ways has little else. */
export const REFUSED_SHARE = 0.2
/** A program may run on for a moment with a key that has ended. */
export const ENDED_GRACE_MS = 60 * 60 * 1000
/** Whoever comes from so many networks, or has gained so many of late, comes from everywhere: another one is no news. */
export const ROAMING_NETWORKS = 6
export const ROAMING_GAINED = 2
export const ROAMING_DAYS = 60

export const rules: { readonly [R in Rule]: Definition<R> } = {
  silence: {
    decide: ({ day, usual, use }) => {
      if (use.requests === 0 || usual.last_day === null) return null
      const days = daysBetween(usual.last_day, day)
      if (days < SILENT_DAYS || days <= usual.longest_gap * SILENT_TIMES) return null
      return { days, last_day: usual.last_day }
    },
    weight: ({ days }) => days,
    reason: (name, { days, last_day }) =>
      `${name} was used again after ${counted(days, 'day')} of silence; its last use was on ${last_day}`,
  },
  new_network: {
    decide: ({ day, usual, rows }) => {
      if (!isKnown(usual, day) || !isLongAgo(usual.networks_since, day) || isRoaming(usual, day)) return null
      const network = rows.networks.find((one) => !usual.networks.some((known) => known.network === one))
      return network === undefined ? null : { network, known: usual.networks.length }
    },
    weight: null,
    reason: (name, { network, known }) =>
      `${name} was used from the network ${network}, from which it never came; it is known from ${counted(known, 'network')}`,
  },
  many_patients: {
    decide: ({ day, usual, use: { patients } }) => {
      const { most: busiest, day: busiest_day } = usual.patients
      if (!isKnown(usual, day) || patients < FEWEST_PATIENTS || patients <= busiest * PATIENTS_TIMES) return null
      return { patients, busiest, busiest_day }
    },
    weight: ({ patients }) => patients,
    reason: (name, { patients, busiest }) =>
      `${name} read ${counted(patients, 'person', 'people')} in a day; its busiest day was ${written(busiest)}`,
  },
  patients_in_order: {
    decide: ({ day, usual, rows }) => {
      const patients = rows.order.most
      const longest_before = usual.in_order
      if (!isKnown(usual, day) || patients < FEWEST_IN_ORDER || patients <= longest_before * IN_ORDER_TIMES) return null
      return { patients, longest_before }
    },
    weight: ({ patients }) => patients,
    reason: (name, { patients, longest_before }) =>
      `${name} read ${counted(patients, 'person', 'people')} one after another in the order of their ids; it never read more than ${written(longest_before)} so before`,
  },
  many_refusals: {
    decide: ({ day, usual, use: { refusals, requests } }) => {
      const { most, day: most_day } = usual.refusals
      if (!isKnown(usual, day) || refusals < FEWEST_REFUSALS || refusals <= most * REFUSALS_TIMES) return null
      return refusals < requests * REFUSED_SHARE ? null : { refusals, requests, most, most_day }
    },
    weight: ({ refusals }) => refusals,
    reason: (name, { refusals, requests, most }) =>
      `${name} was refused ${counted(refusals, 'time')} in a day, of ${counted(requests, 'request')}; the most before was ${written(most)}`,
  },
  ended_key: {
    decide: ({ ended }) => (ended?.revoked_at ? triedLater(ended.revoked_at, ended.tried_at) : null),
    weight: () => 1,
    reason: (name, { ended_at, tried_at }) =>
      `${name} was revoked at ${ended_at} and is still tried: last at ${tried_at}`,
  },
  stopped_partner: {
    decide: ({ ended }) =>
      ended?.stopped_at && ended.revoked_at === null ? triedLater(ended.stopped_at, ended.tried_at) : null,
    weight: () => 1,
    reason: (name, { ended_at, tried_at }) =>
      `The partner of ${name} was stopped at ${ended_at} and still comes: last at ${tried_at}`,
  },
}

/** @example reasonOf('the CRM', alert) // 'the CRM read 4,112 people in a day; its busiest day was 310' */
export function reasonOf<R extends Rule>(name: string, { rule, facts }: { rule: R; facts: Facts[R] }): string {
  return rules[rule].reason(name, facts)
}

function triedLater(ended_at: string, tried_at: string): { ended_at: string; tried_at: string } | null {
  return Date.parse(tried_at) - Date.parse(ended_at) < ENDED_GRACE_MS ? null : { ended_at, tried_at }
}

function isKnown({ first_day, days }: Usual, day: string): boolean {
  return isLongAgo(first_day, day) && days >= LEARNING_DAYS_OF_USE
}

function isLongAgo(since: string | null, day: string): boolean {
  return since !== null && daysBetween(since, day) >= LEARNING_DAYS
}

function isRoaming({ networks, networks_since }: Usual, day: string): boolean {
  const current = networks.filter(({ last_day }) => daysBetween(last_day, day) <= ROAMING_DAYS)
  const gained = current.filter(
    ({ first_day }) => isLongAgo(networks_since, first_day) && daysBetween(first_day, day) <= ROAMING_DAYS,
  )
  return current.length >= ROAMING_NETWORKS || gained.length >= ROAMING_GAINED
}

/** @example written(4112) // '4,112' */
function written(count: number): string {
  return count.toLocaleString('en')
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${written(count)} ${count === 1 ? one : many}`
}
