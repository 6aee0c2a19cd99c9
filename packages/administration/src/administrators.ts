// The operator's commands for administrators: making, listing, disabling, and a link that signs one in.
import type { Role } from '@clinic-data/console-contract/role-names'
import { requireName } from '@clinic-data/contract/given-name'
import { newId } from '@clinic-data/contract/new-id'
import { type Database, sql, utcSession, violates, withInstants } from '@clinic-data/database'
import { NOTHING_ELSE } from './credentials/credentials.ts'
import { changeRoleWithin } from './people/change-role.ts'
import { type Disabling, disableWithin } from './people/disable.ts'
import { readEmail } from './people/email.ts'
import { lockPeople } from './people/people-lock.ts'
import { disabledEnd, untilPersonsEnd } from './people/person-connections.ts'
import { newConsoleToken, placeOfToken } from './sessions/console-token.ts'

export interface ListedAdministrator {
  id: string
  email: string
  name: string
  role: Role
  has_password: boolean
  /** An account of the identity provider, and no other, signs in. */
  is_bound: boolean
  created_at: string
  /** The latest sign-in, or the latest request of a session that lasts. */
  last_seen_at: string | null
  disabled_at: string | null
}

/** The page's address that signs in with a link's token. Browsers send no fragment, so the token reaches no log of a proxy. */
export function signInAddress(origin: string, token: string): string {
  return `${origin}/console/#link=${token}`
}

export interface SignInLink {
  /** Signs the administrator in, once. */
  token: string
  expires_at: Date
}

/** Long enough to hand it over, too short to be found in an old message. */
export const LINK_MS = 15 * 60 * 1000

const listedColumns = sql`id, email, name, role, password is not null as has_password, openid_subject is not null as is_bound, created_at,
  greatest(last_seen_at, (select max(seen_at) from administrator_session s
    where s.clinic_id = a.clinic_id and s.administrator_id = a.id)) as last_seen_at, disabled_at`

interface NewAdministrator {
  clinic_id: string
  email: string
  name: string
  role?: Role
  now: Date
}

/**
 * Makes an administrator, who has no password yet.
 *
 * @param owner a database opened as the owner of the tables.
 * @throws Error with a line for the operator when a value is refused, the email is taken or there is no such clinic.
 */
export async function createAdministrator(
  owner: Database,
  { clinic_id, email, name, role = 'owner', now }: NewAdministrator,
  beside = NOTHING_ELSE,
): Promise<ListedAdministrator> {
  const folded = readEmail(email)
  if (folded === null) throw new Error('the email must be one, such as name@example.com')
  requireName(name, "an administrator's")
  const id = newId('adm', now)
  const insert = sql`insert into administrator (clinic_id, id, email, name, role, created_at)
    values (${clinic_id}, ${id}, ${folded}, ${name.trim()}, ${role}, ${now})`
  try {
    await owner.write(utcSession(clinic_id), async (tx) => {
      await tx.query(insert)
      beside(tx, id)
    })
  } catch (error) {
    if (violates(error, 'unique')) {
      throw new Error('the clinic has an administrator with this email already', { cause: error })
    }
    if (!violates(error, 'foreign key')) throw error
    throw new Error(`there is no clinic with the id ${clinic_id}`, { cause: error })
  }
  return {
    id,
    email: folded,
    name: name.trim(),
    role,
    has_password: false,
    is_bound: false,
    created_at: now.toISOString(),
    ...NEVER,
  }
}

const NEVER = { last_seen_at: null, disabled_at: null }

/** The administrators of a clinic, newest first, including disabled ones. */
export async function listAdministrators(owner: Database, clinic_id: string): Promise<ListedAdministrator[]> {
  const statement = sql`select ${listedColumns} from administrator a
    where clinic_id = ${clinic_id} order by created_at desc, id`
  const rows = await owner.read<ListedAdministrator>(utcSession(clinic_id), statement)
  return rows.map((row) => withInstants(row, 'created_at', 'last_seen_at', 'disabled_at'))
}

/**
 * Disables an administrator. From the commit on the sessions and links are refused, and the password is forgotten: others could guess
 * it from its hash. The apps that they connected are no longer connected. Resolves once what the sessions and the apps were changing is stored
 * or undone, and the apps are refused everywhere. Disabling again changes nothing. The keys stay; so do passkeys, so that the log names who was
 * refused with one.
 *
 * @param wait waits until the apps are refused everywhere. Default: as long as that takes.
 * @throws Error with a line for the operator when there is no such administrator.
 */
export async function disableAdministrator(
  owner: Database,
  disabling: Disabling,
  beside = NOTHING_ELSE,
  wait?: (ms: number) => Promise<unknown>,
): Promise<void> {
  const { clinic_id, id } = disabling
  await owner.write(utcSession(clinic_id), async (tx) => {
    await lockPeople(tx, clinic_id)
    if (!(await disableWithin(tx, disabling)))
      throw new Error(`the clinic ${clinic_id} has no administrator with the id ${id}`)
    beside(tx, id)
  })
  await untilPersonsEnd(owner, disabledEnd(disabling, disabling.now), wait)
}

/**
 * Gives an administrator another role. Sessions go on with it, and apps that it could not have connected end.
 *
 * @param wait waits until these apps are refused everywhere. Default: as long as that takes.
 * @throws Error with a line for the operator when there is no such administrator who may sign in.
 * @throws Problem 409 for the last owner.
 */
export async function giveRole(
  owner: Database,
  { clinic_id, id, role, now }: { clinic_id: string; id: string; role: Role; now: Date },
  beside = NOTHING_ELSE,
  wait?: (ms: number) => Promise<unknown>,
): Promise<void> {
  const end = await owner.write(utcSession(clinic_id), async (tx) => {
    await lockPeople(tx, clinic_id)
    const end = await changeRoleWithin(tx, { clinic_id, id, role, now })
    if (end === null) throw new Error(`the clinic ${clinic_id} has no administrator with the id ${id} who may sign in`)
    beside(tx, id)
    return end
  })
  await untilPersonsEnd(owner, end, wait)
}

/**
 * Makes a link that signs an administrator in once, within 15 minutes. It replaces the earlier ones.
 *
 * @throws Error with a line for the operator when there is no such administrator, or it is disabled.
 */
export async function makeSignInLink(
  owner: Database,
  { clinic_id, id, now }: { clinic_id: string; id: string; now: Date },
  beside = NOTHING_ELSE,
): Promise<SignInLink> {
  const token = newConsoleToken(clinic_id)
  const place = placeOfToken(token)
  if (place === null) throw new Error('the id of the clinic is malformed')
  const expires_at = new Date(now.getTime() + LINK_MS)
  await owner.write(utcSession(clinic_id), async (tx) => {
    const { rows } = await tx.query(sql`select id from administrator
      where clinic_id = ${clinic_id} and id = ${id} and disabled_at is null for update`)
    if (rows.length === 0)
      throw new Error(`the clinic ${clinic_id} has no administrator with the id ${id} who may sign in`)
    await tx.query(sql`delete from sign_in_link where clinic_id = ${clinic_id} and administrator_id = ${id}`)
    await tx.query(sql`insert into sign_in_link (clinic_id, token_hash, administrator_id, created_at, expires_at)
      values (${clinic_id}, ${place.token_hash}, ${id}, ${now}, ${expires_at})`)
    beside(tx, id)
  })
  return { token, expires_at }
}

/**
 * Forgets which account of the identity provider an administrator signs in with. The next sign-in by the e-mail decides anew.
 *
 * @throws Error with a line for the operator when there is no such administrator.
 */
export async function unbindAdministrator(
  owner: Database,
  { clinic_id, id }: { clinic_id: string; id: string },
  beside = NOTHING_ELSE,
): Promise<void> {
  await owner.write(utcSession(clinic_id), async (tx) => {
    const { rows } = await tx.query(sql`update administrator set openid_issuer = null, openid_subject = null
      where clinic_id = ${clinic_id} and id = ${id} returning id`)
    if (rows.length === 0) throw new Error(`the clinic ${clinic_id} has no administrator with the id ${id}`)
    beside(tx, id)
  })
}
