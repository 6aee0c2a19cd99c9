// A request as the client is asked for it, and what came back.

/** How one call departs from the client's own settings. */
export interface RequestOptions {
  /** Ends the call, also between two attempts; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Each attempt's time to answer whole. */
  readonly timeoutMs?: number | undefined
  /** 0 turns repeats off. */
  readonly maxRetries?: number | undefined
  /**
   * Of a write that takes one, at most 255 visible ASCII characters: the same key with the same content within 24 hours is one
   * write. Made for each call when left out, so that the client's own repeats are safe; give one to be safe across restarts.
   */
  readonly idempotencyKey?: string | undefined
}

/** The parts of a request, by the names of the contract. */
export interface RequestInput extends RequestOptions {
  readonly params?: Readonly<Record<string, string>> | undefined
  /** Undefined values are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined
  readonly body?: unknown
}

/** A success as it came. */
export interface Answer<Body = unknown> {
  /** Parsed; undefined where there is none (204). */
  readonly body: Body
  readonly status: number
  readonly headers: Headers
  /** Names the request to support. */
  readonly request_id: string | null
}
