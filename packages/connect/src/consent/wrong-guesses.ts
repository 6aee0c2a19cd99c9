// Counts the wrong device codes of each administrator, so that nobody tries them all.
//
// In this process alone, and for the latest administrators: who guesses is signed in and may connect apps anyway, some thousand codes of
// 26 billion are good, and all that one finds is a device of somebody else's. Several backends multiply ten guesses by their number.
import { Problem } from '@clinic-data/contract'

const MOST_WRONG = 10
const COUNTED_MS = 10 * 60 * 1000
const ADMINISTRATORS = 1_000

export class WrongGuesses {
  readonly #counts = new Map<string, { since: number; wrong: number }>()

  /** @throws Problem 429 */
  refuseTooMany(who: string, now: Date): void {
    const counted = this.#counted(who, now)
    if (counted === undefined || counted.wrong < MOST_WRONG) return
    const seconds = Math.ceil((counted.since + COUNTED_MS - now.getTime()) / 1000)
    const detail = `Too many codes that no device shows. Try again in ${seconds} seconds.`
    throw new Problem('rate-limited', detail, { retry_after: seconds })
  }

  count(who: string, now: Date): void {
    const counted = this.#counted(who, now) ?? { since: now.getTime(), wrong: 0 }
    // The latest is at the end, and the first one goes when there are too many.
    this.#counts.delete(who)
    this.#counts.set(who, { ...counted, wrong: counted.wrong + 1 })
    const [oldest] = this.#counts.keys()
    if (this.#counts.size > ADMINISTRATORS && oldest !== undefined) this.#counts.delete(oldest)
  }

  /** After a clock has jumped back, a count lies ahead: it is forgotten. */
  #counted(who: string, now: Date) {
    const counted = this.#counts.get(who)
    const age = counted === undefined ? COUNTED_MS : now.getTime() - counted.since
    return age >= 0 && age < COUNTED_MS ? counted : undefined
  }
}
