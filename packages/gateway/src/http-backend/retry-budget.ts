// The number of calls that may be repeated: one in ten, so that retries never double the load of a backend in trouble.

const SHARE = 0.1
/** The most repeats that a quiet time can save up. */
const MOST_SAVED = 10

export class RetryBudget {
  #saved = MOST_SAVED

  /** Call this for each first attempt. */
  earn(): void {
    this.#saved = Math.min(MOST_SAVED, this.#saved + SHARE)
  }

  /** Whether one call may be repeated now. Uses up one repeat. */
  spend(): boolean {
    if (this.#saved < 1) return false
    this.#saved -= 1
    return true
  }
}
