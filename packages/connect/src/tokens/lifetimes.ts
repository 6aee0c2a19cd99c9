// How long codes and tokens are good.

const MINUTE_MS = 60 * 1000
const DAY_MS = 24 * 60 * MINUTE_MS

/** From the answer of the person to the app's exchange: a redirect and a request. */
export const CODE_MS = MINUTE_MS

/** RFC 6749 and RFC 9700 ask for short lives, and clients refresh at most so often. */
export const ACCESS_MS = 60 * MINUTE_MS

/** An app that did not ask for a year has to be connected again. Each use begins a new year. */
export const REFRESH_MS = 365 * DAY_MS

/** An answer can be lost, and two programs of one person can refresh at once: so long a used refresh token gets another pair. */
export const GRACE_MS = MINUTE_MS

/** So long after its use a code or a refresh token still ends the connection when it comes back. */
export const USED_KEPT_MS = 30 * DAY_MS

/** A person walks to another device and types. */
export const DEVICE_MS = 10 * MINUTE_MS

/** A device asks at most so often (RFC 8628). */
export const DEVICE_INTERVAL_SECONDS = 5

/** An earlier one of the two. */
export function earlier(one: Date, other: Date | null): Date {
  return other !== null && other < one ? other : one
}

export function later(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms)
}
