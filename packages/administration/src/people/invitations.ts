// Invitations as owners make, see and withdraw them. Each is for one e-mail, and is accepted once within three days (docs/decisions/0096).
import { type Invitation, PEOPLE } from '@clinic-data/console-contract/people-operations'
import type { Role } from '@clinic-data/console-contract/role-names'
import { opensApproving } from '@clinic-data/console-contract/roles'
import { Problem } from '@clinic-data/contract'
import { faultProblem } from '@clinic-data/contract/fault-problem'
import { newId } from '@clinic-data/contract/new-id'
import { zonedInstant } from '@clinic-data/contract/zoned-instant'
import {
  type ClinicDatabase,
  type ClinicSession,
  type Statement,
  sql,
  type Transaction,
  withInstants,
} from '@clinic-data/database'
import { notFound } from '@clinic-data/surface/not-found'
import type { RequireApproval } from '@clinic-data/surface/require-approval'
import type { InSameTransaction } from '../credentials/credentials.ts'
import { newConsoleToken, placeOfToken } from '../sessions/console-token.ts'
import type { ActiveSession } from '../sessions/sessions.ts'
import { readEmail } from './email.ts'
import { inTurn } from './in-turn.ts'
import { lockPeople } from './people-lock.ts'

export const INVITATION_MS = PEOPLE.invitation_hours * 60 * 60 * 1000

/** The page's address that accepts an invitation. Browsers send no fragment, so the token reaches no log of a proxy. */
export function invitationAddress(origin: string, token: string): string {
  return `${origin}/console/#invite=${token}`
}

/** It is withdrawn when its owner is no longer one, too. */
export function isOpen(clinic_id: string, now: Date): Statement {
  return sql`i.accepted_at is null and i.withdrawn_at is null and i.expires_at > ${now} and ${isByOwner(clinic_id)}`
}

export function isByOwner(clinic_id: string): Statement {
  return sql`exists (select from administrator o
    where o.clinic_id = ${clinic_id} and o.id = i.made_by and o.role = 'owner' and o.disabled_at is null)`
}

type InvitationRow = Omit<Invitation, 'made_by'> & { made_by_id: string; made_by_name: string }

/** Those that can be accepted, the latest first. */
export async function listInvitations(
  consoleDatabase: ClinicDatabase,
  clinic: ClinicSession,
  now: Date,
): Promise<Invitation[]> {
  const { clinic_id } = clinic
  const rows = await consoleDatabase.read<InvitationRow>(
    clinic,
    sql`select i.id, i.email, i.name, i.role, i.created_at, i.expires_at, a.id as made_by_id, a.name as made_by_name
      from invitation i join administrator a on a.clinic_id = ${clinic_id} and a.id = i.made_by
      where i.clinic_id = ${clinic_id} and ${isOpen(clinic_id, now)}
      order by i.created_at desc, i.id limit ${PEOPLE.most_invitations}`,
  )
  return rows.map(({ made_by_id, made_by_name, ...row }) => ({
    ...withInstants(row, 'created_at', 'expires_at'),
    made_by: { id: made_by_id, name: made_by_name },
  }))
}

export interface Inviting {
  email: string
  name: string
  role: Role
  now: Date
  requireApproval: RequireApproval
  beside: InSameTransaction
}

/** @throws Problem 409 for an e-mail that has an account, 422 for what is no e-mail, 429 after too many invitations. */
export async function invite(
  consoleDatabase: ClinicDatabase,
  session: ActiveSession,
  { email: typed, name, role, now, requireApproval, beside }: Inviting,
): Promise<{ invitation: Invitation; token: string }> {
  const { clinic, administrator } = session
  const { clinic_id } = clinic
  const email = readEmail(typed)
  if (email === null) throw faultProblem('unprocessable', [NO_EMAIL])
  const token = newConsoleToken(clinic_id)
  const token_hash = placeOfToken(token)?.token_hash ?? ''
  const id = newId('inv', now)
  const expires_at = new Date(now.getTime() + INVITATION_MS)
  await inTurn(consoleDatabase, session, 'invite', async (tx) => {
    await requireRoom(tx, clinic_id, { email, now })
    await requireApproval(tx, { isNeeded: opensApproving(role, null), shown: { name }, body: { email, name, role } })
    await tx.query(sql`update invitation set withdrawn_at = ${now}
      where clinic_id = ${clinic_id} and email = ${email} and accepted_at is null and withdrawn_at is null`)
    await tx.query(sql`insert into invitation (clinic_id, id, token_hash, email, name, role, made_by, created_at, expires_at)
      values (${clinic_id}, ${id}, ${token_hash}, ${email}, ${name}, ${role}, ${administrator.id}, ${now}, ${expires_at})`)
    beside(tx, id)
  })
  const made_by = { id: administrator.id, name: administrator.name }
  const localTime = (at: Date) => zonedInstant(at, clinic.time_zone, 3)
  const times = { created_at: localTime(now), expires_at: localTime(expires_at) }
  return { invitation: { id, email, name, role, made_by, ...times }, token }
}

const NO_EMAIL = { pointer: '#/email', code: 'format', detail: 'must be an e-mail, such as name@example.com' }

/** @throws Problem 404, 409 for one that was accepted. */
export async function withdrawInvitation(
  consoleDatabase: ClinicDatabase,
  { clinic }: ActiveSession,
  { id, now, beside }: { id: string; now: Date; beside: InSameTransaction },
): Promise<void> {
  const { clinic_id } = clinic
  await consoleDatabase.write(clinic, async (tx) => {
    await lockPeople(tx, clinic_id)
    const { rows } = await tx.query<{ is_accepted: boolean }>(sql`select accepted_at is not null as is_accepted
      from invitation where clinic_id = ${clinic_id} and id = ${id}`)
    const [found] = rows
    if (found === undefined) throw notFound('invitation', id)
    if (found.is_accepted) throw new Problem('conflict', ACCEPTED)
    await tx.query(sql`update invitation set withdrawn_at = coalesce(withdrawn_at, ${now})
      where clinic_id = ${clinic_id} and id = ${id}`)
    beside(tx, id)
  })
}

const ACCEPTED = 'This invitation was accepted already. Disable or remove the person instead.'

interface Wanted {
  email: string
  now: Date
}

async function requireRoom(tx: Transaction, clinic_id: string, { email, now }: Wanted): Promise<void> {
  const since = new Date(now.getTime() - INVITATION_MS)
  const { rows } = await tx.query<{ is_known: boolean; people: number; invitations: number }>(sql`select
    exists (select from administrator where clinic_id = ${clinic_id} and email = ${email} and disabled_at is null) as is_known,
    (select count(*)::integer from administrator where clinic_id = ${clinic_id} and removed_at is null) as people,
    (select count(*)::integer from invitation where clinic_id = ${clinic_id} and created_at > ${since}) as invitations`)
  const { is_known = false, people = 0, invitations = 0 } = rows[0] ?? {}
  if (is_known)
    throw new Problem('conflict', 'This e-mail has an account in the clinic already. Change its role instead.')
  if (people >= PEOPLE.most)
    throw new Problem('conflict', `A clinic has at most ${PEOPLE.most} people. Remove one first.`)
  if (invitations >= PEOPLE.most_invitations) throw new Problem('rate-limited', TOO_MANY, { retry_after: 60 * 60 })
}

const TOO_MANY = `A clinic makes at most ${PEOPLE.most_invitations} invitations in ${PEOPLE.invitation_hours} hours.`
