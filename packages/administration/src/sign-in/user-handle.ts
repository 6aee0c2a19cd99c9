// The user handle of a passkey: which clinic and administrator it signs in, without a word about the person. WebAuthn allows 64 bytes. A
// clinic's id has at most 63 characters of `a-z 0-9 _ -`, which are digits of base64url: 48 bytes. The rest is of the administrator's id.
import { hash } from 'node:crypto'
import { isClinicId } from '../clinics.ts'

const CLINIC_BYTES = 48
const CLINIC_CHARACTERS = 64
/** No clinic's id holds a capital. */
const FILLER = 'A'
const ADMINISTRATOR_BYTES = 16

/** @returns base64url. */
export function userHandle({ clinic_id, administrator_id }: { clinic_id: string; administrator_id: string }): string {
  const clinic = Buffer.from(clinic_id.padEnd(CLINIC_CHARACTERS, FILLER), 'base64url')
  const administrator = hash('sha256', `${clinic_id}.${administrator_id}`, 'buffer').subarray(0, ADMINISTRATOR_BYTES)
  return Buffer.concat([clinic, administrator]).toString('base64url')
}

/** The clinic under whose row level security a passkey is looked up. Null for a text that is no handle. */
export function clinicOfHandle(handle: string): string | null {
  const bytes = Buffer.from(handle, 'base64url')
  if (bytes.length !== CLINIC_BYTES + ADMINISTRATOR_BYTES) return null
  const clinic_id = bytes.subarray(0, CLINIC_BYTES).toString('base64url').replace(/A+$/, '')
  return isClinicId(clinic_id) ? clinic_id : null
}
