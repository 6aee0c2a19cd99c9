// A clinic's connection to its messaging platform: which platform, account, number and wrapping template.
import { hash } from 'node:crypto'
import type { Clinic } from '@clinic-data/contract'
import { type Database, sql, type Transaction, utcSession } from '@clinic-data/database'
import type { MessagingAccount } from './messaging-platform.ts'

export const platformNames = ['simulated', 'whatsapp'] as const
export type PlatformName = (typeof platformNames)[number]

export interface ClinicMessaging {
  messaging_platform: PlatformName
  messaging_account_id: string | null
  /** E.164. */
  messaging_phone: string | null
  /** The template that carries free text while the window is closed. It and its language are null when there is none. */
  wrapping_template_name: string | null
  wrapping_template_language: string | null
}

export type MessagingClinic = Clinic & ClinicMessaging

const clinicColumns = sql`clinic_id, time_zone, country, currency, week_start, min_visit_minutes, messaging_platform,
  messaging_account_id, messaging_phone, wrapping_template_name, wrapping_template_language`

/** Reads a clinic by its id alone. */
export async function messagingClinic(database: Database, clinic_id: string): Promise<MessagingClinic | null> {
  const [clinic] = await database.read<MessagingClinic>(
    utcSession(clinic_id),
    sql`select ${clinicColumns} from clinic where clinic_id = ${clinic_id}`,
  )
  return clinic ?? null
}

/** Finds the clinic whose account a platform reports about. */
export async function clinicOfAccount(
  database: Database,
  platform: PlatformName,
  account_id: string,
): Promise<MessagingClinic | null> {
  const account_hash = accountHash(platform, account_id)
  const [clinic] = await database.readByKeyHash<MessagingClinic>(
    account_hash,
    sql`select ${clinicColumns} from clinic
      where messaging_account_hash = ${account_hash} and closed_at is null`,
  )
  return clinic ?? null
}

/** Runs within a transaction of the clinic. */
export async function messagingOf(tx: Transaction, { clinic_id }: Clinic): Promise<ClinicMessaging> {
  const { rows } = await tx.query<ClinicMessaging>(sql`select messaging_platform, messaging_account_id, messaging_phone,
    wrapping_template_name, wrapping_template_language from clinic where clinic_id = ${clinic_id}`)
  const [messaging] = rows
  if (messaging === undefined) throw new Error('the clinic of a transaction does not exist')
  return messaging
}

/** The clinic's account on its platform. The simulated platform uses the clinic's own id as the account id. */
export function accountOf({
  clinic_id,
  messaging_platform,
  messaging_account_id,
  messaging_phone,
}: MessagingClinic): MessagingAccount {
  const account_id = messaging_platform === 'simulated' ? clinic_id : (messaging_account_id ?? '')
  return { clinic_id, account_id, phone: messaging_phone }
}

/** A report's clinic is found by this hash. */
export function accountHash(platform: PlatformName, account_id: string): string {
  return hash('sha256', `${platform}:${account_id}`, 'hex')
}
