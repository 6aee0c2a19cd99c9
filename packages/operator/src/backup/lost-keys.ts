// Mends a restored database when secret keys of its installation are lost: what they sealed is made anew, and marked
// (docs/decisions/0089).

import { listClinics } from '@clinic-data/administration/clinics'
import type { besideOperator, OperatorOperation } from '@clinic-data/audit/operator-audit'
import { RESTORED_WITHOUT_KEYS, takeOverHead } from '@clinic-data/audit/unproven-rows'
import { type SecretKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import { type Database, utcSession } from '@clinic-data/database'
import { replaceLostSecrets } from '@clinic-data/webhooks/subscriptions/lost-secrets'

export interface LostKeys {
  /** Those that are there. */
  readonly keys: SecretKeys
  readonly lost: readonly string[]
  /** Whether one of `keys` has authenticated the backup. */
  readonly isProven: boolean
  readonly tell: (clinic_id: string, operation: OperatorOperation) => ReturnType<typeof besideOperator>
}

/** A webhook that sends nothing until its secret is rotated and it is enabled. */
export interface PausedWebhook {
  readonly clinic_id: string
  readonly id: string
}

/** Each clinic's audit log names its webhooks, and tells from when on its rows are proven. Nobody else may use the database. */
export async function replaceLostKeys(owner: Database, lostKeys: LostKeys): Promise<PausedWebhook[]> {
  const { keys, lost, isProven, tell } = lostKeys
  const isLost = (key_id: string) => lost.includes(key_id)
  const webhooks: PausedWebhook[] = []
  for (const { clinic_id } of await listClinics(owner)) {
    const ids = await owner.write(utcSession(clinic_id), async (tx) => {
      const [secrets, heads] = [signingKeys(keys, 'webhook-secret'), signingKeys(keys, 'audit-head')]
      const replaced = await replaceLostSecrets(tx, clinic_id, { keys: secrets, isLost, now: new Date() })
      const isHeadLost = await takeOverHead(tx, clinic_id, { keys: heads, isLost })
      if (isHeadLost || !isProven) tell(clinic_id, RESTORED_WITHOUT_KEYS)(tx, replaced)
      else if (replaced.length > 0) tell(clinic_id, 'operator.restore.webhook_secrets')(tx, replaced)
      return replaced
    })
    webhooks.push(...ids.map((id) => ({ clinic_id, id })))
  }
  return webhooks
}
