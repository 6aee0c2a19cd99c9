// The usual use of a key: learnt from the sums of its days and from the rows of the log, day after day.
import { networkAround } from '@clinic-data/contract/network'
import type { Rule } from './facts.ts'
import { type IdOrder, NO_ORDER } from './id-order.ts'

/** A provider's block for one customer is often as large: another address of it is no news. */
const NETWORK_BITS = { v4: 24, v6: 48 }
/** A key keeps the latest. One that comes from more comes from everywhere, and no rule looks at them. */
const MOST_NETWORKS = 64

export interface KnownNetwork {
  network: string
  /** The clinic's days on which it was seen. */
  first_day: string
  last_day: string
}

/** The most of a day, and on which. */
interface Most {
  most: number
  day: string | null
}

/** The rows of a day say this, which is not in the sums. */
export interface OpenDay {
  day: string
  networks: string[]
  order: IdOrder
}

export interface Usual {
  /** Its first day of use, and the last one that is learnt. */
  first_day: string
  last_day: string | null
  /** Days of use. */
  days: number
  patients: Most
  refusals: Most
  /** Patients in the order of their ids. */
  in_order: number
  /** Days between two uses. */
  longest_gap: number
  networks: KnownNetwork[]
  /** The first day whose rows were looked at. */
  networks_since: string | null
  /** Days that are not learnt yet. */
  open: OpenDay[]
}

/** The use of a key on a day, from the sums. */
export interface DayUse {
  requests: number
  /** Without failures of the service. */
  refusals: number
  patients: number
}

export const NO_USE: DayUse = { requests: 0, refusals: 0, patients: 0 }

export function newUsual(first_day: string): Usual {
  return {
    first_day,
    last_day: null,
    days: 0,
    patients: { most: 0, day: null },
    refusals: { most: 0, day: null },
    in_order: 0,
    longest_gap: 0,
    networks: [],
    networks_since: null,
    open: [],
  }
}

const DAY_MS = 24 * 60 * 60 * 1000

/** @example daysBetween('2026-10-21', '2026-11-01') // 11 */
export function daysBetween(day: string, later: string): number {
  return Math.round((Date.parse(later) - Date.parse(day)) / DAY_MS)
}

export function dayAfter(day: string, days = 1): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
}

/** Null for what is no address. */
export function networkOf(address: string): string | null {
  return networkAround(address, NETWORK_BITS)
}

export function openDay(usual: Usual, day: string): OpenDay {
  return usual.open.find((one) => one.day === day) ?? { day, networks: [], order: NO_ORDER }
}

/**
 * After a day. What a rule called unusual on it is not learnt: a theft of three days would make the fourth one usual. A network is, because a rule
 * calls each once.
 */
export function learnt(usual: Usual, day: string, use: DayUse, called: ReadonlySet<Rule>): Usual {
  const { networks, order } = openDay(usual, day)
  const open = usual.open.filter((one) => one.day > day)
  if (use.requests === 0 && networks.length === 0) return { ...usual, open }
  const gap = usual.last_day === null ? 0 : daysBetween(usual.last_day, day)
  return {
    ...usual,
    last_day: day,
    days: usual.days + 1,
    patients: called.has('many_patients') ? usual.patients : mostOf(usual.patients, use.patients, day),
    refusals: called.has('many_refusals') ? usual.refusals : mostOf(usual.refusals, use.refusals, day),
    in_order: called.has('patients_in_order') ? usual.in_order : Math.max(usual.in_order, order.most),
    longest_gap: Math.max(usual.longest_gap, gap),
    networks: withNetworks(usual.networks, networks, day),
    open,
  }
}

/** Nobody could use it up to this day: the silence is none of its own. */
export function notSilent(usual: Usual, day: string): Usual {
  return usual.last_day === null || usual.last_day >= day ? usual : { ...usual, last_day: day }
}

function mostOf(before: Most, count: number, day: string): Most {
  return count > before.most ? { most: count, day } : before
}

function withNetworks(known: readonly KnownNetwork[], seen: readonly string[], day: string): KnownNetwork[] {
  const all = new Map(known.map((one) => [one.network, one]))
  for (const network of seen)
    all.set(network, { network, first_day: all.get(network)?.first_day ?? day, last_day: day })
  return [...all.values()].sort((a, b) => (a.last_day < b.last_day ? 1 : -1)).slice(0, MOST_NETWORKS)
}
