// The base of `activity.ts`: a clinic whose audit log holds many rows of the last month, sealed and summed as they would be.

import { createClinic, findClinic } from '@clinic-data/administration/clinics'
import { mintKey } from '@clinic-data/administration/credentials/keys'
import { AuditSealer } from '@clinic-data/audit/audit-seal'
import type { Clinic } from '@clinic-data/contract'
import type { SigningKeys } from '@clinic-data/contract/secret-keys'
import { type Database, sql } from '@clinic-data/database'
import { DEMO_CLINIC } from '@clinic-data/demo/demo-clinic'

const KEYS = 10
const DAYS = 30
/** Longer than a row settles. */
const ROUND_MS = 60_000

/** The patient whom a thousandth of the rows name, in all of the month. And one whom only the oldest row names. */
export const PATIENTS = { usual: 'patient-77', oldest: 'patient-oldest' } as const

interface Log {
  clinic_id: string
  /** They share the requests. */
  key_ids: readonly string[]
  count: number
  keys: SigningKeys
  now: Date
}

/** Returns the clinic, and fills it with `count` rows when it is new. */
export async function auditedClinic(owner: Database, count: number, keys: SigningKeys): Promise<Clinic> {
  const clinic_id = `audited-${count}`
  const known = await findClinic(owner, clinic_id)
  if (known !== undefined) return known
  const now = new Date()
  const clinic = await createClinic(owner, { ...DEMO_CLINIC, clinic_id, name: 'Audited clinic', now })
  const ids: string[] = []
  for (let n = 1; n <= KEYS; n++) {
    const wanted = { clinic_id, name: `Integration ${n}`, scopes: ['patients:read'] as const, expires_at: null }
    ids.push((await mintKey(owner, { ...wanted, rate_limit: null, now })).id)
  }
  await storeLog(owner, { clinic_id, key_ids: ids, count, keys, now })
  return clinic
}

/** A month of requests by these keys, sealed and summed. */
export async function storeLog(owner: Database, { clinic_id, key_ids, count, keys, now }: Log): Promise<void> {
  await makeDays(owner)
  // Lists name 25 patients, the other reads one. One request in 50 is refused, one in 1,000 fails.
  await owner.query(sql`insert into audit
    (clinic_id, stored_at, at, key_id, operation, surface, resource_ids, count, status, request_id, address, duration_ms)
    select ${clinic_id}, moment, moment, (${key_ids}::text[])[1 + (n % 1000) * (n % 1000) % ${key_ids.length}::integer],
      (array['patients.list', 'patients.get', 'appointments.list', 'payments.search', 'me.get'])[1 + n % 5],
      (array['rest', 'rest', 'mcp'])[1 + n % 3],
      case when n = 1 then array[${PATIENTS.oldest}::text]
        when n % 5 in (0, 2) then array(select 'patient-' || (n * 7 + i * 31) % 25000 from generate_series(1, 25) i)
        else array['patient-' || n * 7 % 1000] end,
      1, case when n % 1000 = 999 then 500 when n % 50 = 0 then 404 else 200 end, 'req_' || n, '192.0.2.1',
      1 + (n * 37) % 40 + case when n % 100 = 0 then 900 else 0 end
    from generate_series(1, ${count}::integer) n,
      lateral (select ${now}::timestamptz - (${count}::integer - n) * interval '1 day' * ${DAYS}::integer / ${count}::integer as moment) at`)
  await owner.query(sql`analyze audit`)
  let ms = 0
  const sealer = new AuditSealer({ keys, now: () => now, monotonic: () => ms })
  await sealer.seal(owner, clinic_id)
  ms += ROUND_MS
  await sealer.seal(owner, clinic_id)
}

/** A service has made each day's partition before the day came. */
async function makeDays(owner: Database): Promise<void> {
  for (let age = DAYS; age > 0; age--) {
    const day = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
    const [from, to] = [day(age), day(age - 1)]
    await owner.maintain((tx) =>
      tx.script(`create table if not exists audit_${from.replaceAll('-', '')} partition of audit
        for values from ('${from} 00:00Z') to ('${to} 00:00Z')`),
    )
  }
}
