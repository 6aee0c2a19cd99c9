// Encounter → appointment, with the appointment type and status that it names.

import { MAX } from '@clinic-data/contract'
import { AppointmentRecord, checkAppointment, storeAppointments } from '@clinic-data/records/appointments'
import {
  AppointmentStatusRecord,
  AppointmentTypeRecord,
  appointmentStatusKind,
  appointmentTypeKind,
} from '@clinic-data/records/catalog'
import { complete } from '@clinic-data/records/storing/complete-record'
import { addStored } from '../import-report.ts'
import { reasonOf, Skip } from '../skip.ts'
import { type ImportContext, instantOf, knownIds, madeAt, mapped, namesIn, type ResourceImport } from './fhir-import.ts'
import { codeOf, type Encounter } from './fhir-r4.ts'

/** The clinic's status for each status of encounters. Made with the first such encounter; the clinic may change it afterwards. */
const STATUSES: Readonly<Record<string, AppointmentStatusRecord>> = Object.fromEntries(
  (
    [
      ['planned', 'Planned', '#8d99ae', 'booked'],
      ['arrived', 'Arrived', '#e9c46a', 'arrived'],
      ['triaged', 'Triaged', '#e9c46a', 'arrived'],
      ['in-progress', 'In progress', '#f4a261', 'arrived'],
      ['onleave', 'On leave', '#f4a261', 'arrived'],
      ['finished', 'Finished', '#2a9d8f', 'completed'],
      ['cancelled', 'Cancelled', '#e76f51', 'cancelled'],
    ] as const
  ).map(([id, name, color, kind]) => [id, complete(AppointmentStatusRecord, { id, name, color, enabled: true, kind })]),
)

export const importEncounters: ResourceImport<Encounter> = async (tx, context, resources, tally) => {
  const { clinic } = context
  const [patients, branches, providers] = [
    namesIn(resources, (resource) => [patientIdOf(context, resource)]),
    namesIn(resources, (resource) => [branchIdOf(context, resource)]),
    namesIn(resources, (resource) => providerIdsOf(context, resource)),
  ]
  const known = {
    patient: await knownIds(tx, clinic, 'patient', patients),
    branch: await knownIds(tx, clinic, 'branch', branches),
    provider: await knownIds(tx, clinic, 'provider', providers),
  }
  const types = new Map<string, AppointmentTypeRecord>()
  const records = mapped(
    resources,
    ({ id, resource }): AppointmentRecord => {
      const patient_id = patientIdOf(context, resource)
      if (patient_id === null || !known.patient.has(patient_id)) throw new Skip('is of a patient who is not known')
      const { status = 'unknown', period, meta } = resource
      if (status === 'entered-in-error') throw new Skip('was entered in error')
      const type = typeOf(resource)
      if (type !== null && !types.has(type.id)) types.set(type.id, type)
      const branch_id = branchIdOf(context, resource)
      const start = instantOf(period?.start)
      const created_at = madeAt(context, start, meta?.lastUpdated)
      return complete(AppointmentRecord, {
        id,
        patient_id,
        branch_id: branch_id !== null && known.branch.has(branch_id) ? branch_id : null,
        type_id: type?.id ?? null,
        status_id: STATUSES[status]?.id ?? null,
        provider_ids: [...new Set(providerIdsOf(context, resource))].filter((provider) => known.provider.has(provider)),
        start,
        end: instantOf(period?.end),
        created_at,
        updated_at: context.storedAt(),
      })
    },
    checkAppointment,
    tally,
  )
  const statuses = new Set(records.map(({ status_id }) => status_id))
  await appointmentTypeKind.store(tx, clinic, [...types.values()], 'keep')
  await appointmentStatusKind.store(
    tx,
    clinic,
    Object.values(STATUSES).filter(({ id }) => statuses.has(id)),
    'keep',
  )
  addStored(tally, await storeAppointments(tx, clinic, records))
}

/** The duration of the first appointment of the type, in steps of five minutes. */
function typeOf({ type, period }: Encounter): AppointmentTypeRecord | null {
  const known = codeOf(type?.[0])
  if (known === null) return null
  const minutes = (Date.parse(period?.end ?? '') - Date.parse(period?.start ?? '')) / 60_000
  const steps = Number.isNaN(minutes) ? DEFAULT_MINUTES : Math.max(5, Math.round(minutes / 5) * 5)
  const duration_minutes = Math.min(MAX.duration_minutes, steps)
  const record = complete(AppointmentTypeRecord, { id: known.code, name: known.name, duration_minutes })
  const [finding] = appointmentTypeKind.check(record)
  if (finding !== undefined) throw new Skip(`type: ${reasonOf(finding)}`)
  return record
}

const DEFAULT_MINUTES = 30

function patientIdOf({ references }: ImportContext, { subject }: Encounter): string | null {
  return references.idOf(subject?.reference)
}

function branchIdOf({ references }: ImportContext, { serviceProvider }: Encounter): string | null {
  return references.idOf(serviceProvider?.reference)
}

function providerIdsOf({ references }: ImportContext, { participant = [] }: Encounter): string[] {
  return participant.flatMap(({ individual }) => references.idOf(individual?.reference) ?? [])
}
