// After a rotation of the secret keys: seals the secrets of subscriptions anew with the current key, and tells which keys still have some.
import { sealedBy } from '@clinic-data/contract/sealed-text'
import type { SigningKeys } from '@clinic-data/contract/secret-keys'
import { type ClinicSession, type Database, sql, type Transaction } from '@clinic-data/database'
import type { FormerSecret } from './rotate-secret.ts'
import { needsResealing, openSecret, sealSecret } from './sealed-secret.ts'

export interface SealedRow {
  id: string
  secret: Uint8Array
  former_secrets: FormerSecret[]
}

/** A clinic has few subscriptions. */
export const sealedColumns = sql`id, secret, former_secrets from subscription`

/**
 * Seals each secret of a clinic that a former key has sealed, also those that sign only for a day. Deliveries go on meanwhile: a secret
 * opens before and after.
 *
 * @returns how many subscriptions have changed.
 * @throws Error when a secret cannot be opened. Those of other clinics do not depend on it.
 */
export async function resealSecrets(database: Database, clinic: ClinicSession, keys: SigningKeys): Promise<number> {
  const { clinic_id } = clinic
  const isFormer = ({ secret, former_secrets }: SealedRow) =>
    [secret, ...former_secrets.map(bytesOf)].some((sealed) => needsResealing(keys, sealed))
  const found = await database.read<SealedRow>(clinic, sql`select ${sealedColumns} where clinic_id = ${clinic_id}`)
  if (!found.some(isFormer)) return 0
  return database.write(clinic, async (tx) => {
    const { rows } = await tx.query<SealedRow>(sql`
      select ${sealedColumns} where clinic_id = ${clinic_id} order by id for update`)
    const former = rows.filter(isFormer)
    for (const row of former) await reseal(tx, clinic_id, keys, row)
    return former.length
  })
}

async function reseal(tx: Transaction, clinic_id: string, keys: SigningKeys, row: SealedRow): Promise<void> {
  const owner = { clinic_id, subscription_id: row.id }
  const anew = (sealed: Uint8Array) => sealSecret(keys, owner, openSecret(keys, owner, sealed))
  const former = row.former_secrets.map((one) => ({ ...one, sealed: anew(bytesOf(one)).toString('base64') }))
  await tx.query(sql`update subscription set secret = ${anew(row.secret)}, former_secrets = ${JSON.stringify(former)}::jsonb
    where clinic_id = ${clinic_id} and id = ${row.id}`)
}

/** The id of the key of each sealed secret of a clinic. */
export async function sealingKeys(database: Database, clinic: ClinicSession): Promise<string[]> {
  const rows = await database.read<SealedRow>(
    clinic,
    sql`select ${sealedColumns} where clinic_id = ${clinic.clinic_id}`,
  )
  return rows.flatMap(sealersOf)
}

/** The id of the key of each of its secrets. */
export function sealersOf({ secret, former_secrets }: SealedRow): string[] {
  return [secret, ...former_secrets.map(bytesOf)].map(sealedBy)
}

function bytesOf({ sealed }: FormerSecret): Uint8Array {
  return Buffer.from(sealed, 'base64')
}
