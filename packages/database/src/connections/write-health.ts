// Remembers whether the server took the last writes, for those who ask whether it takes any. A disk that is full lets a server answer
// every question and refuse every row.
import { cannotWrite, DatabaseUnavailable } from './database-failure.ts'

/** For so long after a failure nothing counts as writable. Then writes come again, and show whether it is. */
const FAILING_MS = 5_000

export class WriteHealth {
  readonly #monotonic: () => number
  #failure: { at: number; cause: DatabaseUnavailable } | null = null

  /** @param monotonic - Milliseconds from any beginning. */
  constructor(monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic
  }

  /**
   * Runs a write and remembers how it ended. A broken connection is nothing to remember: whoever asks finds out by connecting. A slow
   * statement, or a row that a constraint refuses, says nothing about the next write.
   */
  async watch<T>(write: () => Promise<T>): Promise<T> {
    try {
      const result = await write()
      this.#failure = null
      return result
    } catch (error) {
      if (cannotWrite(error)) this.#failure = { at: this.#monotonic(), cause: error }
      throw error
    }
  }

  /** @throws DatabaseUnavailable when the server could not write a moment ago, and has written nothing since. */
  requireWritten(): void {
    if (this.#failure === null || this.#monotonic() - this.#failure.at >= FAILING_MS) return
    throw new DatabaseUnavailable('nothing could be written a moment ago', { cause: this.#failure.cause })
  }
}
