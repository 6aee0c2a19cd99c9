// Imports the data set of an outpatient clinic, as medscheduler writes it (patients.csv, appointments.csv, slots.csv).
//
// | In the files | Here |
// |---|---|
// | patient: name, sex, dob | first and last name without title and degree, gender, birth date; made when first booked |
// | appointment: appointment_date, appointment_time | start, in the clinic's zone; the end is a slot later |
// | scheduling_date | created_at: the clinic's midnight |
// | status attended, did not attend, cancelled | statuses of the kinds completed, no_show, cancelled |
// | status scheduled, unknown | statuses of the kind booked |
// | slots | the weekly hours of the one provider; the shortest step between two is the length of a visit |
//
// The data set names no branch, provider or type: one of each stands for all. Left out because there is no field for them: when
// patients came, when they were seen and for how long (check_in_time, start_time, end_time, appointment_duration, waiting_time).
// Left out because they follow from the rest: age, scheduling_interval.

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clinic } from '@clinic-data/contract'
import { isDate } from '@clinic-data/contract/formats'
import type { Finding } from '@clinic-data/contract/validator'
import type { Database, Transaction } from '@clinic-data/database'
import { checkAppointment, storeAppointments } from '@clinic-data/records/appointments'
import { appointmentStatusKind, appointmentTypeKind, branchKind, providerKind } from '@clinic-data/records/catalog'
import { checkPatient, storePatients } from '@clinic-data/records/patients'
import { storeProviderWeeks } from '@clinic-data/records/schedule'
import type { Stored } from '@clinic-data/records/storing/record-table'
import { CsvUnreadable, ownText } from '../csv/csv-reader.ts'
import type { CsvProgress } from '../csv/import-csv.ts'
import { inLanes } from '../csv/lanes.ts'
import { addStored, type ImportReport, skip, type Tally, tallyOf } from '../import-report.ts'
import { reasonOf, Skip } from '../skip.ts'
import { LocalTime } from './local-time.ts'
import { APPOINTMENT_COLUMNS, appointmentOf, OUTPATIENT, PATIENT_COLUMNS, patientOf, STATUSES } from './records.ts'
import { type NamedRow, namedRows } from './rows.ts'
import { SLOT_COLUMNS, SlotWeek } from './week.ts'

export type OutpatientImportOptions = {
  /** Opened as the application's role or as the owner: both may write the clinic's rows. */
  database: Database
  clinic: Clinic
  /** Holds patients.csv and appointments.csv, and may hold slots.csv. */
  folder: string
  /** The clock. */
  now?: () => Date
  onProgress?: (progress: CsvProgress) => void
}

/**
 * A second run changes nothing, and completes one that was broken off. No events are emitted. The clinic's changes of the branch,
 * the provider, the type and the statuses stay.
 *
 * @returns the counts, or the files that cannot be read to their end: then nothing of the folder was imported.
 * @throws Error when the folder lacks a file, DatabaseUnavailable. Rows that were written before stay.
 */
export async function importOutpatient(options: OutpatientImportOptions): Promise<ImportReport> {
  const { database, clinic, folder, now = () => new Date(), onProgress = () => undefined } = options
  const files = await filesOf(folder)
  const report: ImportReport = { files: files.size, failed: [], resources: {} }
  const survey = await surveyOf(files, report)
  if (report.failed.length > 0) return report
  await database.write(clinic, (tx) => storeReferenceData(tx, clinic, survey.week))

  let rows = 0
  const onRows = (more: number) => {
    rows += more
    onProgress({ step: 'importing', rows, of: survey.rows })
  }
  const context = { database, clinic, now, report, onRows }
  const time = new LocalTime(clinic.time_zone)
  const started = now().toISOString()
  const patients = await storeRows(context, {
    resource: 'patients',
    table: 'patient',
    rows: namedRows(files.get('patients.csv') ?? '', PATIENT_COLUMNS),
    map: (row, updated_at) => patientOf(row, survey.firstBooked.get(row.patient_id) ?? started, updated_at),
    check: checkPatient,
    store: storePatients,
  })
  const { slotMinutes } = survey.week
  await storeRows(context, {
    resource: 'appointments',
    table: 'appointment',
    rows: namedRows(files.get('appointments.csv') ?? '', APPOINTMENT_COLUMNS),
    map: (row, updated_at) => {
      if (!patients.has(row.patient_id)) throw new Skip('is of a patient who is not known')
      return appointmentOf(row, { time, slotMinutes, now: updated_at })
    },
    check: checkAppointment,
    store: storeAppointments,
  })
  return report
}

type Context = {
  database: Database
  clinic: Clinic
  now: () => Date
  report: ImportReport
  onRows: (rows: number) => void
}

type Kind<C extends string, R> = {
  /** The name of the resource in the report. */
  resource: string
  table: string
  rows: AsyncGenerator<NamedRow<C>[]>
  /** @throws Skip */
  map: (row: Readonly<Record<C, string>>, now: string) => R
  check: (record: R) => Finding[]
  store: (tx: Transaction, clinic: Clinic, records: readonly R[]) => Promise<Stored>
}

/** How many records one transaction stores. */
const BATCH = 1_000

/** @returns the ids of all records that were not left out. */
async function storeRows<C extends string, R extends { id: string }>(
  { database, clinic, now, report, onRows }: Context,
  kind: Kind<C, R>,
): Promise<Set<string>> {
  const tally = tallyOf(report, kind.resource)
  const ids = new Set<string>()
  await inLanes(batches(kind, { tally, ids, now }), { database, table: kind.table }, async (records) => {
    addStored(tally, await database.write(clinic, (tx) => kind.store(tx, clinic, records)))
    onRows(records.length)
  })
  return ids
}

async function* batches<C extends string, R extends { id: string }>(
  { rows, map, check }: Kind<C, R>,
  { tally, ids, now }: { tally: Tally; ids: Set<string>; now: () => Date },
): AsyncGenerator<R[]> {
  let batch: R[] = []
  let updated_at = ''
  const take = (row: NamedRow<C>) => {
    if (row === null) throw new Skip('has other values than its header has columns, or broken quotes')
    const record = map(row, updated_at)
    const [finding] = check(record)
    if (finding !== undefined) throw new Skip(reasonOf(finding))
    if (ids.has(record.id)) throw new Skip('has the id of an earlier row')
    ids.add(ownText(record.id))
    batch.push(record)
  }
  for await (const group of rows) {
    for (const row of group) {
      if (batch.length === 0) updated_at = now().toISOString()
      tally.read += 1
      try {
        take(row)
      } catch (error) {
        if (!(error instanceof Skip)) throw error
        skip(tally, error.message)
      }
      if (batch.length < BATCH) continue
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}

type Survey = {
  /** By patient: the first day on which an appointment was booked. */
  firstBooked: Map<string, string>
  week: SlotWeek
  /** The numbers of patients and appointments. */
  rows: number
}

/** Reads all files to their ends. */
async function surveyOf(files: ReadonlyMap<string, string>, report: ImportReport): Promise<Survey> {
  const survey: Survey = { firstBooked: new Map(), week: new SlotWeek(), rows: 0 }
  const read = async <C extends string>(
    file: string,
    columns: readonly C[],
    take: (row: Record<C, string>) => void,
  ) => {
    const path = files.get(file)
    if (path === undefined) return
    try {
      for await (const group of namedRows(path, columns)) for (const row of group) if (row !== null) take(row)
    } catch (error) {
      if (!(error instanceof CsvUnreadable)) throw error
      report.failed.push({ path, fault: `line ${error.line}: ${error.message}` })
    }
  }
  await read('patients.csv', PATIENT_COLUMNS, () => {
    survey.rows += 1
  })
  await read('appointments.csv', APPOINTMENT_COLUMNS, ({ patient_id, scheduling_date }) => {
    survey.rows += 1
    const first = survey.firstBooked.get(patient_id)
    if (isDate(scheduling_date) && (first === undefined || scheduling_date < first)) {
      survey.firstBooked.set(ownText(patient_id), scheduling_date)
    }
  })
  await read('slots.csv', SLOT_COLUMNS, (row) => survey.week.take(row))
  return survey
}

/** Adds what is missing. The clinic's own changes stay. */
async function storeReferenceData(tx: Transaction, clinic: Clinic, week: SlotWeek): Promise<void> {
  const { branch, provider, type } = OUTPATIENT
  const name = 'Outpatient clinic'
  await branchKind.store(tx, clinic, [{ id: branch, name, phone: null, address: null, color: null }], 'keep')
  const added = await providerKind.store(
    tx,
    clinic,
    [{ id: provider, name, type: 'practitioner', color: null }],
    'keep',
  )
  const visit = { id: type, name: 'Outpatient visit', duration_minutes: week.slotMinutes, color: null }
  await appointmentTypeKind.store(tx, clinic, [visit], 'keep')
  await appointmentStatusKind.store(tx, clinic, [...STATUSES.values()], 'keep')
  if (added.inserted.size === 0) return
  const windows = week.windows.map((window) => ({ branch_id: branch, ...window }))
  await storeProviderWeeks(tx, clinic, [{ provider_id: provider, windows }])
}

/** By name. @throws Error */
async function filesOf(folder: string): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  for (const name of ['patients.csv', 'appointments.csv', 'slots.csv']) {
    const path = join(folder, name)
    if ((await stat(path).catch(() => null)) !== null) files.set(name, path)
    else if (name !== 'slots.csv') throw new Error(`there is no ${name} in the folder ${folder}`)
  }
  return files
}
