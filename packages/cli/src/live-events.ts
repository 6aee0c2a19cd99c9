// The clinic's events as they happen: the feed asked again and again from where it stood, so that a broken connection loses nothing.
import { ConnectionError, ProblemError, UnexpectedAnswerError } from '@clinic-data/client'
import { PAGE } from '@clinic-data/contract/limits'

/** The envelope, as the feed has it. */
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
  /** Asks the feed; a query without a cursor begins now. */
  ask(query: Readonly<Record<string, string | number>>): Promise<FeedPage>
  /** Only these types, separated by commas. */
  readonly eventTypes: string | undefined
  /** Told once the feed stands: what happens from now on is seen. */
  opened(): Promise<void>
  /** Told when it cannot be reached, and after how long it is asked again. */
  lost(error: Error, ms: number): Promise<void>
  /** Told when it can be reached again. */
  found(): Promise<void>
  pause(ms: number): Promise<void>
}

/** As long as the feed lets one wait for the next event. */
const WAIT_SECONDS = 5
/** A busy clinic has an event in every answer: asked less often, it spends a third of the key's rate at most. */
const LEAST_INTERVAL_MS = 600
const FIRST_BACKOFF_MS = 1_000
const MAX_BACKOFF_MS = 30_000

/** Never ends by itself. @throws what asking again does not mend */
export async function* liveEvents({ eventTypes, ...feed }: Feed): AsyncGenerator<LiveEvent> {
  const types = eventTypes === undefined ? {} : { event_types: eventTypes }
  let cursor: string | null = null
  let failures = 0
  for (;;) {
    const startedAt = performance.now()
    try {
      // The first answer does not wait: it fixes where the feed is read from.
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
