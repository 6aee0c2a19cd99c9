// Accepts an invitation: makes the account of whoever has the link and knows the e-mail that it is for.
import type { InvitationEnd } from '@clinic-data/console-contract/people-operations'
import type { Role } from '@clinic-data/console-contract/role-names'
import type { SignInDemand } from '@clinic-data/console-contract/sign-in-demand'
import { newId } from '@clinic-data/contract/new-id'
import { type Database, sql, type Transaction, utcSession, violates, withInstants } from '@clinic-data/database'
import { placeOfToken, type TokenPlace } from '../sessions/console-token.ts'
import { type Attempting, beginFor, type KnownAdministrator } from '../sign-in/sign-in.ts'
import { countAttempt, forgetAttempts, type Guesser } from '../sign-in/sign-in-attempts.ts'
import { readEmail } from './email.ts'
import { isByOwner } from './invitations.ts'
import { lockPeople } from './people-lock.ts'

export interface SeenInvitation {
  name: string
  role: Role
  clinic: { clinic_id: string; name: string }
  made_by: string
  expires_at: string
}

/** Changes nothing. */
export async function lookAtInvitation(
  consoleDatabase: Database,
  token: string,
  now: Date,
): Promise<{ seen: SeenInvitation } | { end: InvitationEnd }> {
  const place = placeOfToken(token)
  if (place === null) return { end: 'unknown' }
  const [row] = await consoleDatabase.read<InvitationRow>(utcSession(place.clinic_id), invitationAt(place, now))
  if (row === undefined) return { end: 'unknown' }
  const end = endOf(row)
  if (end !== null) return { end }
  const { name, role, made_by, clinic_name, expires_at } = withInstants(row, 'expires_at')
  return { seen: { name, role, clinic: { clinic_id: place.clinic_id, name: clinic_name }, made_by, expires_at } }
}

export type Acceptance =
  | { state: 'begun'; token: string }
  /** The account is made, and its person signs in by the identity provider. */
  | { state: 'made' }
  | { state: 'ended'; end: InvitationEnd }
  | { state: 'other_address' }
  /** The e-mail has an account by now. */
  | { state: 'taken' }
  | { state: 'locked'; seconds: number }

export interface Accepting extends Attempting {
  token: string
  /** As it was typed. */
  email: string
  /** Only the identity provider signs in. */
  beginsNothing: boolean
}

export async function acceptInvitation(consoleDatabase: Database, accepting: Accepting): Promise<Acceptance> {
  const { now, token } = accepting
  const place = placeOfToken(token)
  if (place === null) return { state: 'ended', end: 'unknown' }
  const { clinic_id } = place
  const session = utcSession(clinic_id)
  const [found] = await consoleDatabase.read<InvitationRow>(session, invitationAt(place, now))
  const end = found === undefined ? 'unknown' : endOf(found)
  if (found === undefined || end !== null) return { state: 'ended', end: end ?? 'unknown' }
  // Whoever found the link somewhere guesses whom it is for.
  const who: Guesser = ['invitation', found.id]
  const seconds = await countAttempt(consoleDatabase, { clinic_id, who, now })
  if (seconds !== null) return { state: 'locked', seconds }
  if (readEmail(accepting.email) !== found.email) return { state: 'other_address' }
  try {
    const accepted = await consoleDatabase.write(session, (tx) => acceptWithin(tx, place, accepting))
    if (accepted.state !== 'ended') await forgetAttempts(consoleDatabase, { clinic_id, who })
    return accepted
  } catch (error) {
    if (!violates(error, 'unique')) throw error
    return { state: 'taken' }
  }
}

async function acceptWithin(tx: Transaction, place: TokenPlace, accepting: Accepting): Promise<Acceptance> {
  const { clinic_id } = place
  const { now, beginsNothing, beside } = accepting
  // Whoever withdraws it, or takes its owner's rights away, does it in turn.
  await lockPeople(tx, clinic_id)
  const { rows } = await tx.query<InvitationRow>(invitationAt(place, now))
  const [row] = rows
  const end = row === undefined ? 'unknown' : endOf(row)
  if (row === undefined || end !== null) return { state: 'ended', end: end ?? 'unknown' }
  const known: KnownAdministrator = { clinic_id, administrator_id: newId('adm', now) }
  await tx.query(sql`insert into administrator (clinic_id, id, email, name, role, created_at)
    values (${clinic_id}, ${known.administrator_id}, ${row.email}, ${row.name}, ${row.role}, ${now})`)
  await tx.query(sql`update invitation set accepted_at = ${now} where clinic_id = ${clinic_id} and id = ${row.id}`)
  // Where the clinic demands the provider, a session would open nothing and lead nowhere.
  if (!beginsNothing && row.sign_in_demand !== 'provider')
    return { state: 'begun', token: await beginFor(tx, known, 'invitation', accepting) }
  beside(tx, known)
  return { state: 'made' }
}

interface InvitationRow {
  id: string
  email: string
  name: string
  role: Role
  made_by: string
  clinic_name: string
  sign_in_demand: SignInDemand
  expires_at: string
  is_used: boolean
  is_withdrawn: boolean
  is_expired: boolean
}

/** A closed clinic has none. */
function invitationAt({ clinic_id, token_hash }: TokenPlace, now: Date) {
  return sql`select i.id, i.email, i.name, i.role, i.expires_at, a.name as made_by, c.name as clinic_name, c.sign_in_demand,
      i.accepted_at is not null as is_used, i.withdrawn_at is not null or not ${isByOwner(clinic_id)} as is_withdrawn,
      i.expires_at <= ${now} as is_expired
    from invitation i join administrator a on a.clinic_id = ${clinic_id} and a.id = i.made_by
      join clinic c on c.clinic_id = ${clinic_id} and c.closed_at is null
    where i.clinic_id = ${clinic_id} and i.token_hash = ${token_hash}`
}

function endOf({ is_used, is_withdrawn, is_expired }: InvitationRow): InvitationEnd | null {
  if (is_used) return 'used'
  if (is_withdrawn) return 'withdrawn'
  return is_expired ? 'expired' : null
}
