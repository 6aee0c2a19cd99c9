// The challenges that passkeys sign. A challenge names its own end and carries a MAC, so that nothing is stored when one is made: everyone
// may ask for one. Once answered it is stored until its end, and is refused from then on (docs/decisions/0054).
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { PASSKEYS } from '@clinic-data/console-contract/passkey-operations'
import { hashKey } from '@clinic-data/contract/key'
import { mac, type SecretKey, type SigningKeys } from '@clinic-data/contract/secret-keys'
import { sql, type Transaction } from '@clinic-data/database'

const END_BYTES = 8
/** Never equal. */
const RANDOM_BYTES = 16
const MAC_BYTES = 32

/** A challenge serves one purpose, in the browser that holds this secret. */
export interface ChallengeUse {
  purpose: 'sign-in' | 'add-passkey' | 'confirm'
  /** The value of a cookie, or the hash of a session's token. */
  boundTo: string
}

/** @returns base64url. */
export function newChallenge(keys: SigningKeys, use: ChallengeUse, now: Date): string {
  const end = Buffer.alloc(END_BYTES)
  end.writeBigUInt64BE(BigInt(now.getTime() + PASSKEYS.challenge_seconds * 1000))
  const content = Buffer.concat([end, randomBytes(RANDOM_BYTES)])
  return Buffer.concat([content, macOf(keys.current, use, content)]).toString('base64url')
}

/** When a challenge ends. Null for one that has ended, or was not made for this use. */
export function endOfChallenge(keys: SigningKeys, use: ChallengeUse, challenge: string, now: Date): Date | null {
  const bytes = Buffer.from(challenge, 'base64url')
  // One challenge has one spelling: otherwise a spent one could be told in another.
  if (bytes.length !== END_BYTES + RANDOM_BYTES + MAC_BYTES || bytes.toString('base64url') !== challenge) return null
  const content = bytes.subarray(0, -MAC_BYTES)
  const sent = bytes.subarray(-MAC_BYTES)
  const isOurs = [...keys.byId.values()].some((key) => timingSafeEqual(macOf(key, use, content), sent))
  const endsAt = new Date(Number(content.readBigUInt64BE()))
  return isOurs && endsAt > now ? endsAt : null
}

function macOf(key: SecretKey, { purpose, boundTo }: ChallengeUse, content: Buffer): Buffer {
  return mac(key, `${purpose}\n${boundTo}\n`, content)
}

/** Whether a challenge of a clinic's administrator is answered for the first time. From the commit on it never is again. */
export async function spendChallenge(
  tx: Transaction,
  clinic_id: string,
  { challenge, endsAt }: { challenge: string; endsAt: Date },
): Promise<boolean> {
  const { rowCount } = await tx.query(sql`insert into spent_challenge (clinic_id, challenge_hash, expires_at)
    values (${clinic_id}, ${hashKey(challenge)}, ${endsAt}) on conflict (clinic_id, challenge_hash) do nothing`)
  return rowCount === 1
}
