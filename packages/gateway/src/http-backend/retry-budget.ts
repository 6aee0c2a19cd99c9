// How many calls may be repeated: one in ten, so that retries never double the load of a backend that is in trouble.

const SHARE = 0.1
/** What a quiet time saves up. */
const MOST_SAVED = 10

export class RetryBudget {
  #saved = MOST_SAVED

  /** For each call that is made the first time. */
  earn(): void {
    this.#saved = Math.min(MOST_SAVED, this.#saved + SHARE)
  }

  /** Whether one call may be repeated now. */
  spend(): boolean {
    if (this.#saved < 1) return false
    this.#saved -= 1
    return true
  }
}
