// The event feed: the clinic's events in the order of its counter, starting at a place.
//
// The counter's row stays locked until the commit of the events that it counts. So what is not there at or before the last position
// never will be, and a reader who continues from there misses nothing. Under the same lock an event gets its time, which is never
// earlier than that of the previous one. Versions before gave it an earlier time now and then: so the position alone decides what follows a
// place, and times only spare the search of days that are long past.
import type { Clinic, EventType, Position, Problem } from '@clinic-data/contract'
import { faultProblem } from '@clinic-data/contract/fault-problem'
import type { EventEnvelope } from '@clinic-data/contract/resources/webhook'
import type { Static } from '@clinic-data/contract/schema'
import { type Database, instant, type Statement, sql } from '@clinic-data/database'
import { foreignCursor } from '@clinic-data/records/lists/page'
import type { HandlerParts, HandlersOf } from '../handling/handled.ts'
import { requireNamedTypes, wantedTypes } from './webhooks.ts'

/** How far the feed has been read. */
interface Place {
  /** The counter's position; 0 before the first event. */
  readonly position: number
  /** ISO 8601, of the event at that position. No later position has a time that is earlier by more than a day, so older days need not be read. */
  readonly at: string
}

/** Earlier than every event, for a clinic that has none yet. */
const BEFORE_ALL = new Date(0).toISOString()

/** Generous, because a wrong one would lose events, and one day more to search costs one look into an index. */
const EARLIER_MS = 24 * 60 * 60 * 1000
/** By how much times fell in versions before: they were given up to 30 seconds before the position, by clocks that differ a little. */
const FELL_BY_MS = 60_000

/** The positions that one statement, and so one answer, searches for the wanted types: some 100 ms of work. */
const WINDOW = 1_000
const MOST_WINDOWS = 100
/** A page ends with the event that reaches this: a hundred long transcripts are more than a separate gateway accepts. */
const MOST_BYTES = 4 * 1024 * 1024

export function eventHandlers({ database }: HandlerParts): HandlersOf<'events.list'> {
  return {
    'events.list': async (grant, { query: { event_types, since, after, limit } }) => {
      const named = event_types?.split(',') as EventType[] | undefined
      requireNamedTypes(grant, named)
      const types = wantedTypes(grant, named)
      const feed = new Feed(database, grant.clinic)
      const resumed = after === null ? null : placeOf(after)
      // Reads the end before the beginning: an event between the two statements is behind the end and belongs to the next answer.
      const { last, last_at } = await feed.last(resumed)
      const begun = resumed !== null || since === undefined ? resumed : await feed.placeBefore(since)
      const at = last_at ?? BEFORE_ALL
      const start = begun ?? { position: last, at }

      const rows: EventRow[] = []
      let [position, left] = [start.position, MOST_BYTES]
      for (let i = 0; i < MOST_WINDOWS && position < last && rows.length <= limit && left > 0; i++) {
        const end = Math.min(position + WINDOW, last)
        rows.push(...(await feed.between({ ...start, position }, end, types, { most: limit + 1 - rows.length, left })))
        left = MOST_BYTES - rows.reduce((sum, { bytes }) => sum + bytes, 0)
        position = end
      }
      const { data, lastRow } = pageOf(rows, limit)
      if (lastRow !== undefined) {
        const resume = [String(lastRow.position), data.at(-1)?.created_at ?? start.at]
        return { data, next: resume, resume }
      }
      const resume = [String(position), position < last ? await feed.timeOf({ position, at: start.at }) : at]
      return { data, next: position < last ? resume : null, resume }
    },
  }
}

interface EventRow {
  position: number
  bytes: number
  /** The envelope's bytes. Null behind those that fill a page. */
  body: string | null
}

/** The events that fit in a page, and the row of the last one if it has no room for the rows behind it. */
function pageOf(rows: readonly EventRow[], limit: number) {
  const fitting = rows.slice(0, limit).flatMap(({ body }) => body ?? [])
  return {
    data: fitting.map((body) => JSON.parse(body) as Static<typeof EventEnvelope>),
    lastRow: rows.length > fitting.length ? rows[fitting.length - 1] : undefined,
  }
}

interface CounterRow {
  last_position: number
  /** The time of the clinic's last change, so at least that of the last event. Null in a counter of an early version. */
  last_at: string | null
}

interface Room {
  readonly most: number
  readonly left: number
}

class Feed {
  readonly #database: Database
  readonly #clinic: Clinic

  constructor(database: Database, clinic: Clinic) {
    this.#database = database
    this.#clinic = clinic
  }

  /**
   * The position and the time of the last event. Nothing is after it that is not after `place` too.
   *
   * @throws Problem when the events after `place` are no longer kept.
   */
  async last(place: Place | null): Promise<{ last: number; last_at: string | null }> {
    const [row] = await this.#read<CounterRow>(
      sql`select last_position, last_at from event_counter where clinic_id = ${this.#clinic.clinic_id}`,
    )
    const last = row?.last_position ?? 0
    const last_at = instant(row?.last_at ?? null)
    if (place !== null && !isEnd(place, last, last_at)) await this.#requireKept(place, last)
    return { last, last_at }
  }

  async #requireKept(place: Place, last: number): Promise<void> {
    if (place.position > last) throw expired()
    const next = sql`${this.#behind(place)} and position = ${place.position + 1}::bigint`
    const [row] = await this.#read<{ is_kept: boolean; is_counted_anew: boolean }>(
      sql`select exists (select from event where ${next}) as is_kept, ${this.#isCountedAnew(place)} as is_counted_anew`,
    )
    if ((place.position < last && row?.is_kept !== true) || row?.is_counted_anew === true) throw expired()
  }

  /** The time of the event at a place. As the place has it, if that is a place before the first event. */
  async timeOf(place: Place): Promise<string> {
    const [row] = await this.#read<{ created_at: string }>(
      sql`select created_at from event where ${this.#behind(place)} and position = ${place.position}::bigint`,
    )
    return instant(row?.created_at ?? null) ?? place.at
  }

  /**
   * The event at a reader's place is another one than the reader has seen: it has a later time. The database was restored from a backup and has
   * counted past the place since (docs/decisions/0128). A counter of an early version had no time yet.
   */
  #isCountedAnew(place: Place): Statement {
    if (place.at === BEFORE_ALL) return sql`false`
    return sql`exists (select from event where ${this.#behind(place)} and position = ${place.position}::bigint
      and created_at > ${latestAt(place)})`
  }

  /** The place before the first event with the time `since` or later, in the order of the feed. Null if there is no such event. */
  async placeBefore(since: string): Promise<Place | null> {
    const { clinic_id } = this.#clinic
    const [first] = await this.#read<{ created_at: string }>(sql`
      select created_at from event where clinic_id = ${clinic_id} and created_at >= ${since} and position is not null
      order by created_at limit 1`)
    if (first === undefined) return null
    const from = Date.parse(instant(first.created_at) ?? since)
    // Events with the same time or a later one may be before it. Not `min(position)`: for that an index would be read from the oldest event on.
    const [counted] = await this.#read<{ position: number | null }>(sql`
      select min(position + 0) as position from event where clinic_id = ${clinic_id}
        and created_at >= ${new Date(from)} and created_at <= ${new Date(from + FELL_BY_MS)}`)
    return { position: Number(counted?.position) - 1, at: new Date(from).toISOString() }
  }

  /** At most `most` events after `place`, up to a position. Those behind the one that takes the last of the `left` bytes come without theirs. */
  between(place: Place, end: number, types: readonly EventType[], { most, left }: Room): Promise<EventRow[]> {
    const ofTypes = types.length === 0 ? sql.empty : sql` and type = any(${types}::text[])`
    return this.#read<EventRow>(sql`
      select position, bytes, case when sum(bytes) over (order by position) - bytes < ${left}::bigint then body end as body
      from (select position, body, octet_length(body) as bytes from event where ${this.#behind(place)}
          and position > ${place.position}::bigint and position <= ${end}::bigint${ofTypes}
        order by position limit ${most}) found
      order by position`)
  }

  /** Also by time, because events are partitioned by time. Without it every day would be searched. */
  #behind({ at }: Place): Statement {
    return sql`clinic_id = ${this.#clinic.clinic_id} and created_at >= ${new Date(Date.parse(at) - EARLIER_MS)}`
  }

  #read<R extends object>(statement: Statement): Promise<R[]> {
    return this.#database.read<R>(this.#clinic, statement)
  }
}

/** The latest time that the event at a place may have, if it is the one that the reader has seen. */
function latestAt({ at }: Place): Date {
  return new Date(Date.parse(at) + FELL_BY_MS)
}

/**
 * Whether a place is the end, and the event there the one that the reader has seen: no event is later than the last change. Most looks at a feed
 * end here, and the events of each day cost more than the counter.
 */
function isEnd(place: Place, last: number, last_at: string | null): boolean {
  if (place.position !== last) return false
  return place.at === BEFORE_ALL || (last_at !== null && new Date(last_at) <= latestAt(place))
}

const POSITION = /^\d{1,15}$/

function placeOf([position = '', at = '', ...rest]: Position): Place {
  if (!POSITION.test(position) || Number.isNaN(Date.parse(at)) || rest.length > 0) throw foreignCursor()
  return { position: Number(position), at }
}

function expired(): Problem {
  const detail = 'is from before the events that are kept: begin again with since'
  return faultProblem('invalid-request', [{ parameter: 'cursor', code: 'expired', detail }])
}
