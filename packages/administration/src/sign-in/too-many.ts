// The refusal of an attempt that came after too many others.
import { Problem } from '@clinic-data/contract'

/** At most so long an address waits: as long as its failures are counted. */
export const EXHAUSTED_SECONDS = 60

/** The same for an account and for an address. */
export function tooMany(seconds: number): Problem {
  return new Problem('rate-limited', `Too many attempts. Try again in ${seconds} seconds.`, { retry_after: seconds })
}
