// Imports a folder of CSV files into a clinic: all of it, or nothing when anything in it is wrong.
//
// The files are read three times, row by row: first for ids and duplicates, then to check each record and the ids that it names in
// the files or in the clinic, at last to store. A large import takes many transactions, so everything is checked before the first
// one. Running a broken-off import again completes it.

import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clinic } from '@clinic-data/contract'
import { type Database, DatabaseError } from '@clinic-data/database'
import { addStored, emptyTally, type Tally } from '../import-report.ts'
import { CsvCheck } from './check.ts'
import { type CsvFault, CsvFaults } from './faults.ts'
import { inLanes } from './lanes.ts'
import { completed, recordBatches } from './records.ts'
import { type CsvShape, csvShapes, namesItself } from './shape.ts'
import { type CsvSurvey, surveyOf } from './survey.ts'

export type CsvImportOptions = {
  /** Opened as the application's role or as the owner: both may write the clinic's rows. */
  database: Database
  clinic: Clinic
  /** Holds `*.csv` files, each named after its records (docs/csv.md). */
  folder: string
  /** The clock. */
  now?: () => Date
  onProgress?: (progress: CsvProgress) => void
}

/** Counts the rows of all files. The total is unknown during the first reading. */
export type CsvProgress = { step: 'reading' | 'checking' | 'importing'; rows: number; of: number | null }

export type CsvImportReport = {
  files: number
  /** If there are any, nothing was imported. At most 50 per file. */
  faults: CsvFault[]
  /** The number of further faults, by file. */
  unlisted: Record<string, number>
  /** By file, without `.csv`. */
  resources: Record<string, Tally>
}

/**
 * A second run of the same files changes nothing. No events are emitted.
 *
 * @throws Error when there is no such folder or no file in it, or one changes during the import; DatabaseUnavailable. Rows that
 * were stored before stay.
 */
export async function importCsv(options: CsvImportOptions): Promise<CsvImportReport> {
  const { database, clinic, folder, now = () => new Date(), onProgress = () => undefined } = options
  const faults = new CsvFaults()
  const paths = await pathsOf(folder, faults)
  const report = (resources: Record<string, Tally>): CsvImportReport => ({
    files: paths.size,
    faults: faults.listed(FILES),
    unlisted: faults.unlisted,
    resources,
  })
  const survey = await surveyOf(paths, faults, counting('reading', null, onProgress))
  const of = csvShapes.reduce((sum, { file }) => sum + (survey.rows.get(file) ?? 0), 0)
  const check = new CsvCheck({ database, clinic, survey, faults, now: now().toISOString() })
  const checked = counting('checking', of, onProgress)
  for (const shape of csvShapes) await check.file(shape, checked)
  if (!faults.isEmpty) return report({})

  const resources: Record<string, Tally> = {}
  const stored = counting('importing', of, onProgress)
  for (const shape of csvShapes.filter(({ file }) => paths.has(file))) {
    const tally = emptyTally()
    resources[shape.name] = tally
    await storeFile(shape, { database, clinic, survey, now, tally, onRows: stored })
  }
  return report(resources)
}

type Storing = {
  database: Database
  clinic: Clinic
  survey: CsvSurvey
  now: () => Date
  tally: Tally
  onRows: (rows: number) => void
}

/** Rows that name others of their own file are stored after those. */
async function storeFile(shape: CsvShape, { database, clinic, survey, now, tally, onRows }: Storing): Promise<void> {
  const own = namesItself(shape)
  const changed = new CsvFaults()
  for (const naming of survey.naming.has(shape.table) ? [false, true] : [false]) {
    await inLanes(recordBatches(shape, survey, changed), { database, table: shape.table }, async (batch) => {
      const rows = batch.filter(({ record }) => own === undefined || (record[own] !== null) === naming)
      const updated_at = now().toISOString()
      const records = rows.map(({ record }) => completed(shape, record, updated_at))
      if (
        !changed.isEmpty ||
        rows.some((row) => row.findings.length > 0 || shape.check(row.record, clinic).length > 0)
      ) {
        throw new Error(`${shape.file} was changed while it was imported; what was stored before stays`)
      }
      try {
        addStored(tally, await database.write(clinic, (tx) => shape.store(tx, clinic, records)))
      } catch (error) {
        throw error instanceof DatabaseError ? refusal(shape, rows, error) : error
      }
      tally.read += rows.length
      onRows(rows.reduce((sum, one) => sum + one.rows, 0))
    })
  }
}

/** A checked record can fail only when the clinic has changed since. */
function refusal({ file }: CsvShape, rows: readonly { line: number }[], cause: DatabaseError): Error {
  const lines = `lines ${rows[0]?.line} to ${rows.at(-1)?.line}`
  const advice = 'what was stored before stays; import it again'
  return new Error(`${file}, ${lines}: refused by the database (${cause.code}); ${advice}`, { cause })
}

const FILES = [...new Set(csvShapes.flatMap(({ file, lists }) => [file, ...lists.map((list) => list.file)]))]

/** By name. @throws Error when there is nothing to import. */
async function pathsOf(folder: string, faults: CsvFaults): Promise<Map<string, string>> {
  const found = await stat(folder).catch(() => null)
  if (!found?.isDirectory()) throw new Error(`there is no folder ${folder}`)
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => !entry.isDirectory() && /\.csv$/i.test(entry.name)).map(({ name }) => name)
  if (names.length === 0) throw new Error(`there is no *.csv file in the folder ${folder}`)
  for (const name of names.sort()) {
    if (!FILES.includes(name))
      faults.add(name, null, null, `is none of the files that are imported: ${FILES.join(', ')}`)
  }
  for (const { file, lists } of csvShapes) {
    for (const list of lists) {
      if (names.includes(list.file) && !names.includes(file))
        faults.add(list.file, null, null, `needs ${file} beside it`)
    }
  }
  return new Map(names.filter((name) => FILES.includes(name)).map((name) => [name, join(folder, name)]))
}

function counting(step: CsvProgress['step'], of: number | null, onProgress: (progress: CsvProgress) => void) {
  let rows = 0
  return (more: number) => {
    rows += more
    onProgress({ step, rows, of })
  }
}
