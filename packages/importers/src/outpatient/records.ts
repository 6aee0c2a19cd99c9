// Makes records of the rows of an outpatient data set: patients, appointments, and the branch, provider, type and statuses.

import { AppointmentRecord } from '@clinic-data/records/appointments'
import type { AppointmentStatusRecord } from '@clinic-data/records/catalog'
import { PatientRecord } from '@clinic-data/records/patients'
import { complete } from '@clinic-data/records/storing/complete-record'
import { Skip } from '../skip.ts'
import type { LocalTime } from './local-time.ts'

export const PATIENT_COLUMNS = ['patient_id', 'name', 'sex', 'dob'] as const
export const APPOINTMENT_COLUMNS = [
  ...(['appointment_id', 'patient_id', 'scheduling_date'] as const),
  ...(['appointment_date', 'appointment_time', 'status'] as const),
] as const

type Row<C extends readonly string[]> = Readonly<Record<C[number], string>>

/** One branch, one provider, one type of visit: the data set names none. */
export const OUTPATIENT = { branch: 'outpatient', provider: 'outpatient', type: 'outpatient' } as const

/** By the data set's status. The outcome of an `unknown` one is not recorded: it counts neither as kept nor as missed. */
export const STATUSES: ReadonlyMap<string, AppointmentStatusRecord> = new Map(
  (
    [
      ['scheduled', 'Scheduled', '#8d99ae', 'booked'],
      ['attended', 'Attended', '#2a9d8f', 'completed'],
      ['did not attend', 'Did not attend', '#e76f51', 'no_show'],
      ['cancelled', 'Cancelled', '#6c757d', 'cancelled'],
      ['unknown', 'Unknown', '#adb5bd', 'booked'],
    ] as const
  ).map(([word, name, color, kind]) => [word, { id: word.replaceAll(' ', '_'), name, color, enabled: true, kind }]),
)

/** @param created_at the patient's first booking. */
export function patientOf(
  { patient_id, name, sex, dob }: Row<typeof PATIENT_COLUMNS>,
  created_at: string,
  now: string,
) {
  return complete(PatientRecord, {
    id: patient_id,
    ...partsOf(name),
    gender: genderOf(sex),
    birth_date: dob === '' ? null : dob,
    created_at,
    updated_at: now,
  })
}

function genderOf(sex: string): PatientRecord['gender'] {
  const word = sex.toLowerCase()
  return word === 'female' || word === 'male' ? word : null
}

const TITLES = /^(Mr|Mrs|Ms|Miss|Mx|Dr|Prof)\.?$/
const DEGREES = /^(MD|DDS|DVM|PhD)$/
/** These belong to the last name: father and son are two patients. */
const GENERATIONS = /^(Jr|Sr)\.?$|^[IV]{1,3}$/

/** Drops title and degree. The last word is the last name. */
function partsOf(name: string): Pick<PatientRecord, 'first_name' | 'last_name'> {
  const words = name.split(/\s+/).filter((word) => word !== '')
  while (words.length > 1 && TITLES.test(words[0] ?? '')) words.shift()
  while (words.length > 1 && DEGREES.test(words.at(-1) ?? '')) words.pop()
  const length = words.length > 2 && GENERATIONS.test(words.at(-1) ?? '') ? 2 : 1
  const last = words.length > 1 ? words.splice(-length) : []
  return { first_name: words.join(' ') || null, last_name: last.join(' ') || null }
}

/**
 * Takes the booked time and the length of a slot, also for a visit that ended otherwise.
 *
 * @throws Skip
 */
export function appointmentOf(
  row: Row<typeof APPOINTMENT_COLUMNS>,
  { time, slotMinutes, now }: { time: LocalTime; slotMinutes: number; now: string },
): AppointmentRecord {
  const status = STATUSES.get(row.status)
  if (status === undefined) throw new Skip('has a status that is not known')
  const start = time.instant(row.appointment_date, row.appointment_time)
  if (start === null) throw new Skip('has no date and time')
  return complete(AppointmentRecord, {
    id: row.appointment_id,
    patient_id: row.patient_id,
    branch_id: OUTPATIENT.branch,
    type_id: OUTPATIENT.type,
    status_id: status.id,
    provider_ids: [OUTPATIENT.provider],
    start,
    end: new Date(Date.parse(start) + slotMinutes * 60_000).toISOString(),
    created_at: row.scheduling_date || now,
    updated_at: now,
  })
}
