// `clinicd import fhir|csv|outpatient <path> --clinic <id>`.
import { importTimes } from '@clinic-data/changes/writing/change-times'
import type { Clinic } from '@clinic-data/contract'
import type { Database } from '@clinic-data/database'
import type { CsvImportReport, CsvProgress } from '@clinic-data/importers/csv/import-csv'
import type { ImportReport, Tally } from '@clinic-data/importers/import-report'
import { Command } from 'commander'
import { asOperator, requireClinic } from '../operator.ts'
import { printFault, printJson, printLine, printRows } from '../output.ts'
import { Progress } from '../progress.ts'

/** A kind of data that can be imported. Its code is loaded when it is called. */
type Import<R> = {
  name: string
  summary: string
  description: string
  argument: readonly [name: string, description: string]
  run: (parts: {
    database: Database
    clinic: Clinic
    path: string
    now: () => Date
    show: (line: string) => void
  }) => Promise<R>
  print: (report: R) => void
  /** Whether everything could be read. */
  isWhole: (report: R) => boolean
}

const fhir: Import<ImportReport> = {
  name: 'fhir',
  description:
    'Load FHIR R4 bundles: patients, practitioners, organizations, encounters, procedures, claims, benefits.',
  summary: 'Load FHIR R4 bundles.',
  argument: ['path', 'a bundle, or a folder with bundles: every *.json in it and below'],
  run: async ({ show, ...parts }) => {
    const { importFhir } = await import('@clinic-data/importers/fhir/import-fhir')
    return importFhir({ ...parts, onProgress: ({ step, files, of }) => show(`${step} ${files} of ${of}`) })
  },
  print: printReport,
  isWhole: ({ failed }) => failed.length === 0,
}

const csv: Import<CsvImportReport> = {
  name: 'csv',
  description: 'Load our own CSV files (docs/csv.md). Imports all of them, or nothing if they hold a fault.',
  summary: 'Load our own CSV files, one for each kind of record.',
  argument: ['folder', 'with patients.csv, appointments.csv and so on, any of them'],
  run: async ({ path: folder, show, ...parts }) => {
    const { importCsv } = await import('@clinic-data/importers/csv/import-csv')
    return importCsv({ ...parts, folder, onProgress: withSpeed(show) })
  },
  print: (report) => {
    if (report.faults.length === 0) printTallies(report)
    else printFaults(report)
  },
  isWhole: ({ faults }) => faults.length === 0,
}

const outpatient: Import<ImportReport> = {
  name: 'outpatient',
  description: "Load the patients and appointments of an outpatient clinic's data set, as medscheduler writes it.",
  summary: "Load an outpatient clinic's data set.",
  argument: ['folder', 'with patients.csv and appointments.csv, and slots.csv for the weekly hours'],
  run: async ({ path: folder, show, ...parts }) => {
    const { importOutpatient } = await import('@clinic-data/importers/outpatient/import-outpatient')
    return importOutpatient({ ...parts, folder, onProgress: withSpeed(show) })
  },
  print: printReport,
  isWhole: ({ failed }) => failed.length === 0,
}

export function importCommand(): Command {
  const command = new Command('import').description(
    'Load data into a clinic. Importing the same data again changes nothing.',
  )
  return command.addCommand(commandOf(fhir)).addCommand(commandOf(csv)).addCommand(commandOf(outpatient))
}

function commandOf<R>({ name, summary, description, argument, run, print, isWhole }: Import<R>): Command {
  const [path, about] = argument
  return new Command(name)
    .summary(summary)
    .description(description)
    .argument(`<${path}>`, about)
    .requiredOption('--clinic <id>', 'the clinic')
    .option('--json', 'print JSON')
    .action((path: string, { clinic: clinic_id, json }: { clinic: string; json?: boolean }) =>
      asOperator(async (database) => {
        const clinic = await requireClinic(database, clinic_id)
        const times = await importTimes(database, clinic, () => new Date())
        const progress = new Progress()
        const report = await run({ database, clinic, path, now: times.now, show: (line) => progress.show(line) })
        progress.end()
        await times.end()
        if (json) printJson(report)
        else print(report)
        if (!isWhole(report)) process.exitCode = 1
      }),
    )
}

/** Shows lines such as `importing 12000 of 36660 rows, 8400 rows/s`, with the speed of the step so far. */
function withSpeed(show: (line: string) => void): (progress: CsvProgress) => void {
  let current: CsvProgress['step'] | null = null
  let startedAt = 0
  return ({ step, rows, of }) => {
    const now = performance.now()
    if (step !== current) {
      current = step
      startedAt = now
    }
    const speed = now === startedAt ? '' : `, ${Math.round(rows / ((now - startedAt) / 1000))} rows/s`
    show(`${step} ${rows}${of === null ? '' : ` of ${of}`} rows${speed}`)
  }
}

/** Prints a line per type of resource, then the reasons for skipped records, then the files that could not be read. */
function printReport({ files, failed, resources }: ImportReport): void {
  printTallies({ files, resources })
  for (const { path, fault } of failed) printFault(`${path}: ${fault}`)
}

function printTallies({ files, resources }: { files: number; resources: Readonly<Record<string, Tally>> }): void {
  const rows = Object.entries(resources).map(([resource, { read, inserted, updated, unchanged, skipped }]) => ({
    resource,
    read,
    inserted,
    updated,
    unchanged,
    skipped: Object.values(skipped).reduce((sum, times) => sum + times, 0),
  }))
  process.stdout.write(`${files} ${files === 1 ? 'file' : 'files'}\n`)
  printRows(rows, ['resource', 'read', 'inserted', 'updated', 'unchanged', 'skipped'], false)
  for (const [resource, { skipped }] of Object.entries(resources)) {
    for (const [reason, times] of Object.entries(skipped)) printLine(`skipped ${times} ${resource}: ${reason}`)
  }
}

/** Prints a line per fault, with its place. */
function printFaults({ faults, unlisted }: CsvImportReport): void {
  for (const { file, line, column, detail } of faults) {
    const place = [file, line === null ? null : `line ${line}`, column].filter((part) => part !== null).join(', ')
    printFault(`${place}: ${detail}`)
  }
  for (const [file, more] of Object.entries(unlisted)) printFault(`${file}: and ${more} more`)
  printFault('nothing was imported')
}
