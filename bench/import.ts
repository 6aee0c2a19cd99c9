// Rows per second of an import: an outpatient clinic's data set, 36,660 patients and 110,650 appointments, into an empty clinic. They
// are compared with bare inserts of its appointments (bare-rows.ts).
//
//   node bench/import.ts [rounds] [folder]    the data set's folder (patients.csv, appointments.csv, slots.csv); without one, data is
//                                             made up
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClinic } from '@clinic-data/administration/clinics'
import { importOutpatient } from '@clinic-data/importers/outpatient/import-outpatient'
import { bareRowsPerSecond } from './bare-rows.ts'
import { openBenchDatabase } from './bench-database.ts'
import { report } from './goal.ts'
import { median } from './wrk.ts'

const rounds = Number(process.argv[2] ?? 3)
const PATIENTS = 36_660
const APPOINTMENTS = 110_650

const place = await mkdtemp(join(tmpdir(), 'bench-import-'))
const { owner, close } = await openBenchDatabase(join(place, 'data'), { writeConnections: 2 })
// Opened as `clinicd import` opens it.
try {
  const folder = process.argv[3] ?? (await madeUp(place))
  process.stdout.write(
    '| run | cores, load before | patients, rows/s | appointments, rows/s | overall, rows/s | again, rows/s |\n|---|---|---|---|---|---|\n',
  )
  const rates: number[] = []
  for (let round = 1; round <= rounds; round++) rates.push(await measure(folder, round))
  const bare = await bareRowsPerSecond(owner, { clinic_id: 'bench-1' })
  const name = 'rows of a CSV import: 36,660 patients, 110,650 appointments'
  const opponent = `bare inserts: ${Math.round(bare)} appointments/s`
  report({ name, value: median(rates), unit: '/s', limit: { atLeast: 25_000 }, opponent })
} finally {
  await close()
  await rm(place, { recursive: true })
}

/** @returns the rows per second of the first run. */
async function measure(folder: string, round: number): Promise<number> {
  const clinic = await createClinic(owner, {
    clinic_id: `bench-${round}`,
    name: 'Measured',
    time_zone: 'Europe/London',
    country: 'GB',
    currency: 'GBP',
    week_start: 1,
    min_visit_minutes: 15,
  })
  const options = { database: owner, clinic, folder }
  const load = `${availableParallelism()}, ${loadavg()[0]?.toFixed(1)}`
  /** The number of rows stored at each time. */
  const marks: [rows: number, at: number][] = []
  const onProgress = ({ rows }: { rows: number }) => marks.push([rows, performance.now()])
  const first = await timed(() => importOutpatient({ ...options, onProgress }))
  const inserted = (resource: string) => first.result.resources[resource]?.inserted ?? 0
  const [patients, appointments] = [inserted('patients'), inserted('appointments')]
  const turnedAt = marks.find(([rows]) => rows >= patients)?.[1] ?? Number.NaN
  const again = await timed(() => importOutpatient(options))
  const rates = [
    patients / (turnedAt - first.startedAt),
    appointments / (first.endedAt - turnedAt),
    (patients + appointments) / (first.endedAt - first.startedAt),
    (patients + appointments) / (again.endedAt - again.startedAt),
  ].map((rowsPerMs) => Math.round(rowsPerMs * 1000))
  process.stdout.write(`| ${[round, load, ...rates].join(' | ')} |\n`)
  return rates[2] ?? Number.NaN
}

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; startedAt: number; endedAt: number }> {
  const startedAt = performance.now()
  const result = await work()
  return { result, startedAt, endedAt: performance.now() }
}

/** Makes data with the form and the size of the real data set. */
async function madeUp(folder: string): Promise<string> {
  const day = (number: number) => new Date(Date.UTC(2016, 0, 4 + number)).toISOString().slice(0, 10)
  const pad = (number: number, length: number) => String(number).padStart(length, '0')
  const words = ['attended', 'attended', 'attended', 'attended', 'cancelled', 'did not attend']
  const patients = Array.from(
    { length: PATIENTS },
    (_, i) => `${pad(i, 5)},Testa${i % 500} Probe${i % 700},${i % 2 === 0 ? 'Female' : 'Male'},${day(-(i % 30_000))}`,
  )
  const appointments = Array.from({ length: APPOINTMENTS }, (_, i) => {
    const [slot, booked] = [i % 40, day(Math.floor(i / 40) - (i % 30))]
    const time = `${pad(8 + Math.floor(slot / 4), 2)}:${pad((slot % 4) * 15, 2)}:00`
    return `${pad(i, 7)},${pad((i * 7_919) % PATIENTS, 5)},${booked},${day(Math.floor(i / 40))},${time},${words[i % words.length]}`
  })
  await writeFile(join(folder, 'patients.csv'), ['patient_id,name,sex,dob', ...patients].join('\n'))
  const columns = 'appointment_id,patient_id,scheduling_date,appointment_date,appointment_time,status'
  await writeFile(join(folder, 'appointments.csv'), [columns, ...appointments].join('\n'))
  return folder
}
