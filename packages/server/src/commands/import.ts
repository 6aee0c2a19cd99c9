// `clinicd import fhir <file or folder> --clinic <id>`, `clinicd import csv <folder> --clinic <id>`.
import { listClinics } from '@clinic-data/backend/clinics'
import type { Clinic } from '@clinic-data/contract'
import type { Database } from '@clinic-data/database'
import { Command } from 'commander'
import type { CsvImportReport } from '../importers/csv.ts'
import type { ImportReport, Tally } from '../importers/import-report.ts'
import { asOperator } from '../operator.ts'
import { printJson, printRows } from '../output.ts'
import { Progress } from '../progress.ts'
import { UsageError } from '../usage-error.ts'

type Options = { clinic: string; json?: boolean }

export function importCommand(): Command {
  const command = new Command('import').description(
    'Load data into a clinic. Importing the same again changes nothing.',
  )
  command
    .command('fhir')
    .description(
      'Load FHIR R4 bundles: patients, practitioners, organizations, encounters, procedures, claims, benefits.',
    )
    .argument('<path>', 'a bundle, or a folder: every *.json in it and below')
    .requiredOption('--clinic <id>', 'the clinic')
    .option('--json', 'print JSON')
    .action(fhir)
  command
    .command('csv')
    .description('Load our own CSV files (docs/csv.md): nothing while anything in them is wrong, else all of it.')
    .argument('<folder>', 'with patients.csv, appointments.csv and so on, any of them')
    .requiredOption('--clinic <id>', 'the clinic')
    .option('--json', 'print JSON')
    .action(csv)
  return command
}

async function csv(folder: string, { clinic: clinic_id, json }: Options): Promise<void> {
  await asOperator(async (owner) => {
    const clinic = await clinicOf(owner, clinic_id)
    const { importCsv } = await import('../importers/csv.ts')
    const progress = new Progress()
    const report = await importCsv({
      database: owner,
      clinic,
      folder,
      onProgress: speedOf((line) => progress.show(line)),
    })
    progress.end()
    if (json) printJson(report)
    else if (report.faults.length === 0) printFiles(report.files, report.resources)
    if (report.faults.length === 0) return
    if (!json) printFaults(report)
    process.exitCode = 1
  })
}

/** `importing: 12000 of 36660 rows, 8400 rows/s`, the speed of the step. */
function speedOf(show: (line: string) => void) {
  let current = ''
  let startedAt = 0
  return ({ step, rows, of }: { step: string; rows: number; of: number | null }) => {
    if (step !== current) {
      current = step
      startedAt = performance.now()
    }
    const speed = Math.round(rows / Math.max(0.001, (performance.now() - startedAt) / 1000))
    show(`${step}: ${rows}${of === null ? '' : ` of ${of}`} rows, ${speed} rows/s`)
  }
}

/** A line a fault, with its place. */
function printFaults({ faults, untold }: CsvImportReport): void {
  for (const { file, line, column, detail } of faults) {
    const place = [file, ...(line === null ? [] : [`line ${line}`]), ...(column === null ? [] : [column])].join(', ')
    process.stderr.write(`${place}: ${detail}\n`)
  }
  for (const [file, more] of Object.entries(untold)) process.stderr.write(`${file}: and ${more} more\n`)
  process.stderr.write('clinicd: nothing was imported\n')
}

async function fhir(path: string, { clinic: clinic_id, json }: Options): Promise<void> {
  await asOperator(async (owner) => {
    const clinic = await clinicOf(owner, clinic_id)
    const { importFhir } = await import('../importers/fhir.ts')
    const progress = new Progress()
    const report = await importFhir({
      database: owner,
      clinic,
      path,
      onProgress: ({ step, files, of }) => progress.show(`${step} ${files} of ${of}`),
    })
    progress.end()
    if (json) printJson(report)
    else printReport(report)
    if (report.failed.length > 0) process.exitCode = 1
  })
}

async function clinicOf(owner: Database, clinic_id: string): Promise<Clinic> {
  const clinic = (await listClinics(owner)).find((one) => one.clinic_id === clinic_id)
  if (!clinic)
    throw new UsageError(
      `there is no clinic ${clinic_id}; make it with: clinicd clinics create --id ${clinic_id} --name <name>`,
    )
  return clinic
}

/** A line a type of resource, then why any were left out, then the files that could not be read. */
function printReport({ files, failed, resources }: ImportReport): void {
  printFiles(files, resources)
  for (const { path, fault } of failed) process.stderr.write(`clinicd: ${path}: ${fault}\n`)
}

function printFiles(files: number, resources: Readonly<Record<string, Tally>>): void {
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
    for (const [reason, times] of Object.entries(skipped))
      process.stdout.write(`skipped ${times} ${resource}: ${reason}\n`)
  }
}
