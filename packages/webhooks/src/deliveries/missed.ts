// Why an event made no delivery for a subscription, by how that was set at the time of the event (docs/decisions/0112).
import type { EventType } from '@clinic-data/contract'
import { type FormerSubscription, MOST_FORMER } from '../subscriptions/former-subscription.ts'

/** As the console's contract says them. */
export type MissedReason = 'not_there' | 'not_subscribed' | 'paused' | 'stopped' | 'disabled' | 'unknown'

export interface Missed {
  reason: MissedReason
  /** Epoch milliseconds: since when it got nothing for this reason, where that is known. */
  since: number | null
  /** Epoch milliseconds: when that ended. Null while it lasts. */
  until: number | null
}

/** A subscription, and what it was before, the earliest first. */
export interface Settings extends Omit<FormerSubscription, 'until' | 'subscription_id'> {
  created_at: string
  kept_since: string
  former: readonly FormerSubscription[]
}

/** An event and a change of one moment do not see each other before their commits, and no transaction of either takes longer. */
const ONE_MOMENT_MS = 10_000

/** @param event that has no delivery for the subscription. */
export function whyMissed(event: { type: EventType; created_at: string }, settings: Settings): Missed {
  const at = Date.parse(event.created_at)
  const created = Date.parse(settings.created_at)
  if (at < created) return { reason: 'not_there', since: null, until: created }
  const periods = periodsOf(settings)
  const within = periods.findIndex(({ since, until }) => at >= since && at < until)
  const found = within >= 0 ? [within, within + 1, within - 1] : []
  for (const place of found) {
    const period = periods[place]
    if (period === undefined || at < period.since - ONE_MOMENT_MS || at >= period.until + ONE_MOMENT_MS) continue
    const reason = reasonOf(period, event.type, at)
    if (reason !== null) return { reason, ...spanOf(periods, place, event.type, reason) }
  }
  const isOfItsBeginning = at < created + ONE_MOMENT_MS
  return isOfItsBeginning ? { reason: 'not_there', since: null, until: created } : UNKNOWN
}

const UNKNOWN: Missed = { reason: 'unknown', since: null, until: null }

interface Period extends Pick<Settings, 'event_types' | 'enabled' | 'is_paused' | 'disabled_at' | 'stopped_at'> {
  since: number
  until: number
}

/** One after the other, the present one last. */
function periodsOf(settings: Settings): Period[] {
  const { former, kept_since, created_at } = settings
  const [oldest] = former
  // Nobody knows what was before the oldest, when as many are there as are kept.
  const isCut = former.length >= MOST_FORMER && oldest !== undefined
  const first = isCut ? Date.parse(oldest.until) : Math.max(Date.parse(kept_since), Date.parse(created_at))
  const known = isCut ? former.slice(1) : former
  const ends = [...known.map(({ until }) => Date.parse(until)), Number.POSITIVE_INFINITY]
  return [...known, settings].map((one, place) => ({
    ...one,
    since: ends[place - 1] ?? first,
    until: ends[place] ?? Number.POSITIVE_INFINITY,
  }))
}

/** Null: a subscription that is set so gets the event. */
function reasonOf({ enabled, event_types, ...period }: Period, type: EventType, at: number): MissedReason | null {
  if (!enabled) {
    // A version before this one keeps no changes. It may have been on until it was paused.
    const isSo = period.disabled_at !== null && Date.parse(period.disabled_at) <= at + ONE_MOMENT_MS
    if (!isSo) return null
    // One that ends while it is stopped keeps the time of the stop.
    if (!period.is_paused) return 'disabled'
    return period.stopped_at === null ? 'paused' : 'stopped'
  }
  return wants(event_types, type) ? null : 'not_subscribed'
}

/** An empty list is of every kind. */
function wants(event_types: readonly EventType[], type: EventType): boolean {
  return event_types.length === 0 || event_types.includes(type)
}

/** From when until when it was so, across changes of something else. */
function spanOf(periods: readonly Period[], place: number, type: EventType, reason: MissedReason) {
  let end = place
  while (isSame(periods[end + 1], type, reason)) end += 1
  const { disabled_at } = periods[place] ?? {}
  const until = periods[end]?.until ?? Number.POSITIVE_INFINITY
  return {
    since: reason === 'not_subscribed' || !disabled_at ? null : Date.parse(disabled_at),
    until: Number.isFinite(until) ? until : null,
  }
}

function isSame(period: Period | undefined, type: EventType, reason: MissedReason): boolean {
  if (period === undefined) return false
  // While it is off it wants the event no more than before.
  return reason === 'not_subscribed'
    ? !wants(period.event_types, type)
    : reasonOf(period, type, period.since) === reason
}
