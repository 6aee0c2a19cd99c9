// Appointment (specification, Resources).
import { MAX } from '../limits.ts'
import {
  Color,
  CreatedAt,
  Id,
  Instant,
  list,
  NamedReference,
  named,
  nullable,
  object,
  Type,
  text,
  UpdatedAt,
  whole,
} from '../schema/schema.ts'
import { PatientSummary } from './patient.ts'

const concise = {
  id: Id,
  patient: nullable(PatientSummary, { description: 'The patient who comes.' }),
  branch: nullable(NamedReference, { description: 'Where the visit takes place.' }),
  type: nullable(object({ id: Id, name: text(MAX.name), duration_minutes: whole(0, MAX.duration_minutes) }), {
    description: 'The kind of visit, with its default duration.',
  }),
  status: nullable(object({ id: Id, name: text(MAX.name), color: Color }), {
    description: "One of the clinic's own statuses: see the catalog.",
  }),
  providers: list(NamedReference, MAX.providers, { description: 'Who treats: one provider, several or none.' }),
  start: nullable(Instant, { description: 'When the visit begins.' }),
  end: nullable(Instant, { description: 'When the visit ends.' }),
  created_at: CreatedAt,
  updated_at: UpdatedAt,
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
    note: Type.Optional(
      nullable(text(MAX.note), {
        description:
          "The staff's note. A backend of an earlier version leaves it and `cancelled_at` out of a single appointment.",
      }),
    ),
    cancelled_at: Type.Optional(nullable(Instant, { description: 'When it was cancelled; null while it stands.' })),
  }),
  { ...example, note: 'Prefers the morning', cancelled_at: null },
)
