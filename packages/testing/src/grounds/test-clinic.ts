// A clinic for a test, in any database that has clinics.
import { randomBytes } from 'node:crypto'
import { allScopes, type Clinic } from '@clinic-data/contract'
import { type Database, sql } from '@clinic-data/database'

/** A clinic of the test's own: what other tests do is out of its sight. */
export async function testClinic(owner: Database, settings: Partial<Clinic> = {}): Promise<Clinic> {
  const clinic = await clinicWithoutKeys(owner, settings)
  await storeKey(owner, clinic)
  return clinic
}

/** For tests that look at all keys of a clinic. */
export async function clinicWithoutKeys(owner: Database, settings: Partial<Clinic> = {}): Promise<Clinic> {
  const clinic = {
    clinic_id: `t${randomBytes(6).toString('hex')}`,
    name: 'Test clinic',
    time_zone: 'Asia/Jerusalem',
    country: 'IL',
    currency: 'ILS',
    week_start: 0 as const,
    min_visit_minutes: 15,
    ...settings,
  }
  const { clinic_id, name, time_zone, country, currency, week_start, min_visit_minutes } = clinic
  await owner.query(sql`insert into clinic
    (clinic_id, name, time_zone, country, currency, week_start, min_visit_minutes, created_at)
    values (${clinic_id}, ${name}, ${time_zone}, ${country}, ${currency}, ${week_start}, ${min_visit_minutes}, now())`)
  return clinic
}

/** The key of tests that ask a backend without a gateway. Nobody has its text. */
export const KEY_ID = 'key'

/** Stores the row of `KEY_ID`, which a write looks for. */
export async function storeKey(owner: Database, { clinic_id }: Clinic): Promise<void> {
  await owner.query(sql`insert into api_key (clinic_id, id, key_hash, first_characters, last_characters, name, scopes, created_at)
    values (${clinic_id}, ${KEY_ID}, ${randomBytes(32).toString('hex')}, '', '', 'test', ${allScopes}, now())`)
}
