// The timers of one part of the program, as an interface that a test can drive itself.
export interface Clock {
  now(): Date
  /** Runs `action` once, later. The returned function prevents it. */
  after(delayMs: number, action: () => void): () => void
}

export const realClock: Clock = {
  now: () => new Date(),
  after: (delayMs, action) => {
    const timer = setTimeout(action, delayMs)
    return () => clearTimeout(timer)
  },
}
