// Stores a model's clinic like its own systems would: as records, so that the program itself finds every local day.
import type { Clinic } from '@clinic-data/contract'
import { type Database, sql } from '@clinic-data/database'
import { AppointmentRecord, storeAppointments } from '@clinic-data/records/appointments'
import { CallRecord, storeCalls } from '@clinic-data/records/calls'
import { ChatMessageRecord, storeChatMessages } from '@clinic-data/records/chat'
import { LeadRecord, storeLeads } from '@clinic-data/records/leads'
import { PatientRecord, storePatients } from '@clinic-data/records/patients'
import { PaymentRecord, storePayments } from '@clinic-data/records/payments'
import { complete } from '@clinic-data/records/storing/complete-record'
import { storeTreatments, TreatmentRecord } from '@clinic-data/records/treatments'
import { insert, type Row } from '@clinic-data/testing/grounds/rows'
import { testClinic } from '@clinic-data/testing/run/test-database'
import { labelOf } from './model-answer.ts'
import { appointmentId, typeMinutes } from './model-care.ts'
import type { ModelClinic } from './model-clinic.ts'
import { kinds } from './model-record.ts'

export async function storeModel(owner: Database, app: Database, model: ModelClinic): Promise<Clinic> {
  const { time_zone, week_start } = model
  const clinic = await testClinic(owner, { time_zone, week_start })
  await storeCatalogs(owner, clinic, model)
  await app.write(clinic, async (tx) => {
    await storePatients(
      tx,
      clinic,
      model.patients.map((row, at) =>
        complete(PatientRecord, {
          id: `p${at}`,
          first_name: 'Name',
          last_name: `of p${at}`,
          ...row,
          ...times(row.created_at),
        }),
      ),
    )
    await storeTreatments(
      tx,
      clinic,
      model.treatments.map(({ isRemoved, price_minor, discount_minor, ...row }, at) =>
        complete(TreatmentRecord, {
          ...row,
          id: `t${at}`,
          performed_at: text(row.performed_at),
          price: price_minor === null ? null : price_minor / 100,
          discount: discount_minor / 100,
          ...times(row.created_at),
        }),
      ),
    )
    await storeAppointments(
      tx,
      clinic,
      model.appointments.map(({ length, start, ...row }, at) =>
        complete(AppointmentRecord, {
          ...row,
          id: appointmentId(at),
          start: text(start),
          end: start === null || length === null ? null : text(start + length),
          ...times(row.created_at),
        }),
      ),
    )
    await storePayments(
      tx,
      clinic,
      model.payments.map(({ amount_minor, ...row }, at) =>
        complete(PaymentRecord, {
          ...row,
          id: `y${at}`,
          amount: amount_minor / 100,
          paid_at: text(row.paid_at),
          ...times(0),
        }),
      ),
    )
    await storeLeads(
      tx,
      clinic,
      model.leads.map((row, at) =>
        complete(LeadRecord, {
          ...row,
          id: `l${at}`,
          first_name: 'Testa',
          phone: '0501234567',
          converted_at: text(row.converted_at),
          ...times(row.created_at),
        }),
      ),
    )
    await storeCalls(
      tx,
      clinic,
      model.calls.map(({ agent, phone, hasRecording, ...row }, at) =>
        complete(CallRecord, {
          ...row,
          id: `c${at}`,
          is_recorded: hasRecording,
          recording_file_id: hasRecording ? 'f' : null,
          started_at: text(row.started_at),
          from_phone: row.direction === 'inbound' ? phone : null,
          to_phone: row.direction === 'inbound' ? null : phone,
          handled_by: agent === null ? null : { id: agent, name: labelOf(agent) },
          ...times(0),
        }),
      ),
    )
    await storeChatMessages(
      tx,
      clinic,
      model.messages.map(({ progress, template, ...row }, at) => {
        const reached = ['sent', 'delivered', 'read'].indexOf(progress)
        const isOutbound = row.direction === 'outbound'
        const when = (is: boolean) => (isOutbound && is ? text(row.created_at) : null)
        return complete(ChatMessageRecord, {
          ...row,
          id: `${isOutbound ? 'out' : 'in'}_${at}`,
          template,
          sent_at: when(reached >= 0),
          delivered_at: when(reached >= 1),
          read_at: when(reached >= 2),
          failed_at: when(progress === 'failed'),
          ...times(row.created_at),
        })
      }),
    )
  })
  const removed = model.treatments.flatMap(({ isRemoved }, at) => (isRemoved ? `t${at}` : []))
  await owner.query(
    sql`update treatment set removed_at = now() where clinic_id = ${clinic.clinic_id} and id = any(${removed})`,
  )
  return clinic
}

function text(instant: number): string
function text(instant: number | null): string | null
function text(instant: number | null): string | null {
  return instant === null ? null : new Date(instant).toISOString()
}

function times(created: number) {
  return { created_at: text(created), updated_at: text(created) }
}

async function storeCatalogs(owner: Database, clinic: Clinic, model: ModelClinic): Promise<void> {
  const several = (prefix: string, most: number, name = 'name') =>
    Array.from({ length: most }, (_, at): Row => ({ id: `${prefix}${at}`, [name]: labelOf(`${prefix}${at}`) }))
  await insert(owner, clinic, 'provider', ...several('r', 3))
  await insert(owner, clinic, 'branch', ...several('b', 2))
  await insert(owner, clinic, 'treatment_category', ...several('category', 2))
  const menu = several('menu', 3).map((row, at) => ({ ...row, category_id: model.categories[at] ?? null }))
  await insert(owner, clinic, 'catalog_treatment', ...menu)
  await insert(owner, clinic, 'treatment_plan', ...several('plan', 2))
  await insert(owner, clinic, 'patient_status', ...several('status', 2))
  const types = several('type', typeMinutes.length)
  await insert(
    owner,
    clinic,
    'appointment_type',
    ...types.map((row, at) => ({ ...row, duration_minutes: typeMinutes[at] ?? null })),
  )
  const statuses = several('s', kinds.length).map((row, at) => ({ ...row, kind: kinds[at] ?? null }))
  await insert(owner, clinic, 'appointment_status', ...statuses)
  await insert(owner, clinic, 'billing_account', ...several('account', 2, 'business_name'))
  await insert(owner, clinic, 'file', { id: 'f' })
  const conversations = ['0', '1', '2'].map((n) => ({ id: `v${n}`, patient_phone: `+97250000000${n}` }))
  await insert(owner, clinic, 'chat_conversation', ...conversations)
  const hours = model.hours.map(({ window: { opens, closes }, ...whose }) => {
    return { ...whose, starts_at: wallTime(opens), ends_at: wallTime(closes) }
  })
  if (hours.length > 0) await insert(owner, clinic, 'working_hours', ...hours)
  const off = model.off.map(({ start, length, ...whose }, at) => {
    return { ...whose, id: `off${at}`, start: text(start), end: text(start + length) }
  })
  if (off.length > 0) await insert(owner, clinic, 'time_off', ...off)
}

function wallTime(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}
