// Looks whether the secret keys are those of the database: with others the service starts, delivers no webhook and seals no audit row.
import { faultOfHead, type Head } from '@clinic-data/audit/audit-chain'
import { type SecretKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import { type Database, sql } from '@clinic-data/database'
import { type Finding, fault } from './finding.ts'

interface Sealed extends Head {
  clinic_id: string
  hash: string
}

/** None where they fit. Of each key's clinics one is looked at. */
export async function keysOfDatabaseFindings(owner: Database, keys: SecretKeys | null): Promise<Finding[]> {
  const { rows } = await owner.query(sql`select from pg_class where oid = to_regclass('public.audit_head')`)
  if (keys === null || rows.length === 0) return []
  const heads = await owner.readAsDispatcher<Sealed>(sql`
    select distinct on (key_id) clinic_id, number, key_id, mac, hash
    from audit_head join audit_seal using (clinic_id, number) order by key_id, clinic_id`)
  const signing = signingKeys(keys, 'audit-head')
  const others = heads.filter((head) => faultOfHead(signing, head.clinic_id, head, head) !== null)
  if (others.length === 0) return []
  const ids = others.map(({ key_id }) => key_id).join(', ')
  return [
    fault(
      'secret_keys',
      `they lack those of this database: ${ids}, or have others by these ids. Without them no webhook is delivered and the audit log is not sealed`,
    ),
  ]
}
