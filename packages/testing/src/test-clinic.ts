// A clinic for a test, in any database that has clinics.
import { randomBytes } from 'node:crypto'
import type { Clinic } from '@clinic-data/contract'
import { type Database, sql } from '@clinic-data/database'

/** A clinic of the test's own: what other tests do is out of its sight. */
export async function testClinic(owner: Database, settings: Partial<Clinic> = {}): Promise<Clinic> {
  const clinic = {
    clinic_id: `t${randomBytes(6).toString('hex')}`,
    name: 'A clinic',
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
