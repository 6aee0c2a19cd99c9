// Whose data a resource holds: the audit log names every patient whose data left or changed.
import { type EventType, type EventTypeRecord, events } from './event-types.ts'

/**
 * Where a resource names its patients:
 *
 * - `itself`: it is a patient
 * - `patient`: one, or null
 * - `patients`: a list, of those with the phone of a call or a chat
 * - `event`: those of the resource in `data`
 * - `groups`: its rows are groups of records, of one patient each where they are grouped by `patient`. Whose plans they name, the backend's answer
 *   tells in `patient_ids`
 * - `beside`: not in itself, so the backend's answer tells them in `patient_ids`
 * - `none`: it holds nothing about a patient
 */
export type PatientPlace = 'itself' | 'patient' | 'patients' | 'event' | 'groups' | 'beside' | 'none'

/** The places that a resource with these fields may state. A field that names patients leaves no choice. */
export type PlaceIn<Resource> = Resource extends { patient: unknown }
  ? 'patient'
  : Resource extends { patients: unknown }
    ? 'patients'
    : Exclude<PatientPlace, 'patient' | 'patients'>

interface Named {
  readonly id?: unknown
  readonly patient?: { readonly id?: unknown } | null
  readonly patients?: readonly { readonly id?: unknown }[]
  readonly rows?: readonly { readonly patient?: unknown }[]
  readonly type?: unknown
  readonly data?: unknown
  readonly test?: unknown
}

/** The ids of a resource's patients. What has not the form of the contract names nobody. */
const readers: Record<PatientPlace, (resource: Named) => readonly unknown[]> = {
  itself: ({ id }) => [id],
  patient: ({ patient }) => [patient?.id],
  patients: ({ patients }) => (Array.isArray(patients) ? patients.map((one: Named | null) => one?.id) : []),
  // A test event holds the contract's own example.
  event: ({ type, data, test }) => (test === true ? [] : patientsOfEvent(type as EventType, data)),
  groups: ({ rows }) => (Array.isArray(rows) ? rows.map((row: { patient?: unknown } | null) => row?.patient) : []),
  beside: () => [],
  none: () => [],
}

const eventPlaces: Record<EventTypeRecord['resource'], PatientPlace> = {
  Appointment: 'patient',
  Patient: 'itself',
  Treatment: 'patient',
  Payment: 'patient',
  Call: 'patients',
  ChatMessage: 'patients',
}

/**
 * The patients of resources, each once, in the order in which they first appear.
 *
 * @example patientsOf('patient', [{ id: 'a88012', patient: { id: 'p1042' } }]) // ['p1042']
 */
export function patientsOf(place: PatientPlace, resources: readonly unknown[]): string[] {
  const read = readers[place]
  const ids = new Set<string>()
  for (const resource of resources) {
    for (const id of read((resource ?? {}) as Named)) if (typeof id === 'string' && id !== '') ids.add(id)
  }
  return [...ids]
}

/** The patients of an event, by its type. `data` is the resource. */
export function patientsOfEvent(type: EventType, data: unknown): string[] {
  return Object.hasOwn(events, type) ? patientsOf(eventPlaces[events[type].resource], [data]) : []
}
