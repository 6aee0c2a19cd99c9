// The clinic's page: settings, working hours, and the tokens of the clinic's own systems.

import {
  type ClinicSettings,
  CONSOLE_TOKENS,
  type ConsoleToken,
  type MintedConsoleToken,
  WORKING_HOURS,
  type WorkingHours,
} from '@clinic-data/console-contract/clinic-operations'
import { Problem } from '@clinic-data/contract'
import { type ClinicDatabase, type Statement, sql, withInstants } from '@clinic-data/database'
import { notFound } from '@clinic-data/surface/not-found'
import { AlreadyMinted, type InSameTransaction } from '../credentials/credentials.ts'
import { type ListedToken, mintIngestToken, revokeIngestToken } from '../credentials/ingest-tokens.ts'
import type { ActiveSession } from '../sessions/sessions.ts'
import type { ConsoleParts } from '../sign-in/console-parts.ts'

export function clinicSettings(
  { usualRate, demo }: Pick<ConsoleParts, 'usualRate' | 'demo'>,
  { clinic }: ActiveSession,
): ClinicSettings {
  const is_demo = demo?.clinic_id === clinic.clinic_id
  return { usual_rate: usualRate, min_visit_minutes: clinic.min_visit_minutes, is_demo }
}

/** In the order of branches, providers and the week. */
export function readWorkingHours(consoleDatabase: ClinicDatabase, { clinic }: ActiveSession): Promise<WorkingHours[]> {
  return consoleDatabase.read<WorkingHours>(
    clinic,
    sql`select provider_id, branch_id, weekday, to_char(starts_at, 'HH24:MI') as starts_at,
        case when ends_at = '24:00' then '24:00' else to_char(ends_at, 'HH24:MI') end as ends_at
      from working_hours where clinic_id = ${clinic.clinic_id}
      order by branch_id, provider_id, weekday, working_hours.starts_at limit ${WORKING_HOURS}`,
  )
}

/** The tokens of the session's clinic, newest first, including revoked ones. */
export async function listConsoleTokens(
  consoleDatabase: ClinicDatabase,
  { clinic }: ActiveSession,
): Promise<ConsoleToken[]> {
  return (await consoleDatabase.read<TokenRow>(clinic, tokensWhere(clinic.clinic_id, sql`true`))).map(consoleToken)
}

/** @throws Problem 409 for a request that has minted a token already. */
export async function mintConsoleToken(
  consoleDatabase: ClinicDatabase,
  session: ActiveSession,
  name: string,
  { mint_request, now, beside }: { mint_request: string; now: Date; beside: InSameTransaction },
): Promise<MintedConsoleToken> {
  const { clinic_id } = session.clinic
  const made_by = session.administrator.id
  try {
    const { id, token } = await mintIngestToken(
      consoleDatabase,
      { clinic_id, name, now, made_by, mint_request },
      beside,
    )
    return { ...(await tokenOf(consoleDatabase, session, id)), token }
  } catch (error) {
    if (!(error instanceof AlreadyMinted)) throw error
    const detail = 'This Idempotency-Key has minted a token, which was shown once. Revoke that token if it was lost.'
    throw new Problem('conflict', detail, {}, error)
  }
}

/** @throws Problem 404 */
export async function revokeConsoleToken(
  consoleDatabase: ClinicDatabase,
  session: ActiveSession,
  { id, now, beside }: { id: string; now: Date; beside: InSameTransaction },
): Promise<ConsoleToken> {
  await tokenOf(consoleDatabase, session, id)
  await revokeIngestToken(consoleDatabase, { clinic_id: session.clinic.clinic_id, id, now }, beside)
  return tokenOf(consoleDatabase, session, id)
}

type TokenRow = ListedToken & { made_by: string | null; made_by_name: string | null }

async function tokenOf(consoleDatabase: ClinicDatabase, { clinic }: ActiveSession, id: string): Promise<ConsoleToken> {
  const [row] = await consoleDatabase.read<TokenRow>(clinic, tokensWhere(clinic.clinic_id, sql`t.id = ${id}`))
  if (row === undefined) throw notFound('token', id)
  return consoleToken(row)
}

function tokensWhere(clinic_id: string, condition: Statement): Statement {
  return sql`select t.id, t.name, t.first_characters, t.last_characters, t.created_at, t.revoked_at, t.made_by,
      a.name as made_by_name
    from ingest_token t left join administrator a on a.clinic_id = ${clinic_id} and a.id = t.made_by
    where t.clinic_id = ${clinic_id} and ${condition} order by t.created_at desc, t.id limit ${CONSOLE_TOKENS}`
}

function consoleToken({ made_by, made_by_name, ...row }: TokenRow): ConsoleToken {
  return {
    ...withInstants(row, 'created_at', 'revoked_at'),
    made_by: made_by === null ? null : { id: made_by, name: made_by_name ?? '' },
  }
}
