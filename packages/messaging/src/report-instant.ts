// Converts the times in reports. They are in whole seconds, like the platforms' own.

/** WhatsApp did not exist before this instant. */
const FIRST_MS = Date.UTC(2009, 0)

/** A platform's clock may be ahead of ours by this much. A later time is impossible. */
const MOST_AHEAD_MS = 24 * 60 * 60 * 1000

/** Converts WhatsApp's seconds since 1970 (a text) to ISO 8601 in UTC. Uses `now` when the time is missing or impossible. */
export function reportedAt(timestamp: unknown, now: Date): string {
  const isSeconds = typeof timestamp === 'number' || (typeof timestamp === 'string' && /^\d{1,12}$/.test(timestamp))
  const ms = isSeconds ? Number(timestamp) * 1000 : Number.NaN
  return wholeSeconds(ms >= FIRST_MS && ms <= now.getTime() + MOST_AHEAD_MS ? ms : now.getTime())
}

/** `2026-07-12T06:30:00Z`. */
export function wholeSeconds(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}
