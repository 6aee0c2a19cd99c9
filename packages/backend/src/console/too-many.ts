// The refusal of an attempt that came after too many others.
import { Problem } from '@clinic-data/contract'

/** The same for an account and for an address. */
export function tooMany(seconds: number): Problem {
  return new Problem('rate-limited', `Too many attempts. Try again in ${seconds} seconds.`, { retry_after: seconds })
}
