// Finds what still needs each secret key: secrets of subscriptions, heads of audit chains, and whatever was signed with it until lately.

import { listClinics } from '@clinic-data/administration/clinics'
import { headOf } from '@clinic-data/audit/audit-chain'
import type { SecretKeys } from '@clinic-data/contract/secret-keys'
import { type Database, utcSession } from '@clinic-data/database'
import { sealingKeys } from '@clinic-data/webhooks/subscriptions/reseal'

export interface KeyUse {
  readonly id: string
  /** `missing`: something needs a key that is no longer listed. */
  readonly state: 'current' | 'former' | 'missing'
  /** Sealed with it. */
  readonly webhook_secrets: number
  /** Audit chains whose head it proves. */
  readonly audit_heads: number
  /** The day from which another key signs, by that key's id. Null for the current key, or when the id does not tell. */
  readonly former_since: string | null
}

/** In the order of the keys. Reads one clinic after the other, as the owner of the tables. */
export async function secretKeyUses(owner: Database, keys: SecretKeys): Promise<KeyUse[]> {
  const [secrets, heads] = [new Map<string, number>(), new Map<string, number>()]
  const add = (counts: Map<string, number>, id: string) => counts.set(id, (counts.get(id) ?? 0) + 1)
  for (const { clinic_id } of await listClinics(owner)) {
    const session = utcSession(clinic_id)
    for (const id of await sealingKeys(owner, session)) add(secrets, id)
    for (const { key_id } of await owner.read<{ key_id: string }>(session, headOf(clinic_id))) add(heads, key_id)
  }
  const ids = keys.map(({ id }) => id)
  const missing = [...new Set([...secrets.keys(), ...heads.keys()])].filter((id) => !ids.includes(id)).sort()
  return [...ids, ...missing].map((id, place) => ({
    id,
    state: place === 0 ? 'current' : place < ids.length ? 'former' : 'missing',
    webhook_secrets: secrets.get(id) ?? 0,
    audit_heads: heads.get(id) ?? 0,
    former_since: place === 0 || place >= ids.length ? null : dayOf(ids[place - 1] ?? ''),
  }))
}

const DATED = /^(\d{4}-\d{2}-\d{2})(?:-\d+)?$/

function dayOf(id: string): string | null {
  return DATED.exec(id)?.[1] ?? null
}

/** An id for a key that is made on a day. @example newKeyId(['2026-11-21'], '2026-11-21') // '2026-11-21-2' */
export function newKeyId(taken: readonly string[], day: string): string {
  const ids = [day, ...Array.from({ length: taken.length }, (_, n) => `${day}-${n + 2}`)]
  return ids.find((id) => !taken.includes(id)) ?? day
}
