// Appointments are booked, moved, confirmed, cancelled and kept.
import type { AnyRecord, LivingClinic } from '../living-clinic.ts'
import type { Action } from './action.ts'

const PATH = '/appointments'
const SLOT_MS = 15 * 60_000
const VISIT_MS = 30 * 60_000

export async function book(clinic: LivingClinic): Promise<boolean> {
  const { random, catalog } = clinic
  const appointment = {
    id: clinic.newId('a'),
    patient_id: random.pick(clinic.people).id,
    branch_id: random.pick(catalog.branches),
    type_id: random.pick(catalog.appointment_types),
    status_id: statusOf(clinic, 'booked'),
    provider_ids: [random.pick(catalog.providers)],
    ...timesOf(clinic),
  }
  await clinic.tell(PATH, appointment, 'appointment.created')
  return true
}

/** In the coming month. */
function timesOf({ random, now }: LivingClinic): { start: string; end: string } {
  const start = Math.ceil(now().getTime() / SLOT_MS) * SLOT_MS + random.whole(1, 2_800) * SLOT_MS
  return { start: new Date(start).toISOString(), end: new Date(start + VISIT_MS).toISOString() }
}

/** The first status of a kind. The others would do as well. */
function statusOf({ catalog }: LivingClinic, kind: string): string | null {
  return catalog.statuses[kind]?.[0] ?? null
}

function openOne(clinic: LivingClinic): AnyRecord | undefined {
  const booked = statusOf(clinic, 'booked')
  return clinic.sentTo(PATH).pick(clinic.random, ({ status_id }) => status_id === booked)
}

async function move(clinic: LivingClinic): Promise<boolean> {
  const appointment = openOne(clinic)
  if (appointment === undefined) return false
  const times = timesOf(clinic)
  if (times.start === appointment.start) return false
  await clinic.tell(PATH, { ...appointment, ...times }, 'appointment.updated')
  return true
}

async function cancel(clinic: LivingClinic): Promise<boolean> {
  const [appointment, status_id] = [openOne(clinic), statusOf(clinic, 'cancelled')]
  if (appointment === undefined || status_id === null) return false
  const cancelled_at = clinic.instant()
  await clinic.ingest.send('/appointments/cancel', { id: appointment.id, cancelled_at, status_id })
  clinic.sentTo(PATH).keep(appointment.id, { ...appointment, status_id, cancelled_at })
  clinic.expect('appointment.cancelled')
  return true
}

async function keep(clinic: LivingClinic): Promise<boolean> {
  const appointment = openOne(clinic)
  const status_id = statusOf(clinic, clinic.random.pick(['completed', 'arrived', 'no_show', 'confirmed']))
  if (appointment === undefined || status_id === null) return false
  await clinic.tell(PATH, { ...appointment, status_id }, 'appointment.updated')
  return true
}

export const appointmentActions: readonly Action[] = [
  { name: 'an appointment is booked', weight: 6, run: book },
  { name: 'an appointment is moved', weight: 3, run: move },
  { name: 'an appointment is cancelled', weight: 2, run: cancel },
  { name: 'an appointment takes its course', weight: 3, run: keep },
]
