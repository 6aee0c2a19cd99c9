// Imports CSV files into a new clinic for the tests, and reads the clinic's rows afterwards.
import assert from 'node:assert/strict'
import type { Clinic } from '@clinic-data/contract'
import { type Statement, sql } from '@clinic-data/database'
import { testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { importCsv } from '../src/csv/import-csv.ts'
import { csvShapes } from '../src/csv/shape.ts'
import { type Files, folderWith } from './folder-with.ts'

export const { ownerUrl, owner, app } = await testDatabase()
export const NOW = new Date('2026-07-15T08:00:00Z')

export const rowsOf = (clinic: Clinic, statement: Statement) => app.read(clinic, statement)

export async function importing(clinic: Clinic, files: Files) {
  return importCsv({ database: app, clinic, folder: await folderWith(files), now: () => NOW })
}

/** The faults as an operator reads them. */
export async function faultsOf(files: Files, clinic?: Clinic): Promise<string[]> {
  const { faults, resources } = await importing(clinic ?? (await testClinic(owner)), files)
  assert.deepEqual(resources, {})
  return faults.map(({ file, line, column, detail }) => `${[file, line, column].join(' ').trim()}: ${detail}`)
}

export async function counts(clinic: Clinic): Promise<Record<string, unknown>> {
  const tables = csvShapes.flatMap(({ table }) => table)
  const counted = tables.map(async (table) => {
    const [row] = await rowsOf(clinic, sql`select count(*)::int as rows from ${sql.identifier(table)}`)
    return [table, row?.rows] as const
  })
  return Object.fromEntries(await Promise.all(counted))
}
