// Alerts of a clinic, as the watch over its log stores them.
import assert from 'node:assert/strict'
import { type Notice, storeAlerts } from '@clinic-data/audit/watch/alerts'
import { type Database, sql, utcSession } from '@clinic-data/database'

export const MANY_PATIENTS: Omit<Extract<Notice, { rule: 'many_patients' }>, 'key_id'> = {
  rule: 'many_patients',
  day: '2026-07-14',
  facts: { patients: 4112, busiest: 310, busiest_day: '2026-03-03' },
}

/** @returns the id of the alert. */
export async function storeAlert(
  owner: Database,
  clinic_id: string,
  notice: Notice,
  now = new Date(),
): Promise<string> {
  await owner.write(utcSession(clinic_id), (tx) => storeAlerts(tx, clinic_id, { notices: [notice], now }))
  const { rule, key_id, day } = notice
  const { rows } = await owner.query<{ id: string }>(sql`select id from audit_alert
    where clinic_id = ${clinic_id} and rule = ${rule} and key_id = ${key_id} and day = ${day}`)
  return rows[0]?.id ?? assert.fail('the alert was not stored')
}
