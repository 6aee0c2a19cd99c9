// Importing the bundles that Synthea generates: whole, to the cent, and only once.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { sql } from '@clinic-data/database'
import { importing, newClinic, rowsOf } from './fhir-resources.ts'

const SYNTHEA = join(import.meta.dirname, '../../../../shared/data/synthea-fhir-r4')
const absent = existsSync(SYNTHEA) ? false : `there are no Synthea bundles at ${SYNTHEA}`

test('bundles of Synthea are imported whole, to the cent, and only once', { skip: absent }, async () => {
  const clinic = await newClinic()
  const first = await importing(clinic, SYNTHEA)
  assert.deepEqual(first.failed, [])
  const reasons = Object.values(first.resources).flatMap(({ skipped }) => Object.keys(skipped))
  assert.deepEqual([...new Set(reasons)].sort(), ['is of a type that is not imported', 'nothing was paid'])
  type Entry = { resource: { resourceType: string; total?: { value: number } } }
  const entries = globSync(join(SYNTHEA, '*.json')).flatMap(
    (path) => (JSON.parse(readFileSync(path, 'utf8')) as { entry: Entry[] }).entry,
  )
  const claims = entries.filter(({ resource }) => resource.resourceType === 'Claim')
  const charged = claims.reduce((sum, { resource }) => sum + Math.round((resource.total?.value ?? 0) * 100), 0)
  const [row] = await rowsOf(clinic, sql`select sum(price_minor)::int as charged from treatment`)
  assert.equal(row?.charged, charged)
  const second = await importing(clinic, SYNTHEA)
  for (const { inserted, updated } of Object.values(second.resources)) assert.deepEqual([inserted, updated], [0, 0])
})
