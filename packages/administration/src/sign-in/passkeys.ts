// The passkeys of a signed-in administrator: listing, adding and removing them.

import { type ConsolePasskey, PASSKEYS } from '@clinic-data/console-contract/passkey-operations'
import { Problem } from '@clinic-data/contract'
import { newId } from '@clinic-data/contract/new-id'
import type { SigningKeys } from '@clinic-data/contract/secret-keys'
import { type ClinicDatabase, sql, type Transaction, utcSession, violates, withInstants } from '@clinic-data/database'
import { notFound } from '@clinic-data/surface/not-found'
import type { InSameTransaction } from '../credentials/credentials.ts'
import type { ActiveSession } from '../sessions/sessions.ts'
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

export function challengeToAdd(keys: SigningKeys, session: ActiveSession, now: Date) {
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

/** @throws Problem 409 for a known passkey or one too many, 422 for another answer. */
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
      await requireRoom(tx, session)
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

/** Ends the sessions that it began, too: whoever has the device may have one. @throws Problem 404 */
export async function removePasskey(
  consoleDatabase: ClinicDatabase,
  { clinic: { clinic_id }, administrator, token_hash }: ActiveSession,
  { id, beside }: { id: string; beside: InSameTransaction },
): Promise<void> {
  await consoleDatabase.write(utcSession(clinic_id), async (tx) => {
    await lockAdministrator(tx, clinic_id, administrator.id)
    const { rowCount } = await tx.query(sql`delete from passkey
      where clinic_id = ${clinic_id} and administrator_id = ${administrator.id} and id = ${id}`)
    if (rowCount === 0) throw notFound('passkey', id)
    // The one that removes it stays: its person has just seen to it.
    await tx.query(sql`delete from administrator_session where clinic_id = ${clinic_id}
      and administrator_id = ${administrator.id} and passkey_id = ${id} and token_hash <> ${token_hash}`)
    beside(tx, id)
  })
}

const NOT_ADDED = 'The device answered another question than was asked, or too late. Add the passkey again.'

function useOf({ token_hash }: ActiveSession): ChallengeUse {
  return { purpose: 'add-passkey', boundTo: token_hash }
}

/** Under the lock of the administrator, so that two at once do not exceed the number. */
async function requireRoom(tx: Transaction, { clinic: { clinic_id }, administrator }: ActiveSession): Promise<void> {
  await lockAdministrator(tx, clinic_id, administrator.id)
  const { rows } = await tx.query<{ count: number }>(sql`select count(*)::integer as count from passkey
    where clinic_id = ${clinic_id} and administrator_id = ${administrator.id}`)
  if ((rows[0]?.count ?? 0) < PASSKEYS.most) return
  throw new Problem('conflict', `An administrator has at most ${PASSKEYS.most} passkeys. Remove one first.`)
}

/** Those who disable an administrator take this lock first, too. */
async function lockAdministrator(tx: Transaction, clinic_id: string, id: string): Promise<void> {
  const { rows } = await tx.query(sql`select id from administrator
    where clinic_id = ${clinic_id} and id = ${id} and disabled_at is null for update`)
  if (rows.length === 0) throw new Problem('unauthorized', 'The administrator was disabled.')
}

function shown(row: PasskeyRow): ConsolePasskey {
  return withInstants(row, 'created_at', 'last_used_at')
}
