// After secret keys were lost: what they sealed opens for nobody, so the subscriptions get other secrets and wait for their makers.
import type { SigningKeys } from '@clinic-data/contract/secret-keys'
import { newWebhookSecret, SHOWN_CHARACTERS } from '@clinic-data/contract/webhook-signature'
import { sql, type Transaction } from '@clinic-data/database'
import { pauseSubscription } from './pause.ts'
import { type SealedRow, sealedColumns, sealersOf } from './reseal.ts'
import { sealSecret } from './sealed-secret.ts'

const SECRET_LOST =
  'Its secret was lost, and replaced by one that nobody knows: rotate the secret, give the new one to the receiver, then enable it.'

/**
 * Gives each subscription of a clinic with a secret that a lost key has sealed a new one, which is told to nobody, and pauses it: its
 * receiver would refuse what is signed so. One that was disabled for its failures stays as it is. Nobody else may use the database.
 *
 * @returns the ids of the subscriptions that wait for a rotation.
 */
export async function replaceLostSecrets(
  tx: Transaction,
  clinic_id: string,
  { keys, isLost, now }: { keys: SigningKeys; isLost: (key_id: string) => boolean; now: Date },
): Promise<string[]> {
  const { rows } = await tx.query<SealedRow & { mayBeEnabled: boolean }>(sql`
    select enabled or is_paused as "mayBeEnabled", ${sealedColumns} where clinic_id = ${clinic_id} order by id`)
  const lost = rows.filter((row) => sealersOf(row).some(isLost))
  for (const { id, mayBeEnabled } of lost) {
    const secret = newWebhookSecret()
    await tx.query(sql`update subscription
      set secret = ${sealSecret(keys, { clinic_id, subscription_id: id }, secret)}, former_secrets = '[]'::jsonb,
        secret_last_characters = ${secret.slice(-SHOWN_CHARACTERS)}, rotated_at = ${now}
      where clinic_id = ${clinic_id} and id = ${id}`)
    if (mayBeEnabled) await pauseSubscription(tx, { clinic_id }, id, now, SECRET_LOST)
  }
  return lost.filter(({ mayBeEnabled }) => mayBeEnabled).map(({ id }) => id)
}
