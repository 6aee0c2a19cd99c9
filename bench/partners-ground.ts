// The base of `partners.ts`: a clinic with many integrations, two keys each, whose audit log and deliveries are long.
import { createClinic, findClinic } from '@clinic-data/administration/clinics'
import { mintKey } from '@clinic-data/administration/credentials/keys'
import { allScopes, type Clinic } from '@clinic-data/contract'
import { type SecretKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import { type Database, sql } from '@clinic-data/database'
import { DEMO_CLINIC } from '@clinic-data/demo/demo-clinic'
import { storeLog } from './activity-ground.ts'
import { storeDeliveries } from './console-webhooks-ground.ts'

const INTEGRATIONS = 200
const EXPIRY_MS = 10 * 86_400_000

export interface Size {
  /** Of the audit log. */
  rows: number
  deliveries: number
}

/** Returns the clinic, and fills it when it is new. */
export async function clinicOfPartners(owner: Database, { rows, deliveries }: Size, keys: SecretKeys): Promise<Clinic> {
  const clinic_id = `partners-${rows}-${deliveries}`
  const known = await findClinic(owner, clinic_id)
  if (known !== undefined) return known
  const now = new Date()
  const clinic = await createClinic(owner, { ...DEMO_CLINIC, clinic_id, name: 'Clinic of partners', now })
  const key_ids: string[] = []
  for (let n = 1; n <= INTEGRATIONS; n++) {
    const shared = { clinic_id, scopes: allScopes, rate_limit: null, now }
    const first = await mintKey(owner, { ...shared, name: `Partner ${n}`, expires_at: null })
    const [made] = (
      await owner.query<{ integration_id: string }>(
        sql`select integration_id from api_key where clinic_id = ${clinic_id} and id = ${first.id}`,
      )
    ).rows
    const expires_at = new Date(now.getTime() + EXPIRY_MS)
    const integration_id = made?.integration_id ?? null
    const second = await mintKey(owner, { ...shared, name: `Partner ${n}, reports`, expires_at, integration_id })
    key_ids.push(first.id, second.id)
  }
  await storeLog(owner, { clinic_id, key_ids, count: rows, keys: signingKeys(keys, 'audit-head'), now })
  await storeDeliveries(owner, { clinic_id, count: deliveries, keys: signingKeys(keys, 'webhook-secret'), now })
  // The broken webhook is of the busiest partner.
  await owner.query(sql`update subscription set made_by = ${key_ids[0] ?? ''},
      integration_id = (select integration_id from api_key where clinic_id = ${clinic_id} and id = ${key_ids[0] ?? ''})
    where clinic_id = ${clinic_id}`)
  return clinic
}
