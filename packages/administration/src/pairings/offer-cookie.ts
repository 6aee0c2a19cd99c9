// The cookie of an account that is offered for a pairing, while its person signs in to the other clinic. Nothing is typed or sent, so nobody elsewhere
// can make a person accept an account of theirs.
import { PAIRINGS } from '@clinic-data/console-contract/pairing-operations'
import type { SigningKeys } from '@clinic-data/contract/secret-keys'
import { endCookie } from '../sessions/cookie.ts'
import type { ActiveSession } from '../sessions/sessions.ts'
import { keptIn, type Sending, type SignedKind, signedCookie } from '../sessions/signed-cookie.ts'
import type { Account } from './pairings.ts'

const SECONDS = PAIRINGS.offer_minutes * 60
const OFFER: SignedKind = { name: 'console_pairing', seconds: SECONDS, sameSite: 'Strict', purpose: 'pairing' }

export interface Offer extends Account {
  /** The session in which it was offered. It must last. */
  token_hash: string
  clinic_name: string
  email: string
}

export function offerCookie(keys: SigningKeys, session: ActiveSession, sending: Sending): string {
  const { clinic, administrator, token_hash } = session
  const offer: Offer = {
    clinic_id: clinic.clinic_id,
    administrator_id: administrator.id,
    token_hash,
    clinic_name: clinic.name,
    email: administrator.email,
  }
  return signedCookie(keys, OFFER, offer, sending)
}

/** Null without the cookie, or when it is not ours, or too old. */
export function offerOf(keys: SigningKeys, header: string | undefined, sending: Sending): Offer | null {
  return keptIn<Offer>(keys, OFFER, header, sending)?.content ?? null
}

/** Makes the browser forget it. */
export function endedOfferCookie(isSecure: boolean): string {
  return endCookie(OFFER, isSecure)
}
