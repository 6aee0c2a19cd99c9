// Decides which prepared statements of a shared connection may be used by name.
//
// The driver counts a statement as prepared once its text was sent. If that first use fails before the server has
// prepared it (in a transaction that was broken from the start, say), every queued use of the bare name would fail too. One
// clinic's bad read would break another's. So a name is shared only after one use of it has succeeded. Until then every use sends
// the text along.

/** Each one takes memory of the server for the life of the connection. */
const MOST = 2_000

export class PreparedNames {
  readonly #proven = new Set<string>()
  readonly #trying = new Set<string>()

  /** Returns the name to send, or undefined for a use that prepares nothing. */
  take(name: string | undefined): string | undefined {
    if (name === undefined || this.#proven.has(name)) return name
    if (this.#trying.has(name) || this.#proven.size >= MOST) return undefined
    this.#trying.add(name)
    return name
  }

  settle(name: string | undefined, succeeded: boolean): void {
    if (name !== undefined && this.#trying.delete(name) && succeeded) this.#proven.add(name)
  }
}
