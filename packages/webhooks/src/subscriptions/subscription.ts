// Subscriptions: created together with their lane, shown without their secret, removed together with their waiting deliveries.
import type { Clinic, EventType } from '@clinic-data/contract'
import { MAX, Problem } from '@clinic-data/contract'
import { newId } from '@clinic-data/contract/new-id'
import type { Webhook } from '@clinic-data/contract/resources/webhook'
import type { Static } from '@clinic-data/contract/schema'
import type { SigningKeys } from '@clinic-data/contract/secret-keys'
import { maskedSecret, newWebhookSecret, SHOWN_CHARACTERS } from '@clinic-data/contract/webhook-signature'
import { instant, type Statement, sql, type Transaction } from '@clinic-data/database'
import { type IntegrationChoice, integrationFor, lockIntegrations, ofStopped } from '../integrations/integration.ts'
import { movedCircuit } from './circuit.ts'
import { keepFormer } from './former-subscription.ts'
import { lockLanes, storeLanes } from './lane.ts'
import { integrationOfKey } from './receiver.ts'
import { openSecret, sealSecret } from './sealed-secret.ts'
import { type CircuitTimes, circuitColumn, shownCircuit } from './shown-circuit.ts'

export interface SubscriptionRow {
  id: string
  url: string
  event_types: EventType[]
  description: string | null
  /** It once wanted `chat.*` types: messages may still wait for it, or be in its log. */
  dropped_chat: boolean
  enabled: boolean
  /** Disabled by a request: it can be enabled again. */
  is_paused: boolean
  /** Stop has paused it: undoing that enables it. */
  is_stopped: boolean
  secret_last_characters: string
  created_at: string
  disabled_at: string | null
  disabled_reason: string | null
}

/** With what its lane says of its circuit. Null where it has none. */
export interface ShownRow extends SubscriptionRow {
  circuit: CircuitTimes | null
}

const NO_LANE: CircuitTimes = { opened_at: null, probe_at: null }

/** Columns of the table `subscription`. */
export const subscriptionColumns = sql`id, url, event_types, description, dropped_chat, enabled, is_paused,
  stopped_at is not null as is_stopped, secret_last_characters,
  created_at, disabled_at, disabled_reason`

/** The same with the circuit. Not for `returning`: Citus refuses subqueries there. */
export function shownColumns(clinic_id: string): Statement {
  return sql`${subscriptionColumns}, ${circuitColumn(clinic_id)}`
}

/** A subscription that is enabled and has no lane yet is being made: its circuit is that of a new one. */
export function renderSubscription(
  row: SubscriptionRow,
  circuit: CircuitTimes | null,
  now: Date,
): Static<typeof Webhook> {
  return {
    id: row.id,
    url: row.url,
    event_types: row.event_types,
    description: row.description,
    enabled: row.enabled,
    secret: maskedSecret(row.secret_last_characters),
    disabled_at: instant(row.disabled_at),
    disabled_reason: row.disabled_reason,
    created_at: instant(row.created_at) ?? row.created_at,
    circuit: row.enabled ? shownCircuit(circuit ?? NO_LANE, now) : null,
  }
}

export interface NewSubscription {
  readonly url: string
  /** Empty means every type. */
  readonly event_types: readonly EventType[]
  readonly description: string | null
}

/** A subscription as it is made. */
export interface MadeNow extends NewSubscription {
  /** The key or the administrator. Null: the operator. */
  readonly made_by: string | null
  /** By an administrator. That of a key is for the key's integration. */
  readonly choice?: IntegrationChoice
}

/** Returns the answer to the creation, the only one that holds the secret. @throws Problem when the clinic has its maximum. */
export async function createSubscription(
  tx: Transaction,
  { clinic_id }: Clinic,
  keys: SigningKeys,
  { url, event_types, description, made_by, choice = {} }: MadeNow,
  now: Date,
  id = newId('wh', now),
): Promise<Static<typeof Webhook>> {
  await requireRoom(tx, clinic_id)
  const secret = newWebhookSecret()
  const sealed = sealSecret(keys, { clinic_id, subscription_id: id }, secret)
  const integration_id = await integrationOf(tx, clinic_id, { id, url, description, made_by, choice }, now)
  const { rows } = await tx.query<SubscriptionRow>(sql`
    insert into subscription (clinic_id, id, url, event_types, description, secret, secret_last_characters, created_at,
      kept_since, made_by, integration_id)
    values (${clinic_id}, ${id}, ${url}, ${event_types}, ${description}, ${sealed}, ${secret.slice(-SHOWN_CHARACTERS)},
      ${now}, ${now}, ${made_by}, ${integration_id})
    returning ${subscriptionColumns}`)
  await tx.query(sql`insert into lane (clinic_id, subscription_id) values (${clinic_id}, ${id})`)
  return { ...renderSubscription(rows[0] as SubscriptionRow, null, now), secret }
}

/** That of the key or connection that makes it. Null where its maker's row is an older version's: then it is found later. */
async function integrationOf(
  tx: Transaction,
  clinic_id: string,
  {
    id,
    url,
    description,
    made_by,
    choice,
  }: Pick<MadeNow, 'url' | 'description' | 'made_by' | 'choice'> & { id: string },
  now: Date,
): Promise<string | null> {
  await lockIntegrations(tx, clinic_id)
  const maker = await integrationOfKey(tx, clinic_id, made_by)
  if (maker !== null) return maker.integration_id
  return integrationFor(tx, { ...choice, clinic_id, id, name: description ?? url, now })
}

/** A clinic's creations wait for each other, so that each one's count includes the others. */
async function requireRoom(tx: Transaction, clinic_id: string): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`${clinic_id} subscriptions`}, 0))`)
  const { rows } = await tx.query<{ taken: number }>(
    sql`select count(*)::int as taken from subscription where clinic_id = ${clinic_id}`,
  )
  if ((rows[0]?.taken ?? 0) < MAX.subscriptions) return
  throw new Problem(
    'unprocessable',
    `A clinic has at most ${MAX.subscriptions} webhook subscriptions, disabled ones too. Delete one that is no longer needed.`,
  )
}

/**
 * Returns the creation's answer with the fields as they are now, enabled and with a closed circuit as it was then. Only its maker gets the secret again. Null if it
 * was deleted.
 */
export async function createdSubscription(
  tx: Transaction,
  { clinic_id }: Clinic,
  keys: SigningKeys,
  { id, asked_by, now }: { id: string; asked_by: string; now: Date },
): Promise<Static<typeof Webhook> | null> {
  const { rows } = await tx.query<SubscriptionRow & { sealed: Uint8Array; made_by: string | null }>(sql`
    select ${subscriptionColumns}, made_by, secret as sealed from subscription where clinic_id = ${clinic_id} and id = ${id}`)
  const [row] = rows
  if (row === undefined) return null
  const asMade = { ...row, enabled: true, disabled_at: null, disabled_reason: null }
  const answer = renderSubscription(asMade, null, now)
  if (row.made_by !== asked_by) return answer
  const secret = openSecret(keys, { clinic_id, subscription_id: id }, row.sealed)
  return { ...answer, secret }
}

/** Null if there is none. Until the transaction ends, no other one can disable or delete it. */
export async function lockSubscription(tx: Transaction, { clinic_id }: Clinic, id: string): Promise<ShownRow | null> {
  const { rows } = await tx.query<ShownRow>(sql`
    select ${shownColumns(clinic_id)} from subscription where clinic_id = ${clinic_id} and id = ${id} for share`)
  return rows[0] ?? null
}

/** Locks its lane too, which comes first everywhere but for what Stop takes before it. Null if there is none. */
export async function lockForChange(
  tx: Transaction,
  clinic: Clinic,
  id: string,
  { url, enabled }: { url?: string | undefined; enabled?: boolean | undefined } = {},
): Promise<ShownRow | null> {
  if (enabled || url !== undefined) await lockIntegrations(tx, clinic.clinic_id)
  lockLanes(tx, clinic.clinic_id, [id])
  return lockSubscription(tx, clinic, id)
}

/** Stores the fields of a subscription that is locked for the change. A new address begins with a closed circuit. */
export async function changeSubscription(
  tx: Transaction,
  { clinic_id }: Clinic,
  stored: ShownRow,
  { url, event_types, description }: NewSubscription,
  now: Date,
): Promise<Static<typeof Webhook>> {
  const dropped_chat = wantedChat(stored) && !wantsChat(event_types)
  const wantsOthers = event_types.join() !== stored.event_types.join()
  if (wantsOthers) await keepFormer(tx, clinic_id, [stored.id], now)
  const { rows } = await tx.query<SubscriptionRow>(sql`
    update subscription set url = ${url}, event_types = ${event_types}, description = ${description},
      dropped_chat = ${dropped_chat}
    where clinic_id = ${clinic_id} and id = ${stored.id}
    returning ${subscriptionColumns}`)
  const isMoved = url !== stored.url
  if (isMoved) {
    storeLanes(tx, clinic_id, [{ subscription_id: stored.id, circuit: movedCircuit, recovered_at: now, leases: null }])
  }
  return renderSubscription(rows[0] as SubscriptionRow, isMoved ? null : stored.circuit, now)
}

export function isOfChat(type: EventType): boolean {
  return type.startsWith('chat.')
}

/** An empty list means every type. */
export function wantsChat(event_types: readonly EventType[]): boolean {
  return event_types.length === 0 || event_types.some(isOfChat)
}

/** Whether it wants `chat.*` types now, or ever did. */
export function wantedChat({ event_types, dropped_chat }: SubscriptionRow): boolean {
  return dropped_chat || wantsChat(event_types)
}

/** @throws Problem when the subscription is disabled or paused. */
export function requireEnabled(stored: SubscriptionRow): void {
  requireNotFinal(stored)
  if (stored.enabled) return
  if (stored.is_stopped) throw ofStopped()
  throw new Problem('conflict', 'The subscription is paused. Enable it first: PATCH it with `enabled` true.')
}

/** @throws Problem when the subscription is disabled and cannot be enabled again. */
export function requireNotFinal({ enabled, is_paused }: SubscriptionRow): void {
  if (enabled || is_paused) return
  throw new Problem(
    'conflict',
    'The subscription is disabled, which is final. Create a new one once its endpoint works again.',
  )
}

/** The maximum for one statement: each ends well within its time. */
const MOST_REMOVED = 10_000

/**
 * From the commit on nothing is claimed for the subscription, and its waiting deliveries are deleted. Delivered and failed ones
 * stay until their day is dropped. Returns false when there is no such subscription.
 */
export async function removeSubscription(tx: Transaction, { clinic_id }: Clinic, id: string): Promise<boolean> {
  // Locks the lane first, like everywhere else. One order prevents deadlocks.
  await tx.query(sql`delete from lane where clinic_id = ${clinic_id} and subscription_id = ${id}`)
  const { rowCount } = await tx.query(sql`delete from subscription where clinic_id = ${clinic_id} and id = ${id}`)
  if (rowCount === 0) return false
  for (let removed = MOST_REMOVED; removed === MOST_REMOVED; ) {
    const waiting = await tx.query(sql`
      delete from delivery d
      using (select created_at, event_id from delivery
        where clinic_id = ${clinic_id} and subscription_id = ${id} and status = 'pending' limit ${MOST_REMOVED}) waiting
      where d.clinic_id = ${clinic_id} and d.subscription_id = ${id} and d.created_at = waiting.created_at
        and d.event_id = waiting.event_id`)
    removed = waiting.rowCount
  }
  return true
}
