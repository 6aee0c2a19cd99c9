// Finds what the service has kept of a person's resources beside their rows: events of the feed, and answers of repeated requests. Each comes
// with the form that takes its place. What nobody is in any more is left out.
import { isDeepStrictEqual } from 'node:util'
import type { EventType } from '@clinic-data/contract'
import { events } from '@clinic-data/contract/event-types'
import { patientsOf } from '@clinic-data/contract/patients-of'
import { type Statement, sql } from '@clinic-data/database'
import { recordsOfSharedPhones } from '../patient-export/events.ts'
import type { LeftOut } from '../patient-export/left-out.ts'
import type { Person } from '../patient-export/person.ts'
import type { Reader } from '../patient-export/reader.ts'
import { type ErasedResource, withoutName, withoutPerson, withoutPlan } from './without-person.ts'

/** Places of the feed that one statement searches. */
const PLACES_AT_ONCE = 1_000

/** An event at its place. Its id, type, time and place stay: readers and deliveries go on as if nothing had happened. */
export interface StoredEvent {
  readonly position: number
  readonly body: string
}

export interface KeptAnswer {
  readonly scope: string
  readonly key: string
  readonly answer: string
}

/** The ids of the person's records, by the resources that show them. */
export type Records = Readonly<Record<'Call' | 'ChatMessage' | 'Lead', readonly string[]>>

interface Event {
  readonly type: EventType
  readonly data: { readonly id?: unknown; readonly plan?: { readonly id: string } | null }
}

/**
 * An event names the person, or tells of a call or a message of theirs: their phone may not have been known at that time. One of another
 * patient may name a plan of theirs.
 */
export async function findEvents(
  reader: Reader,
  person: Person,
  { Call, ChatMessage }: Records,
  plans: readonly string[],
  wasErased: boolean,
  leftOut: LeftOut,
): Promise<StoredEvent[]> {
  const { patient_id, withDoubtful } = person
  const shared: ReadonlySet<unknown> = withDoubtful ? new Set() : await recordsOfSharedPhones(reader, person)
  const records = new Set<unknown>([...Call, ...ChatMessage])
  const named = JSON.stringify(patient_id)
  const found: StoredEvent[] = []
  const condition = sql`strpos(body, ${named}) > 0
    or coalesce(record_id, substring(body from ${FIRST_ID})) = any(${[...Call, ...ChatMessage]}::text[])
    or substring(body from ${PLAN_ID}) = any(${plans}::text[])`
  for await (const { position, event } of eventsWhere(reader, person, condition)) {
    const patients = patientsOf('event', [event])
    const isTold = patients.includes(patient_id) || records.has(event.data.id)
    // Nobody knows any more which phones of an erased patient are another's too.
    const mayBeShared =
      shared.has(event.data.id) || (wasErased && 'patients' in event.data && !records.has(event.data.id))
    const isDoubtful = isTold && !withDoubtful && (patients.length > 1 || mayBeShared)
    if (isDoubtful) leftOut.add('events')
    const kept = isDoubtful ? withoutName(event.data, patient_id) : withoutPlan(event.data, plans)
    const data = isTold && !isDoubtful ? withoutPerson(events[event.type].resource, event.data) : kept
    const erased = JSON.stringify({ ...event, data })
    if (!isDeepStrictEqual(JSON.parse(erased), event)) found.push({ position, body: erased })
  }
  return found
}

/** The plans that events about the person name: their treatments may have lost them since. */
export async function plansInEvents(reader: Reader, person: Person): Promise<string[]> {
  const { patient_id } = person
  const plans = new Set<string>()
  const condition = sql`strpos(body, ${JSON.stringify(patient_id)}) > 0 and strpos(body, '"plan":{"id":') > 0`
  for await (const { event } of eventsWhere(reader, person, condition)) {
    const id = event.data.plan?.id
    if (id !== undefined && patientsOf('event', [event]).includes(patient_id)) plans.add(id)
  }
  return [...plans]
}

/** The events with such a body, by their places. */
async function* eventsWhere(
  reader: Reader,
  { clinic }: Person,
  condition: Statement,
): AsyncGenerator<{ position: number; event: Event }> {
  for (let after = 0; ; ) {
    // As they stand in the body. Events of before have no record of their own.
    const rows = await reader.read<{ position: number; body: string | null }>(
      clinic,
      sql`select position, case when ${condition} then body end as body
        from event where clinic_id = ${clinic.clinic_id} and position > ${after}::bigint order by position limit ${PLACES_AT_ONCE}`,
    )
    for (const { position, body } of rows)
      if (body !== null) yield { position: Number(position), event: JSON.parse(body) as Event }
    after = Number(rows.at(-1)?.position ?? after)
    if (rows.length < PLACES_AT_ONCE) return
  }
}

/** The id of the record in an event's body. */
const FIRST_ID = '"data":\\{"id":"([^"\\\\]+)"'
/** The id of the plan of a treatment. */
const PLAN_ID = '"plan":\\{"id":"([^"\\\\]+)"'

export async function findAnswers(
  reader: Reader,
  { clinic, patient_id }: Person,
  records: Records,
): Promise<KeptAnswer[]> {
  const kinds = new Map<unknown, keyof Records>(
    Object.entries(records).flatMap(([kind, ids]) => ids.map((id) => [id, kind as keyof Records] as const)),
  )
  const kindOf: KindOf = ({ id, patient }) =>
    // A payment may have been corrected to another patient since. Its answer is of the one whom it names.
    patient?.id === patient_id ? 'Payment' : kinds.get(id)
  const rows = await reader.read<{ scope: string; key: string; answer: unknown }>(
    clinic,
    sql`select scope, key, answer from idempotency where clinic_id = ${clinic.clinic_id} order by scope, key`,
  )
  return rows.flatMap(({ scope, key, answer }) => {
    const [before, after] = [JSON.stringify(answer), JSON.stringify(blankIn(answer, kindOf))]
    return before === after ? [] : [{ scope, key, answer: after }]
  })
}

/** The kind of a resource in an answer, if it is the person's. */
type KindOf = (resource: { id: unknown; patient?: { id?: unknown } | null }) => ErasedResource | undefined

/** An answer with each of the person's records in its anonymous form, wherever it stands. */
function blankIn(answer: unknown, kindOf: KindOf): unknown {
  if (Array.isArray(answer)) return answer.map((one) => blankIn(one, kindOf))
  if (typeof answer !== 'object' || answer === null) return answer
  const kind = 'id' in answer && 'created_at' in answer ? kindOf(answer) : undefined
  if (kind !== undefined) return withoutPerson(kind, answer)
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, blankIn(value, kindOf)]))
}
