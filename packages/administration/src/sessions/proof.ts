// The proof of who sits before a session: its sign-in, and each confirmation since. What gives power wants one that is not old: somebody else may
// have found the browser open (docs/decisions/0107).
import { PROOF_MINUTES } from '@clinic-data/console-contract/care'
import { CONFIRMATION_REQUIRED } from '@clinic-data/console-contract/confirm-operations'
import { Problem } from '@clinic-data/contract'
import { sql, type Transaction } from '@clinic-data/database'
import type { WayIn } from './sign-in-count.ts'

interface Proven {
  /** When the person of a session last proved who it is. Null: nobody can tell. */
  readonly provenAt: Date | null
}

const PROOF_MS = PROOF_MINUTES * 60_000
/** The clocks of several machines differ by less. A proof from further ahead is none: a clock has gone back since. */
const SKEW_MS = 5_000

/** No proof of the moment `now` is later than this. */
export function latestProof(now: Date): Date {
  return new Date(now.getTime() + SKEW_MS)
}

export function isProvenLately({ provenAt }: Proven, now: Date): boolean {
  return provenAt !== null && provenAt <= latestProof(now) && now.getTime() - provenAt.getTime() < PROOF_MS
}

const CONFIRM =
  'Confirm first that it is you: by your password, a passkey or your identity provider. Then send the same again.'

/** @throws Problem 403, with a fault of the session's cookie, when the last proof is too old. */
export function requireProof(session: Proven, now: Date): void {
  if (isProvenLately(session, now)) return
  const detail = `holds no proof of who sends this from the last ${PROOF_MINUTES} minutes`
  throw new Problem('forbidden', CONFIRM, { errors: [{ header: 'Cookie', code: CONFIRMATION_REQUIRED, detail }] })
}

export interface Proof {
  clinic_id: string
  administrator_id: string
  token_hash: string
  by: WayIn
  now: Date
}

/** Notes it for this session alone. */
export function noteProof(tx: Transaction, { clinic_id, administrator_id, token_hash, by, now }: Proof) {
  return tx.query(sql`update administrator_session set proven_at = ${now}, proven_by = ${by}
    where clinic_id = ${clinic_id} and token_hash = ${token_hash} and administrator_id = ${administrator_id}`)
}
