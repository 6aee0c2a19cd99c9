// Time, as far as a part of the program waits for it: so that a test can run it itself.
export interface Clock {
  now(): Date
  /** Runs `action` once, later; what is returned prevents it. */
  after(delayMs: number, action: () => void): () => void
}

export const realClock: Clock = {
  now: () => new Date(),
  after: (delayMs, action) => {
    const timer = setTimeout(action, delayMs)
    return () => clearTimeout(timer)
  },
}
