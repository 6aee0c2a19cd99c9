// The passkeys of a signed-in administrator: listing, adding and removing them.

import { type ConsolePasskey, PASSKEYS } from '@clinic-data/console-contract/passkey-operations'
import { Problem } from '@clinic-data/contract'
import { newId } from '@clinic-data/contract/new-id'
import type { SigningKeys } from '@clinic-data/contract/secret-keys'
import { type ClinicDatabase, sql, type Transaction, utcSession, violates, withInstants } from '@clinic-data/database'
import { notFound } from '@clinic-data/surface/not-found'
import type { Holder } from '@clinic-data/surface/still-valid'
import type { InSameTransaction } from '../credentials/credentials.ts'
import { type ActiveSession, isHeld } from '../sessions/sessions.ts'
import { notAsDemanded } from '../sessions/sign-in-demand.ts'
import { type ChallengeUse, endOfChallenge, newChallenge, spendChallenge } from './challenges.ts'
import type { OwnAddress } from './own-address.ts'
import { type AddedAnswer, challengeOf, checkAdded } from './passkey-answer.ts'
import { userHandle } from './user-handle.ts'

interface PasskeyRow {
  id: string
  name: string
  credential_id: string
  created_at: string
  last_used_at: string | null
}

/** Newest first. */
export async function listPasskeys(
  consoleDatabase: ClinicDatabase,
  { clinic, administrator }: ActiveSession,
): Promise<ConsolePasskey[]> {
  const rows = await consoleDatabase.read<PasskeyRow>(
    clinic,
    sql`select id, name, credential_id, created_at, last_used_at from passkey
      where clinic_id = ${clinic.clinic_id} and administrator_id = ${administrator.id} order by created_at desc, id`,
  )
  return rows.map(shown)
}

/** @throws Problem 403 when the session may add none. */
export function challengeToAdd(keys: SigningKeys, session: ActiveSession, now: Date) {
  if (!mayAddPasskey(session)) throw notAsDemanded(session.demand)
  const { clinic, administrator } = session
  const { clinic_id } = clinic
  const challenge = newChallenge(keys, useOf(session), now)
  const user_handle = userHandle({ clinic_id, administrator_id: administrator.id })
  return { challenge, seconds: PASSKEYS.challenge_seconds, user_handle }
}

export interface Adding {
  keys: SigningKeys
  address: OwnAddress | null
  now: Date
  beside: InSameTransaction
}

/** @throws Problem 403 when the session may add none, 409 for a known passkey or one too many, 422 for another answer. */
export async function addPasskey(
  consoleDatabase: ClinicDatabase,
  session: ActiveSession,
  { name, ...answer }: AddedAnswer & { name: string },
  { keys, address, now, beside }: Adding,
): Promise<ConsolePasskey> {
  const challenge = challengeOf(answer) ?? ''
  const endsAt = endOfChallenge(keys, useOf(session), challenge, now)
  const added = endsAt && address && (await checkAdded(answer, { challenge, address }))
  if (!endsAt || !added) throw new Problem('unprocessable', NOT_ADDED)
  const { clinic_id } = session.clinic
  const id = newId('psk', now)
  try {
    return await consoleDatabase.write(utcSession(clinic_id), async (tx) => {
      const has = await requireRoom(tx, session)
      if (!mayAddPasskey({ ...session, administrator: { ...session.administrator, has_passkey: has > 0 } }))
        throw notAsDemanded(session.demand)
      if (!(await spendChallenge(tx, clinic_id, { challenge, endsAt }))) throw new Problem('unprocessable', NOT_ADDED)
      const { rows } = await tx.query<PasskeyRow>(sql`insert into passkey
        (clinic_id, id, administrator_id, credential_id, public_key, counter, name, created_at)
        values (${clinic_id}, ${id}, ${session.administrator.id}, ${added.credential_id}, ${added.public_key},
          ${added.counter}, ${name}, ${now})
        returning id, name, credential_id, created_at, last_used_at`)
      const [row] = rows
      if (row === undefined) throw new Error('the passkey was not stored')
      beside(tx, id)
      return shown(row)
    })
  } catch (error) {
    if (!violates(error, 'unique')) throw error
    throw new Problem('conflict', 'This passkey is in the list already.', {}, error)
  }
}

/** Ends the sessions that it began, too: whoever has the device may have one. @throws Problem 404, 409 for the last one where the clinic demands one. */
export async function removePasskey(
  consoleDatabase: ClinicDatabase,
  { clinic: { clinic_id }, administrator, demand, token_hash }: ActiveSession,
  { id, beside }: { id: string; beside: InSameTransaction },
): Promise<void> {
  await consoleDatabase.write(utcSession(clinic_id), async (tx) => {
    await lockAdministrator(tx, clinic_id, administrator.id)
    const { rowCount } = await tx.query(sql`delete from passkey
      where clinic_id = ${clinic_id} and administrator_id = ${administrator.id} and id = ${id}`)
    if (rowCount === 0) throw notFound('passkey', id)
    if (demand === 'passkey') await requireAnother(tx, { clinic_id, id: administrator.id })
    // The one that removes it stays: its person has just seen to it.
    await tx.query(sql`delete from administrator_session where clinic_id = ${clinic_id}
      and administrator_id = ${administrator.id} and passkey_id = ${id} and token_hash <> ${token_hash}`)
    beside(tx, id)
  })
}

/**
 * A session that the clinic's demand holds makes a first passkey, or a further one when a link of the operator began it: whoever has only the password
 * must not make a key beside the person's own.
 */
export function mayAddPasskey(session: ActiveSession): boolean {
  if (!isHeld(session)) return true
  const { demand, way, administrator } = session
  return demand === 'passkey' && (way === 'link' || !administrator.has_passkey)
}

const NOT_ADDED = 'The device answered another question than was asked, or too late. Add the passkey again.'

function useOf({ token_hash }: ActiveSession): ChallengeUse {
  return { purpose: 'add-passkey', boundTo: token_hash }
}

/** Under the lock of the administrator, so that two at once do not exceed the number. @returns how many there are. */
async function requireRoom(tx: Transaction, { clinic: { clinic_id }, administrator }: ActiveSession): Promise<number> {
  await lockAdministrator(tx, clinic_id, administrator.id)
  const { rows } = await tx.query<{ count: number }>(sql`select count(*)::integer as count from passkey
    where clinic_id = ${clinic_id} and administrator_id = ${administrator.id}`)
  const count = rows[0]?.count ?? 0
  if (count < PASSKEYS.most) return count
  throw new Problem('conflict', `An administrator has at most ${PASSKEYS.most} passkeys. Remove one first.`)
}

/** @throws Problem 409 when the person has none left. */
async function requireAnother(tx: Transaction, { clinic_id, id }: Holder): Promise<void> {
  const { rows } = await tx.query(sql`select id from passkey
    where clinic_id = ${clinic_id} and administrator_id = ${id} limit 1`)
  if (rows.length === 0) throw new Problem('conflict', LAST_PASSKEY)
}

const LAST_PASSKEY = 'The clinic demands a passkey of everybody, and this is your last one. Add another one first.'

/** Those who disable an administrator take this lock first, too. */
async function lockAdministrator(tx: Transaction, clinic_id: string, id: string): Promise<void> {
  const { rows } = await tx.query(sql`select id from administrator
    where clinic_id = ${clinic_id} and id = ${id} and disabled_at is null for update`)
  if (rows.length === 0) throw new Problem('unauthorized', 'The administrator was disabled.')
}

function shown(row: PasskeyRow): ConsolePasskey {
  return withInstants(row, 'created_at', 'last_used_at')
}
