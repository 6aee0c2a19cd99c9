// The base of `partners.ts`: a clinic with many integrations, two keys each, whose audit log and deliveries are long.
import { createAdministrator } from '@clinic-data/administration/administrators'
import { createClinic, findClinic } from '@clinic-data/administration/clinics'
import { mintKey } from '@clinic-data/administration/credentials/keys'
import { APPROVALS } from '@clinic-data/console-contract/approval-operations'
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
export async function clinicOfPartners(owner: Database, size: Size, keys: SecretKeys): Promise<Clinic> {
  const clinic = await filledClinic(owner, size, keys)
  await storeApprovals(owner, clinic.clinic_id)
  return clinic
}

async function filledClinic(owner: Database, { rows, deliveries }: Size, keys: SecretKeys): Promise<Clinic> {
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

const PAIRED_CLINIC = 'partners-paired'

/** A second clinic with the same partners, where the administrator has an account too: its sign-in opens both. @returns the second clinic's id. */
export async function pairWithSecond(
  owner: Database,
  { clinic_id, id }: { clinic_id: string; id: string },
): Promise<string> {
  const now = new Date()
  if ((await findClinic(owner, PAIRED_CLINIC)) === undefined) {
    await createClinic(owner, { ...DEMO_CLINIC, clinic_id: PAIRED_CLINIC, name: 'Second clinic', now })
    const shared = { clinic_id: PAIRED_CLINIC, scopes: allScopes, rate_limit: null, expires_at: null, now }
    for (let n = 1; n <= INTEGRATIONS; n++) await mintKey(owner, { ...shared, name: `Partner ${n}` })
  }
  const email = `bench-${now.getTime()}@clinic.example`
  const other = await createAdministrator(owner, { clinic_id: PAIRED_CLINIC, email, name: 'Measuring', now })
  for (const half of [
    sql`${clinic_id}, ${id}, ${id}, ${PAIRED_CLINIC}, ${other.id}`,
    sql`${PAIRED_CLINIC}, ${id}, ${other.id}, ${clinic_id}, ${id}`,
  ])
    await owner.query(sql`insert into pairing (clinic_id, id, administrator_id, other_clinic_id, other_administrator_id, created_at)
      values (${half}, ${now})`)
  // A link opens no other clinic.
  await owner.query(
    sql`update administrator_session set way = 'password' where clinic_id = ${clinic_id} and administrator_id = ${id}`,
  )
  return PAIRED_CLINIC
}

/** Two people wait for as many approvals as they may, below the longest list of those that are over. */
async function storeApprovals(owner: Database, clinic_id: string): Promise<void> {
  const { rows: known } = await owner.query(sql`select from approval where clinic_id = ${clinic_id} limit 1`)
  if (known.length > 0) return
  const now = new Date()
  const request = JSON.stringify({
    params: {},
    body: { name: 'Partner', scopes: allScopes },
    shown: { name: 'Partner' },
  })
  for (const name of ['Noa', 'Dan']) {
    const email = `${name.toLowerCase()}@clinic.example`
    const { id } = await createAdministrator(owner, { clinic_id, email, name, now })
    await owner.query(sql`insert into approval (clinic_id, id, operation, request, request_hash, asked_by, asked_at, expires_at, withdrawn_at)
      select ${clinic_id}, 'apr_' || ${id}::text || n, 'console.keys.mint', ${request}::jsonb, encode(sha256((${id}::text || n)::bytea), 'hex'), ${id},
        ${now}::timestamptz - n * interval '1 minute', ${now}::timestamptz + interval '1 year',
        case when n > ${APPROVALS.most_waiting} then ${now}::timestamptz end
      from generate_series(1, ${APPROVALS.most_shown / 2}) n`)
  }
}
