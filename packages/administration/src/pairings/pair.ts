// Pairs two accounts of one person, who has proven both in one browser: each clinic's row in a transaction of its own. Until both are there nothing is
// paired.
import { PAIRINGS } from '@clinic-data/console-contract/pairing-operations'
import { Problem } from '@clinic-data/contract'
import { newId } from '@clinic-data/contract/new-id'
import { type ClinicDatabase, type Database, sql, type Transaction, utcSession } from '@clinic-data/database'
import type { InSameTransaction } from '../credentials/credentials.ts'
import { type ActiveSession, lasts } from '../sessions/sessions.ts'
import type { Offer } from './offer-cookie.ts'
import { type Account, accountOf, lockAccount, type Pairing, reversed, storePairing } from './pairings.ts'

/** Adds the audit row of a change in the clinic of an account, in its name. */
export type RecordFor = (tx: Transaction, account: Account, id: string) => void

const NOTHING_OFFERED =
  'No other clinic is offered to this browser any more. Sign in to the other one, add a clinic there, and then sign in here again.'
const SAME_CLINIC = 'This is the clinic that was offered. Sign in to the other one.'
const TOO_MANY = `One person works in at most ${PAIRINGS.most} other clinics here. End a pairing first.`

/** @throws Problem 409 for an offer that does not hold, or is of the same clinic. */
export async function requireOffer(
  consoleDatabase: ClinicDatabase,
  { clinic: { clinic_id } }: ActiveSession,
  offer: Offer | null,
  now: Date,
): Promise<Offer> {
  if (offer === null) throw new Problem('conflict', NOTHING_OFFERED)
  if (offer.clinic_id === clinic_id) throw new Problem('conflict', SAME_CLINIC)
  const lasting = await consoleDatabase.read(utcSession(offer.clinic_id), offering(offer, now))
  if (lasting.length === 0) throw new Problem('conflict', NOTHING_OFFERED)
  return offer
}

/** The session that has offered the account lasts. */
const offering = ({ clinic_id, administrator_id, token_hash }: Offer, now: Date) => sql`
  select token_hash from administrator_session
  where clinic_id = ${clinic_id} and token_hash = ${token_hash} and administrator_id = ${administrator_id} and ${lasts(now)}`

/** The first half, in the clinic of the session. @throws Problem 409 for one clinic too many. */
export async function pairHere(
  consoleDatabase: ClinicDatabase,
  session: ActiveSession,
  { offer, now, beside }: { offer: Offer; now: Date; beside: InSameTransaction },
): Promise<Pairing> {
  const { clinic_id, administrator_id } = offer
  const pairing: Pairing = { id: newId('pair', now), ...accountOf(session), other: { clinic_id, administrator_id } }
  await consoleDatabase.write(session.clinic, async (tx) => {
    await lockAccount(tx, pairing)
    await storeWithin(tx, pairing, now)
    beside(tx, pairing.id)
  })
  return pairing
}

/** The second half, where the account was offered. @throws Problem 409 when the session of the offer has ended, and for one clinic too many. */
export async function pairThere(
  database: Database,
  pairing: Pairing,
  { offer, now, record }: { offer: Offer; now: Date; record: RecordFor },
): Promise<void> {
  const there = reversed(pairing)
  await database.write(utcSession(there.clinic_id), async (tx) => {
    const isThere = await lockAccount(tx, there)
    const { rows } = await tx.query(offering(offer, now))
    if (!isThere || rows.length === 0) throw new Problem('conflict', NOTHING_OFFERED)
    await storeWithin(tx, there, now)
    record(tx, there, there.id)
  })
}

async function storeWithin(tx: Transaction, pairing: Pairing, now: Date): Promise<void> {
  const { clinic_id, administrator_id } = pairing
  await storePairing(tx, pairing, now)
  const { rows } = await tx.query(sql`select id from pairing
    where clinic_id = ${clinic_id} and administrator_id = ${administrator_id} limit ${PAIRINGS.most + 1}`)
  if (rows.length > PAIRINGS.most) throw new Problem('conflict', TOO_MANY)
}
