// Appointment (specification, Resources).
import { MAX } from '../limits.ts'
import { Color, Id, Instant, list, NamedReference, named, nullable, object, Type, text, whole } from '../schema.ts'
import { PatientSummary } from './patient.ts'

const concise = {
  id: Id,
  patient: nullable(PatientSummary),
  branch: nullable(NamedReference),
  type: nullable(object({ id: Id, name: text(MAX.name), duration_minutes: whole(0, MAX.duration_minutes) })),
  status: nullable(object({ id: Id, name: text(MAX.name), color: Color })),
  providers: list(NamedReference, MAX.providers),
  start: nullable(Instant),
  end: nullable(Instant),
  created_at: nullable(Instant),
  updated_at: nullable(Instant),
}

const example = {
  id: 'a88012',
  patient: { id: 'p1042', first_name: 'Noa', last_name: 'Levi' },
  branch: { id: 'haifa', name: 'Haifa' },
  type: { id: 'checkup', name: 'Check-up', duration_minutes: 30 },
  status: { id: 'confirmed', name: 'Confirmed', color: '#457b9d' },
  providers: [{ id: 'dr-cohen', name: 'Dr. Maya Cohen' }],
  start: '2026-07-14T10:00:00+03:00',
  end: '2026-07-14T10:30:00+03:00',
  created_at: '2026-07-01T08:02:11.040+03:00',
  updated_at: '2026-07-12T09:30:00.123+03:00',
}

export const Appointment = named('Appointment', object(concise), example)

export const AppointmentDetailed = named(
  'AppointmentDetailed',
  object({
    ...concise,
    note: Type.Optional(nullable(text(MAX.note))),
    cancelled_at: Type.Optional(nullable(Instant)),
  }),
  { ...example, note: 'Prefers the morning', cancelled_at: null },
)
