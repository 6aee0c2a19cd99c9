// Counts the wrong device codes of each administrator, so that nobody tries them all.
//
// In this process alone, and for the latest administrators: who guesses is signed in and may connect apps anyway, some thousand codes of
// 26 billion are good, and all that one finds is a device of somebody else's. Several backends multiply ten guesses by their number.
import { Problem } from '@clinic-data/contract'
import { RecentCounts } from '../recent-counts.ts'

const MOST_WRONG = 10
const COUNTED_MS = 10 * 60 * 1000
const ADMINISTRATORS = 1_000

export class WrongGuesses {
  readonly #counts = new RecentCounts({ windowMs: COUNTED_MS, names: ADMINISTRATORS })

  /** @throws Problem 429 */
  refuseTooMany(who: string, now: Date): void {
    const counted = this.#counts.of(who, now)
    if (counted === null || counted.number < MOST_WRONG) return
    const seconds = Math.ceil((counted.since + COUNTED_MS - now.getTime()) / 1000)
    const detail = `Too many codes that no device shows. Try again in ${seconds} seconds.`
    throw new Problem('rate-limited', detail, { retry_after: seconds })
  }

  count(who: string, now: Date): void {
    this.#counts.add(who, now)
  }
}
