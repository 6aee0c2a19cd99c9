// The tokens of sessions and sign-in links: the clinic's id, then 256 random bits. The id only says under which clinic's row level
// security the token is looked up: what a request may see comes from the row that is found there.
import { randomBytes } from 'node:crypto'
import { hashKey } from '@clinic-data/contract/key'
import { isClinicId } from '../clinics.ts'

const FORM = /^([^.]+)\.[A-Za-z0-9_-]{43}$/
const RANDOM_BYTES = 32

/** Where a token is looked up. */
export interface TokenPlace {
  clinic_id: string
  token_hash: string
}

/** @example newConsoleToken('carmel') // 'carmel.' and 43 characters of base64url */
export function newConsoleToken(clinic_id: string): string {
  return `${clinic_id}.${randomBytes(RANDOM_BYTES).toString('base64url')}`
}

/** Null for a text that is no token. */
export function placeOfToken(token: string): TokenPlace | null {
  const clinic_id = FORM.exec(token)?.[1] ?? ''
  return !isClinicId(clinic_id) ? null : { clinic_id, token_hash: hashKey(token) }
}
