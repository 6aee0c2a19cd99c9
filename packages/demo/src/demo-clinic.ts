// The clinic "demo": made at the first start, completed after an interrupted one, continued at later ones.

import { createClinic } from '@clinic-data/administration/clinics'
import type { Clinic } from '@clinic-data/contract'
import type { SigningKeys } from '@clinic-data/contract/secret-keys'
import { type Database, instant, sql } from '@clinic-data/database'
import { CLINIC_PHONE } from './chats.ts'
import { continueCalendar } from './continue-calendar.ts'
import { storeExampleSubscriptions } from './examples/subscriptions.ts'
import { type DemoProgress, generateDemo } from './generate-demo.ts'
import { WRAPPING_TEMPLATE } from './templates.ts'

export const DEMO_CLINIC: Clinic = {
  clinic_id: 'demo',
  time_zone: 'Asia/Jerusalem',
  currency: 'ILS',
  country: 'IL',
  week_start: 0,
  min_visit_minutes: 15,
}

const NAME = 'Carmel Dental (demo)'

/** The clinic's name until the last row is written. It marks an interrupted demo. */
const NAME_WHILE_PREPARED = 'Demo clinic, being prepared'

export type DemoClinicOptions = {
  /** Opened as the owner of the tables, who makes the clinic. */
  owner: Database
  /** Opened as the application. */
  database: Database
  now: Date
  /** For tests: another clinic. */
  clinic?: Clinic
  patients?: number
  onProgress?: (progress: DemoProgress) => void
  /** Called when the patients of a new clinic are stored. The rest waits for it. */
  onPatients?: () => Promise<void>
  /** Seals the secrets of the examples' subscriptions. Without it there are none. */
  webhookKeys?: SigningKeys
}

/**
 * An interrupted demo is completed as of its first start; its existing rows stay. A complete one gets new days when few booked
 * ones are left; changes made in it stay, but the examples' subscriptions are there again.
 */
export async function ensureDemoClinic(options: DemoClinicOptions): Promise<'made' | 'continued' | 'present'> {
  const outcome = await ensureRows(options)
  const { database, now, clinic = DEMO_CLINIC, webhookKeys } = options
  if (webhookKeys) await storeExampleSubscriptions(database, clinic, webhookKeys, now)
  return outcome
}

/** Whether the demo clinic was filled. It may still get new days. */
export async function isDemoFilled(database: Database): Promise<boolean> {
  return isFilled(await storedClinic(database, DEMO_CLINIC))
}

function isFilled(known: { name: string } | undefined): boolean {
  return known !== undefined && known.name !== NAME_WHILE_PREPARED
}

async function ensureRows(options: DemoClinicOptions): Promise<'made' | 'continued' | 'present'> {
  const { owner, database, now, clinic = DEMO_CLINIC, patients, onProgress, onPatients } = options
  const known = await storedClinic(database, clinic)
  if (isFilled(known)) {
    return (await continueCalendar({ database, clinic, now })) ? 'continued' : 'present'
  }
  const begun =
    known ?? (await createClinic(owner, { ...clinic, name: NAME_WHILE_PREPARED, ai_transcription: true, now }))
  await generateDemo({
    database,
    clinic,
    now: new Date(instant(begun.created_at) ?? now),
    ...(patients === undefined ? {} : { patients }),
    ...(onProgress === undefined ? {} : { onProgress }),
    ...(onPatients === undefined ? {} : { onPatients }),
  })
  // Otherwise the planner would not know the new rows for a minute.
  await owner.query(sql`analyze`)
  await database.write(clinic, (tx) =>
    tx.query(sql`update clinic set name = ${NAME}, messaging_phone = ${CLINIC_PHONE},
      wrapping_template_name = ${WRAPPING_TEMPLATE.name}, wrapping_template_language = ${WRAPPING_TEMPLATE.language}
      where clinic_id = ${clinic.clinic_id}`),
  )
  return 'made'
}

async function storedClinic(
  database: Database,
  clinic: Clinic,
): Promise<{ name: string; created_at: string } | undefined> {
  const [stored] = await database.read<{ name: string; created_at: string; closed_at: string | null }>(
    clinic,
    sql`select name, created_at, closed_at from clinic where clinic_id = ${clinic.clinic_id}`,
  )
  if (stored?.closed_at) throw new Error('the demo clinic was deleted: serve without --demo, or with another DATA_DIR')
  return stored
}
