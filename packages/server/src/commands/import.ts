// `clinicd import fhir <file or folder> --clinic <id>`.
import { listClinics } from '@clinic-data/backend/clinics'
import type { Clinic } from '@clinic-data/contract'
import type { Database } from '@clinic-data/database'
import { Command } from 'commander'
import type { ImportReport } from '../importers/import-report.ts'
import { asOperator } from '../operator.ts'
import { printJson, printRows } from '../output.ts'
import { Progress } from '../progress.ts'
import { UsageError } from '../usage-error.ts'

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
  return command
}

async function fhir(path: string, { clinic: clinic_id, json }: { clinic: string; json?: boolean }): Promise<void> {
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
  for (const { path, fault } of failed) process.stderr.write(`clinicd: ${path}: ${fault}\n`)
}
