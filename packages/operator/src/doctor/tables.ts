// Looks at the tables before a start or `clinicd migrate` changes them: whether they can be brought up to date, and what that ends.
import { hash } from 'node:crypto'
import { migrations, RUNS_ON_ITS_TABLES } from '@clinic-data/backend/migrations'
import { type Database, sql } from '@clinic-data/database'
import { checksumOf } from '@clinic-data/database/schema/form-of-rows'
import { type Finding, fault, ok, warning } from './finding.ts'

/** It changes the key of a table, which a cluster refuses once the table is distributed. */
const NOT_ON_A_CLUSTER = '0022_audit_chain'

/** Said of tables whose version runs on today's. */
const WAY_BACK = 'The version that made the tables goes on beside this one, and can come back'

/** Said of tables whose version does not run on today's. */
export const NO_WAY_BACK =
  'The version that made the tables stops working then, and does not start on them again: stop all its processes and back up first; going back is a restore'

export async function tablesFinding(owner: Database): Promise<Finding> {
  const { rows: there } = await owner.query<{ found: string | null; is_cluster: boolean }>(sql`
    select to_regclass('schema_migration') as found, exists (select from pg_extension where extname = 'citus') as is_cluster`)
  const [{ found, is_cluster } = { found: null, is_cluster: false }] = there
  if (found === null) return ok('tables', 'none yet: a start or clinicd migrate makes them')
  const { rows } = await owner.query<{ id: string; checksum: string }>(sql`select id, checksum from schema_migration`)
  const applied = new Map(rows.map(({ id, checksum }) => [id, checksumOf(checksum)]))
  const changed = migrations.filter(
    ({ id, statements }) => (applied.get(id) ?? hash('sha256', statements)) !== hash('sha256', statements),
  )
  if (changed.length > 0)
    return fault('tables', `${changed.map(({ id }) => id).join(', ')} differs from this program's`)
  const known = new Set(migrations.map(({ id }) => id))
  const newer = [...applied.keys()].filter((id) => !known.has(id)).sort()
  if (newer.length > 0) return warning('tables', `a newer version has changed them: ${newer.join(', ')}`)
  const due = migrations.filter(({ id }) => !applied.has(id))
  if (due.length === 0) return ok('tables', 'up to date')
  if (is_cluster && !applied.has(NOT_ON_A_CLUSTER) && applied.size > 0)
    return fault(
      'tables',
      `this cluster cannot take ${NOT_ON_A_CLUSTER}: go on with the version that made its tables, and import the data into a new cluster`,
    )
  const text = `${due.length} of ${migrations.length} migrations are not applied yet: a start or clinicd migrate does it`
  if (applied.has(RUNS_ON_ITS_TABLES)) return ok('tables', `${text}. ${WAY_BACK}`)
  return warning('tables', `${text}. ${NO_WAY_BACK}`)
}
