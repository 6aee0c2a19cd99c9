// Makes an integration, and changes its name and what is written down about it.
import type { Integration } from '@clinic-data/console-contract/integration-operations'
import { Problem } from '@clinic-data/contract'
import { foldLabel } from '@clinic-data/contract/folded-name'
import { newId } from '@clinic-data/contract/new-id'
import { type ClinicDatabase, type ClinicSession, sql, type Transaction, violates } from '@clinic-data/database'
import { requireAsKnown } from '@clinic-data/surface/as-known'
import { notFound } from '@clinic-data/surface/not-found'
import { lockIntegrations, requireOwnName } from '@clinic-data/webhooks/integrations/integration'
import { findIntegration } from './list-integrations.ts'

export interface Written {
  readonly name?: string | undefined
  readonly contact?: string | null | undefined
  readonly notes?: string | null | undefined
}

export interface Recorded {
  readonly now: Date
  /** Adds the audit row. */
  readonly record: (tx: Transaction, ids: readonly string[]) => void
}

/** @throws Problem 409 for a request that has made one already, 422 for a name that another one has. */
export async function createIntegration(
  database: ClinicDatabase,
  clinic: ClinicSession,
  { name, contact, notes }: Written & { readonly name: string },
  { mint_request, now, record }: Recorded & { readonly mint_request: string },
): Promise<Integration> {
  const id = newId('int', now)
  try {
    await database.write(clinic, async (tx) => {
      await lockIntegrations(tx, clinic.clinic_id)
      await tx.query(sql`insert into integration (clinic_id, id, name, contact, notes, created_at, mint_request)
        values (${clinic.clinic_id}, ${id}, ${name}, ${contact || null}, ${notes || null}, ${now}, ${mint_request})`)
      await requireOwnName(tx, { clinic_id: clinic.clinic_id, id, name })
      record(tx, [id])
    })
  } catch (error) {
    if (!violates(error, 'unique')) throw error
    throw new Problem('conflict', 'This Idempotency-Key has made an integration already.', {}, error)
  }
  return findIntegration(database, clinic, id, now)
}

/** @throws Problem 404, 409 for one that has changed since the form was opened, 422 for a name that another one has. */
export async function changeIntegration(
  database: ClinicDatabase,
  clinic: ClinicSession,
  { id, known, ...written }: Written & { readonly id: string; readonly known?: object | undefined },
  { now, record }: Recorded,
): Promise<Integration> {
  const { clinic_id } = clinic
  const { name, contact, notes } = written
  const columns = [
    ...(name === undefined ? [] : [sql`name = ${name}`]),
    ...(contact === undefined ? [] : [sql`contact = ${contact || null}`]),
    ...(notes === undefined ? [] : [sql`notes = ${notes || null}`]),
  ]
  await database.write(clinic, async (tx) => {
    await lockIntegrations(tx, clinic_id)
    const one = sql`clinic_id = ${clinic_id} and id = ${id}`
    const { rows } = await tx.query<{ name: string }>(sql`select name, contact, notes from integration where ${one}`)
    const [stored] = rows
    if (stored === undefined) throw notFound('integration', id)
    requireAsKnown({ ...stored }, known)
    const set = sql.join(columns.length === 0 ? [sql`name = name`] : columns)
    await tx.query(sql`update integration set ${set} where ${one}`)
    // Those that share a name since a former version may still be changed otherwise.
    const isRenamed = name !== undefined && foldLabel(name) !== foldLabel(stored.name)
    if (isRenamed) await requireOwnName(tx, { clinic_id, id, name })
    record(tx, [id])
  })
  return findIntegration(database, clinic, id, now)
}
