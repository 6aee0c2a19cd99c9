// A request as the caller gives it, and its answer.

/** Settings of one call that differ from the client's. */
export interface RequestOptions {
  /** Ends the call, even between two attempts. The call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Time for the whole answer of each attempt. */
  readonly timeoutMs?: number | undefined
  /** 0 turns repeats off. */
  readonly maxRetries?: number | undefined
  /**
   * For a write that takes one: at most 255 visible ASCII characters. The same key with the same content within 24 hours is one
   * write. When omitted, the client makes one for each call, so that its own repeats are safe. Give one to be safe across restarts.
   */
  readonly idempotencyKey?: string | undefined
}

/** What goes with a path. */
export interface SendInput extends RequestOptions {
  readonly body?: unknown
}

/** The parts of a request by the contract's names. */
export interface RequestInput extends SendInput {
  readonly params?: Readonly<Record<string, string>> | undefined
  /** Undefined values are omitted, and the values of a list are joined with commas. */
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>> | undefined
}

/** A successful answer. */
export interface Answer<Body = unknown> {
  /** Parsed. Undefined if there is none (204). */
  readonly body: Body
  readonly status: number
  readonly headers: Headers
  /** Identifies the request to support. */
  readonly request_id: string | null
}
