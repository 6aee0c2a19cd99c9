// The events of the clinic's feed that tell of one person, as long as they are kept: each as it was sent, without other people.
import type { EventType } from '@clinic-data/contract'
import { events } from '@clinic-data/contract/event-types'
import { patientsOf } from '@clinic-data/contract/patients-of'
import type { EventEnvelope } from '@clinic-data/contract/resources/webhook'
import type { Static } from '@clinic-data/contract/schema'
import { type Database, sql } from '@clinic-data/database'
import { contactsOf } from '@clinic-data/records/persons/whose'
import { withPhone } from './conversations.ts'
import type { LeftOut } from './left-out.ts'
import { onlyTheirAppointment, onlyTheirPayments, onlyThem } from './only-theirs.ts'
import { idsWhere } from './own-rows.ts'
import type { Person } from './person.ts'
import type { Reader } from './reader.ts'

/** Places of the feed that one statement searches: some ten megabytes of bodies. */
const PLACES_AT_ONCE = 1_000

type Event = Static<typeof EventEnvelope>
type Data = Record<string, unknown>

/** Test events hold an example of the contract, and have no place. */
export async function* eventsOf(database: Database, person: Person, leftOut: LeftOut): AsyncGenerator<object> {
  const { clinic, patient_id, withDoubtful } = person
  const shared = withDoubtful ? new Set() : await recordsOfSharedPhones(database, person)
  // As it stands in the body. What the search finds too much is left out below.
  const named = JSON.stringify(patient_id)
  for (let after = 0; ; ) {
    const rows = await database.read<{ position: number; body: string | null }>(
      clinic,
      sql`select position, case when strpos(body, ${named}) > 0 then body end as body from event
        where clinic_id = ${clinic.clinic_id} and position > ${after}::bigint order by position limit ${PLACES_AT_ONCE}`,
    )
    for (const { body } of rows) {
      const event = body === null ? null : (JSON.parse(body) as Event)
      const patients = event === null ? [] : patientsOf('event', [event])
      if (event === null || !patients.includes(patient_id)) continue
      const isDoubtful = patients.length > 1 || shared.has(event.data.id)
      if (isDoubtful && !withDoubtful) leftOut.add('events')
      else yield { ...event, data: onlyTheirs(person, event.type, event.data) }
    }
    after = rows.at(-1)?.position ?? after
    if (rows.length < PLACES_AT_ONCE) return
  }
}

/** The calls and messages that are left out, whatever their events say: a phone may have got its second patient since. */
export async function recordsOfSharedPhones(database: Reader, person: Person): Promise<ReadonlySet<unknown>> {
  const owned = withPhone(contactsOf(person, 'phone', 'shared'))
  const calls = await idsWhere(database, person, 'call', owned)
  return calls.union(await idsWhere(database, person, 'chat_message', owned))
}

/** An event holds a resource of the contract. */
function onlyTheirs(person: Person, type: EventType, data: Data): object {
  switch (events[type].resource) {
    case 'Patient':
    case 'Appointment':
      return data
    case 'Treatment':
      return onlyTheirAppointment(person, data as Data & Parameters<typeof onlyTheirAppointment>[1])
    case 'Payment':
      return onlyTheirPayments(person, data as Data & Parameters<typeof onlyTheirPayments>[1])
    case 'Call':
    case 'ChatMessage':
      return onlyThem(person, data as Data & Parameters<typeof onlyThem>[1])
  }
}
