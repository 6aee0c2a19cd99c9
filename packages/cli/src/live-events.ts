// The clinic's events as they happen. Reads the feed again and again from the last cursor, so a broken connection loses nothing.
import { ConnectionError, ProblemError, UnexpectedAnswerError } from '@clinic-data/client'
import { PAGE } from '@clinic-data/contract/limits'

/** The event's envelope as the feed returns it. */
export interface LiveEvent {
  readonly id: string
  readonly type: string
  readonly created_at: string
  readonly data: object
}

/** One answer of the feed. */
export interface FeedPage {
  readonly data: readonly LiveEvent[]
  readonly next_cursor: string | null
  readonly resume_cursor: string
}

export interface Feed {
  /** Reads the feed. A query without a cursor starts now. */
  ask(query: Readonly<Record<string, string | number>>): Promise<FeedPage>
  /** Only these types, separated by commas. */
  readonly eventTypes: string | undefined
  /** Called once the feed's position is known: every later event is seen. */
  opened(): Promise<void>
  /** Called when the feed cannot be reached, with the milliseconds until the next attempt. */
  lost(error: Error, ms: number): Promise<void>
  /** Called when the feed can be reached again. */
  found(): Promise<void>
  pause(ms: number): Promise<void>
}

/** The longest wait for the next event that the feed allows. */
const WAIT_SECONDS = 5
/** A busy clinic has an event in every answer. This interval uses at most a third of the key's rate. */
const LEAST_INTERVAL_MS = 600
const FIRST_BACKOFF_MS = 1_000
const MAX_BACKOFF_MS = 30_000

/** Ends only with an error. @throws an error that a retry does not mend */
export async function* liveEvents({ eventTypes, ...feed }: Feed): AsyncGenerator<LiveEvent> {
  const types = eventTypes === undefined ? {} : { event_types: eventTypes }
  let cursor: string | null = null
  let failures = 0
  for (;;) {
    const startedAt = performance.now()
    try {
      // The first request does not wait: it fixes the position from which the feed is read.
      const place: Record<string, string | number> = cursor === null ? { wait: 0 } : { wait: WAIT_SECONDS, cursor }
      const page = await feed.ask({ ...types, ...place, limit: PAGE.max })
      if (cursor === null) await feed.opened()
      else if (failures > 0) await feed.found()
      failures = 0
      yield* page.data
      cursor = page.resume_cursor
      const early = LEAST_INTERVAL_MS - (performance.now() - startedAt)
      if (page.next_cursor === null && early > 0) await feed.pause(early)
    } catch (error) {
      if (!isTemporary(error)) throw error
      const ms = Math.max(retryAfterMs(error), Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** failures++))
      await feed.lost(error, ms)
      await feed.pause(ms)
    }
  }
}

function isTemporary(error: unknown): error is Error {
  if (error instanceof ConnectionError) return true
  if (error instanceof ProblemError || error instanceof UnexpectedAnswerError)
    return error.status === 429 || error.status >= 500
  return false
}

function retryAfterMs(error: Error): number {
  return error instanceof ProblemError ? (error.problem.retry_after ?? 0) * 1_000 : 0
}
