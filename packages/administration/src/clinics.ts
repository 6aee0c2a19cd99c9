// The operator's commands for clinics: making, changing and listing them.
import type { SignInDemand } from '@clinic-data/console-contract/sign-in-demand'
import type { Clinic } from '@clinic-data/contract'
import { requireName } from '@clinic-data/contract/given-name'
import { normalPhone } from '@clinic-data/contract/phone'
import { type Database, sql, type Transaction, utcSession, violates, withInstants } from '@clinic-data/database'

export interface NewClinic extends Clinic {
  /** Shown to operators, and to agents at the start of a session. */
  name: string
  /** Today's first free slot begins at a multiple of this. */
  slot_step_minutes?: number
  /** Whether answered calls are transcribed. */
  ai_transcription?: boolean
  now?: Date
}

export interface ListedClinic extends Clinic {
  name: string
  slot_step_minutes: number
  ai_transcription: boolean
  /** How everybody must sign in to the console. */
  sign_in_demand: SignInDemand
  /** In the console a second person approves whatever opens patients' data wider. */
  needs_approval: boolean
  created_at: string
  /** Nothing opens it any more. */
  closed_at: string | null
  /** Its rows are gone or going. Its id is never given again. */
  deleted_at: string | null
}

const CLINIC_ID = /^[a-z0-9][a-z0-9_-]{0,62}$/

export const isClinicId = (text: string) => CLINIC_ID.test(text)

const LONGEST_VISIT_MINUTES = 1440

/** The steps that divide an hour, so that every hour has the same ones. */
export const SLOT_STEPS = [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60]
export const DEFAULT_SLOT_STEP = 5

/** A number that can be read for every supported country. */
const ANY_PHONE = '+12015550123'

/**
 * Makes a clinic.
 *
 * @param owner a database opened as the owner of the tables.
 * @throws Error with a line for the operator when a value is refused or the id is taken.
 */
export async function createClinic(owner: Database, clinic: NewClinic): Promise<ListedClinic> {
  refuseUnsuitable(clinic)
  const { clinic_id, name, time_zone, currency, country, week_start, min_visit_minutes } = clinic
  const { slot_step_minutes = DEFAULT_SLOT_STEP, ai_transcription = false } = clinic
  await requireTimeZone(owner, time_zone)
  const insert = sql`insert into clinic (clinic_id, name, time_zone, currency, country, week_start, min_visit_minutes,
      slot_step_minutes, ai_transcription, created_at)
    values (${clinic_id}, ${name}, ${time_zone}, ${currency}, ${country}, ${week_start}, ${min_visit_minutes},
      ${slot_step_minutes}, ${ai_transcription}, ${clinic.now ?? new Date()}) returning ${listedColumns}`
  try {
    // Row level security also binds an owner who is no superuser, so this needs the clinic's own session.
    const { rows } = await owner.write(utcSession(clinic_id), (tx) => tx.query<ListedClinic>(insert))
    const [made] = rows
    if (made === undefined) throw new Error('the clinic was not made')
    return listedClinic(made)
  } catch (error) {
    if (!violates(error, 'unique')) throw error
    throw new Error(`there is or was a clinic with the id ${clinic_id} already`, { cause: error })
  }
}

/** The operator may change these. Amounts are stored in the clinic's currency, so that stays. */
export type ClinicChanges = Partial<
  Pick<
    NewClinic,
    'name' | 'time_zone' | 'country' | 'week_start' | 'min_visit_minutes' | 'slot_step_minutes' | 'ai_transcription'
  > &
    Pick<ListedClinic, 'sign_in_demand' | 'needs_approval'>
>

/**
 * Changes a clinic's settings. Gateways use them within a second.
 *
 * @param beside runs in the same transaction, last.
 * @throws Error with a line for the operator when a value is refused or there is no such clinic.
 */
export async function updateClinic(
  owner: Database,
  clinic_id: string,
  changes: ClinicChanges,
  beside: (tx: Transaction, clinic_id: string) => void,
): Promise<ListedClinic> {
  const known = await findClinic(owner, clinic_id)
  if (known === undefined) throw new Error(`there is no clinic with the id ${clinic_id}`)
  refuseUnsuitable({ ...known, ...changes })
  if (changes.time_zone !== undefined) await requireTimeZone(owner, changes.time_zone)
  const assignments = Object.entries(changes).map(([column, value]) => sql`${sql.identifier(column)} = ${value}`)
  return owner.write(utcSession(clinic_id), async (tx) => {
    const { rows } = await tx.query<ListedClinic>(sql`update clinic set ${sql.join(assignments)}
      where clinic_id = ${clinic_id} and closed_at is null returning ${listedColumns}`)
    const [changed] = rows
    if (changed === undefined) throw new Error(`the clinic ${clinic_id} was closed meanwhile`)
    beside(tx, clinic_id)
    return listedClinic(changed)
  })
}

/** Every clinic, by id, also those that were deleted. */
export async function listClinics(owner: Database): Promise<ListedClinic[]> {
  const { rows } = await owner.query<ListedClinic>(sql`select ${listedColumns} from clinic order by clinic_id`)
  return rows.map(listedClinic)
}

/** Also one that was closed or deleted. */
export async function findClinic(owner: Database, clinic_id: string): Promise<ListedClinic | undefined> {
  return (await listClinics(owner)).find((one) => one.clinic_id === clinic_id)
}

const listedColumns = sql`clinic_id, name, time_zone, currency, country, week_start, min_visit_minutes,
  slot_step_minutes, ai_transcription, sign_in_demand, needs_approval, created_at, closed_at, deleted_at`

const listedClinic = (row: ListedClinic) => withInstants(row, 'created_at', 'closed_at', 'deleted_at')

function refuseUnsuitable(clinic: NewClinic): void {
  const { clinic_id, name, currency, country, week_start, min_visit_minutes, slot_step_minutes } = clinic
  const refuse = (line: string) => {
    throw new Error(line)
  }
  if (!CLINIC_ID.test(clinic_id)) {
    refuse('a clinic id holds 1 to 63 lower case letters, digits, - and _, and begins with a letter or digit')
  }
  requireName(name, "a clinic's")
  if (!Intl.supportedValuesOf('currency').includes(currency))
    refuse('the currency must be an ISO 4217 code such as ILS')
  if (normalPhone(ANY_PHONE, country) === null) refuse('the country must be an ISO 3166-1 alpha-2 code such as IL')
  if (week_start !== 0 && week_start !== 1) refuse('the week starts on 0 (Sunday) or 1 (Monday)')
  if (!Number.isInteger(min_visit_minutes) || min_visit_minutes < 1 || min_visit_minutes > LONGEST_VISIT_MINUTES) {
    refuse(`the shortest visit is a whole number of minutes from 1 to ${LONGEST_VISIT_MINUTES}`)
  }
  if (slot_step_minutes !== undefined && !SLOT_STEPS.includes(slot_step_minutes)) {
    refuse(`the step of slots is one of ${SLOT_STEPS.join(', ')} minutes`)
  }
}

async function requireTimeZone(owner: Database, time_zone: string): Promise<void> {
  const { rows } = await owner.query(sql`select from pg_timezone_names where name = ${time_zone}`)
  if (rows.length === 0) throw new Error('the time zone must be an IANA name such as Asia/Jerusalem')
}
