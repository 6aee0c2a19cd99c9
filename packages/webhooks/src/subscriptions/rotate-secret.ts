// Rotates a subscription's secret. For a day the former one signs too, so that a receiver can change over without losing a delivery. A paused
// subscription sends nothing meanwhile: its secret is replaced (docs/decisions/0040).
import { type Clinic, Problem } from '@clinic-data/contract'
import type { Webhook } from '@clinic-data/contract/resources/webhook'
import type { Static } from '@clinic-data/contract/schema'
import type { SigningKeys } from '@clinic-data/contract/secret-keys'
import { newWebhookSecret, SHOWN_CHARACTERS } from '@clinic-data/contract/webhook-signature'
import { sql, type Transaction } from '@clinic-data/database'
import { sealSecret } from './sealed-secret.ts'
import { type CircuitTimes, circuitColumn } from './shown-circuit.ts'
import { renderSubscription, type SubscriptionRow, subscriptionColumns } from './subscription.ts'

/** How long a former secret signs. */
export const FORMER_SECRET_MS = 24 * 60 * 60 * 1000

/** With more of them the header of the signatures would exceed its published length. */
const MOST_FORMER = 4

/** A former secret as it is stored. */
export interface FormerSecret {
  /** Base64 of the sealed bytes. */
  readonly sealed: string
  readonly until: string
}

interface Stored {
  sealed: Uint8Array
  former_secrets: FormerSecret[]
  circuit: CircuitTimes | null
}

/** The former secrets that still sign, the latest first. */
export function signingSecrets(former: readonly FormerSecret[], now: Date): FormerSecret[] {
  return former.filter(({ until }) => new Date(until) > now)
}

/**
 * Gives a subscription that is locked for the change a new secret, and returns it with that secret in full. A second rotation within
 * the day ends no secret early: the answer of the first one may have been lost. A paused one has no secret but the new.
 *
 * @throws Problem when it was rotated too often within a day.
 */
export async function rotateSecret(
  tx: Transaction,
  { clinic_id }: Clinic,
  keys: SigningKeys,
  id: string,
  now: Date,
): Promise<Static<typeof Webhook>> {
  const { rows: stored } = await tx.query<Stored>(sql`
    select secret as sealed, former_secrets, ${circuitColumn(clinic_id)} from subscription
    where clinic_id = ${clinic_id} and id = ${id} and enabled`)
  const before = stored.map(({ sealed }) => ({
    sealed: Buffer.from(sealed).toString('base64'),
    until: new Date(now.getTime() + FORMER_SECRET_MS).toISOString(),
  }))
  const former = [...before, ...signingSecrets(stored[0]?.former_secrets ?? [], now)]
  if (former.length > MOST_FORMER) {
    throw new Problem('conflict', `The secret was rotated ${MOST_FORMER} times within 24 hours. Rotate it again later.`)
  }
  const secret = newWebhookSecret()
  const { rows } = await tx.query<SubscriptionRow>(sql`
    update subscription set secret = ${sealSecret(keys, { clinic_id, subscription_id: id }, secret)},
      secret_last_characters = ${secret.slice(-SHOWN_CHARACTERS)}, former_secrets = ${JSON.stringify(former)}::jsonb,
      rotated_at = ${now}
    where clinic_id = ${clinic_id} and id = ${id}
    returning ${subscriptionColumns}`)
  return {
    ...renderSubscription(rows[0] as SubscriptionRow, stored[0]?.circuit ?? null, now),
    secret,
  }
}

/** Erases the clinic's former secrets that no longer sign. */
export async function eraseFormerSecrets(tx: Transaction, { clinic_id }: Clinic, now: Date): Promise<void> {
  const { rows } = await tx.query<{ id: string; former_secrets: FormerSecret[] }>(sql`
    select id, former_secrets from subscription where clinic_id = ${clinic_id} and former_secrets <> '[]'::jsonb
    order by id for update`)
  for (const { id, former_secrets } of rows) {
    const signing = signingSecrets(former_secrets, now)
    if (signing.length === former_secrets.length) continue
    await tx.query(sql`update subscription set former_secrets = ${JSON.stringify(signing)}::jsonb
      where clinic_id = ${clinic_id} and id = ${id}`)
  }
}
