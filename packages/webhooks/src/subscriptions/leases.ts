// The leases of a lane: how many deliveries each claim holds, and until when. They tell how many attempts may be under way. Each
// delivery names its lease too; the lane only counts them, so that a claim changes no index.

/** A claimed delivery is reserved for this long: three times the longest attempt. */
export const LEASE_MS = 45_000

/** The clocks of one installation's machines differ by less than this. */
export const CLOCKS_APART_MS = 60_000

export interface Lease {
  readonly held: number
  /** An instant in RFC 3339. */
  readonly until: string
}

/** By the leases' ids. */
export type Leases = Readonly<Record<string, Lease>>

/** A delivery that is no longer held. */
export interface Returned {
  readonly subscription_id: string
  readonly lease_id: string
}

/** @returns the deliveries that are held now. */
export function heldNow(leases: Leases, now: Date): number {
  return Object.values(leases).reduce((sum, lease) => sum + (isValid(lease, now) ? lease.held : 0), 0)
}

/** Adds a claim, and forgets the leases that have ended. */
export function withLease(leases: Leases, lease_id: string, held: number, now: Date): Leases {
  const valid = Object.entries(leases).filter(([, lease]) => isValid(lease, now))
  return { ...Object.fromEntries(valid), [lease_id]: { held, until: leaseEnd(now).toISOString() } }
}

/** Takes these deliveries from their leases. One that is not known has ended. */
export function withoutReturned(leases: Leases, lease_ids: readonly string[]): Leases {
  const left = new Map(Object.entries(leases))
  for (const lease_id of lease_ids) {
    const lease = left.get(lease_id)
    if (lease === undefined) continue
    if (lease.held > 1) left.set(lease_id, { ...lease, held: lease.held - 1 })
    else left.delete(lease_id)
  }
  return Object.fromEntries(left)
}

export function leaseEnd(now: Date): Date {
  return new Date(now.getTime() + LEASE_MS)
}

/** A lease that lasts longer than any was taken while a clock was ahead. */
function isValid({ until }: Lease, now: Date): boolean {
  const restMs = Date.parse(until) - now.getTime()
  return restMs > 0 && restMs <= LEASE_MS + CLOCKS_APART_MS
}
