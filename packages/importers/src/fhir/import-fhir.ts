// Imports FHIR R4 bundles into a clinic: a file, or a folder with everything in it.
//
// Files are read entry by entry, several times: first to find faults and the names of resources, then for people and places, for
// encounters, and for treatments and payments. So a reference may point to any place in any file, and memory does not grow
// with the files.

import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clinic } from '@clinic-data/contract'
import type { Database } from '@clinic-data/database'
import { addTally, emptyTally, type ImportReport, skip, type Tally, tallyOf } from '../import-report.ts'
import { BundleFault, readBundle } from './bundle-reader.ts'
import { ProcedurePrices } from './claims.ts'
import type { ImportContext } from './fhir-import.ts'
import type { BundleEntry, Claim } from './fhir-r4.ts'
import { References } from './references.ts'
import { BundleImport, type ImportStep, isImported, STEPS } from './steps.ts'

export type FhirImportOptions = {
  /** Opened as the application's role or as the owner: both may write the clinic's rows. */
  database: Database
  clinic: Clinic
  /** A bundle, or a folder with bundles: every `*.json` in it and below. */
  path: string
  /** The clock. */
  now?: () => Date
  onProgress?: (progress: { step: 'reading' | 'importing'; files: number; of: number }) => void
}

/**
 * A second run of the same files changes nothing. No events are emitted.
 *
 * @returns the counts by type of resource, and the broken files, from which nothing was imported.
 * @throws Error when there is nothing at the path, DatabaseUnavailable. Rows that were written before stay.
 */
export async function importFhir(options: FhirImportOptions): Promise<ImportReport> {
  const { database, clinic, path, now = () => new Date(), onProgress = () => undefined } = options
  const files = await bundleFiles(path)
  const report: ImportReport = { files: files.length, failed: [], resources: {} }
  const context: ImportContext = {
    clinic,
    now: now().toISOString(),
    storedAt: () => now().toISOString(),
    references: new References(),
    prices: new ProcedurePrices(),
  }
  const sound: Survey[] = []
  for (const [i, file] of files.entries()) {
    const survey = await surveyed(file, context, report)
    if (survey !== null) sound.push(survey)
    onProgress({ step: 'reading', files: i + 1, of: files.length })
  }
  context.prices.settle(context.references)
  const bundles = new BundleImport(database, context, report)
  let done = 0
  for (const step of STEPS) {
    for (const { path: file, types } of sound) {
      if (Object.keys(step).some((type) => types.has(type))) await taken(bundles, file, step, report)
      onProgress({ step: 'importing', files: ++done, of: sound.length * STEPS.length })
    }
    await bundles.finish(step)
  }
  return report
}

/** A file may change after its first reading. Rows that were stored of it stay. */
async function taken(bundles: BundleImport, path: string, step: ImportStep, report: ImportReport): Promise<void> {
  try {
    await bundles.take(path, step)
  } catch (error) {
    if (!(error instanceof BundleFault)) throw error
    report.failed.push({ path, fault: `was changed during the import: ${error.message}` })
  }
}

async function bundleFiles(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => null)
  if (found === null) throw new Error(`there is no file or folder ${path}`)
  if (!found.isDirectory()) return [path]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => !entry.isDirectory() && /\.json$/i.test(entry.name))
  if (files.length === 0) throw new Error(`there is no *.json file in the folder ${path}`)
  return files.map((entry) => join(entry.parentPath, entry.name)).sort()
}

type Survey = { path: string; types: Set<string> }

/** Null for a broken file. */
async function surveyed(path: string, context: ImportContext, report: ImportReport): Promise<Survey | null> {
  const tallies: Record<string, Tally> = {}
  try {
    for await (const entries of readBundle(path)) {
      for (const entry of entries) {
        const type = typeOf(entry)
        const tally = tallies[type] ?? emptyTally()
        tallies[type] = tally
        tally.read += 1
        if (!isImported(type)) skip(tally, 'is of a type that is not imported')
        else context.references.learn(entry)
        if (type === 'Claim') context.prices.learn(entry.resource as Claim, context.clinic.currency)
      }
    }
  } catch (error) {
    if (!(error instanceof BundleFault)) throw error
    report.failed.push({ path, fault: error.message })
    return null
  }
  for (const [type, tally] of Object.entries(tallies)) addTally(tallyOf(report, type), tally)
  return { path, types: new Set(Object.keys(tallies)) }
}

/** The type, if it looks like one: the report must not show arbitrary content of a file. */
function typeOf({ resource }: BundleEntry): string {
  const type = resource?.resourceType
  return typeof type === 'string' && /^[A-Z][A-Za-z]{1,63}$/.test(type) ? type : 'unknown'
}
