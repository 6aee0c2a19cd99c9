// Webhook subscriptions: creating, listing, reading, changing and deleting them.
import { type Clinic, type EventType, eventTypes, type Grant, Problem } from '@clinic-data/contract'
import { faultProblem } from '@clinic-data/contract/fault-problem'
import { type SigningKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import { type Database, sql, type Transaction } from '@clinic-data/database'
import { notFound } from '@clinic-data/surface/not-found'
import { requireGoingOn } from '@clinic-data/webhooks/integrations/integration'
import { pauseSubscription, resumeSubscription } from '@clinic-data/webhooks/subscriptions/pause'
import { giveToSender } from '@clinic-data/webhooks/subscriptions/receiver'
import { rotateSecret } from '@clinic-data/webhooks/subscriptions/rotate-secret'
import {
  changeSubscription,
  createdSubscription,
  createSubscription,
  isOfChat,
  lockForChange,
  type NewSubscription,
  removeSubscription,
  renderSubscription,
  requireNotFinal,
  type ShownRow,
  type SubscriptionRow,
  shownColumns,
  wantedChat,
  wantsChat,
} from '@clinic-data/webhooks/subscriptions/subscription'
import type { HandlerParts, HandlersOf } from '../handling/handled.ts'
import { isAnswered } from '../handling/idempotent.ts'
import { written } from '../handling/write.ts'

type Handled =
  | 'webhooks.create'
  | 'webhooks.list'
  | 'webhooks.get'
  | 'webhooks.update'
  | 'webhooks.secret.rotate'
  | 'webhooks.delete'

/** The stored form of the answer for an `Idempotency-Key`: the secret is not stored in plain text. */
interface Kept {
  subscription_id: string
}

export function webhookHandlers(parts: HandlerParts): HandlersOf<Handled> {
  const { database, secretKeys, checkTarget } = parts
  const sealing = secretKeys && signingKeys(secretKeys, 'webhook-secret')

  const create = written<'webhooks.create', Kept>(
    parts,
    async (tx, grant, { body: { url, event_types, description = null, ...choice } }, at) => {
      const made_by = grant.principal.key_id
      // The public API takes no choice: the console's operation does.
      const wanted = { url, event_types: wantedTypes(grant, event_types), description, made_by, choice }
      return {
        answer: { data: await createSubscription(tx, grant.clinic, required(sealing), wanted, at) },
        changes: [],
        isUndated: true,
      }
    },
    {
      keep: ({ data }) => ({ subscription_id: data.id }),
      answer: async (tx, { clinic, principal }, { subscription_id: id }) => {
        const asked_by = principal.key_id
        const data = await createdSubscription(tx, clinic, required(sealing), { id, asked_by, now: parts.now() })
        if (data !== null) return { data }
        throw new Problem('conflict', 'The subscription that this Idempotency-Key made was deleted. Use a new key.')
      },
    },
  )

  const update = written<'webhooks.update'>(parts, async (tx, grant, { params: { id }, body }, _at, now) => {
    const stored = await lockedForChange(tx, grant.clinic, id, body)
    const { enabled = stored.enabled } = body
    const wanted = {
      url: body.url ?? stored.url,
      event_types: body.event_types === undefined ? stored.event_types : wantedTypes(grant, body.event_types),
      description: body.description === undefined ? stored.description : body.description,
    }
    const isEnabled = enabled && !stored.enabled
    requireChatScope(grant, stored, { ...wanted, isEnabled })
    if (isEnabled) await requireGoingOn(tx, grant.clinic.clinic_id, id)
    if (wanted.url !== stored.url) await giveToSender(tx, grant.clinic, id, grant.principal.key_id)
    if (isEnabled) await resumeSubscription(tx, grant.clinic, id, now)
    const changed = await changeSubscription(tx, grant.clinic, stored, wanted, now)
    const isPaused = (stored.enabled || stored.is_stopped) && body.enabled === false
    const data = isPaused ? await pauseSubscription(tx, grant.clinic, id, now) : changed
    return { answer: { data }, changes: [], isUndated: true }
  })

  const rotate = written<'webhooks.secret.rotate'>(parts, async (tx, { clinic }, { params: { id } }, _at, now) => {
    await lockedForChange(tx, clinic, id)
    const data = await rotateSecret(tx, clinic, required(sealing), id, now)
    return { answer: { data }, changes: [], isUndated: true }
  })

  const remove = written<'webhooks.delete'>(parts, async (tx, { clinic }, { params: { id } }) => {
    if (!(await removeSubscription(tx, clinic, id))) throw notFound('webhook', id)
    return { answer: null, changes: [], isUndated: true }
  })

  return {
    'webhooks.create': async (grant, input, context) => {
      requireNamedTypes(grant, input.body.event_types)
      // Resolving a name may take seconds. No transaction waits for it, and a repeated answer does not either.
      if (checkTarget && !(await isAnswered(database, grant, input))) {
        if ((await checkTarget(input.body.url)) !== null) throw notPublic()
      }
      return create(grant, input, context)
    },

    'webhooks.list': async ({ clinic }) => {
      const rows = await database.read<ShownRow>(
        clinic,
        sql`select ${shownColumns(clinic.clinic_id)} from subscription where clinic_id = ${clinic.clinic_id} order by created_at, id`,
      )
      const now = parts.now()
      return { data: rows.map((row) => renderSubscription(row, row.circuit, now)) }
    },

    'webhooks.get': async ({ clinic }, { params: { id } }) => {
      const row = await subscriptionOf(database, clinic, id)
      return { data: renderSubscription(row, row.circuit, parts.now()) }
    },

    'webhooks.update': async (grant, input, context) => {
      const { clinic } = grant
      const { url, event_types } = input.body
      requireNamedTypes(grant, event_types)
      if (url !== undefined && checkTarget && url !== (await subscriptionOf(database, clinic, input.params.id)).url) {
        if ((await checkTarget(url)) !== null) throw notPublic()
      }
      const answer = await update(grant, input, context)
      if (url !== undefined) parts.onDeliveriesDue?.(clinic.clinic_id)
      if (!answer.data.enabled) await parts.onSubscriptionEnded?.(clinic.clinic_id, input.params.id)
      return answer
    },

    'webhooks.secret.rotate': rotate,

    'webhooks.delete': async (grant, input, context) => {
      const answer = await remove(grant, input, context)
      await parts.onSubscriptionEnded?.(grant.clinic.clinic_id, input.params.id)
      return answer
    },
  }
}

/** @throws Problem `not-found`. */
export async function subscriptionOf(database: Database, clinic: Clinic, id: string): Promise<ShownRow> {
  const [row] = await database.read<ShownRow>(
    clinic,
    sql`select ${shownColumns(clinic.clinic_id)} from subscription where clinic_id = ${clinic.clinic_id} and id = ${id}`,
  )
  if (row === undefined) throw notFound('webhook', id)
  return row
}

/** @throws Problem when there is none, or it is disabled for good. */
async function lockedForChange(
  tx: Transaction,
  clinic: Clinic,
  id: string,
  change?: Parameters<typeof lockForChange>[3],
): Promise<ShownRow> {
  const stored = await lockForChange(tx, clinic, id, change)
  if (stored === null) throw notFound('webhook', id)
  requireNotFinal(stored)
  return stored
}

/** The types in a request: absent, null and an empty list mean the same. */
export type NamedTypes = readonly EventType[] | null | undefined

/** A chat event carries messages, so naming one needs the scope that reads them (specification, Create rules 2). */
export function requireNamedTypes(grant: Grant, types: NamedTypes): void {
  if (grant.may('chat:read') || !types?.some(isOfChat)) return
  throw new Problem('forbidden', 'This key lacks the scope chat:read, which chat.* event types need.', {
    required_scope: 'chat:read',
  })
}

/** If none are named: every type, including future ones, or all that the key may read (specification, Create rules 1 and 3). */
export function wantedTypes(grant: Grant, named: NamedTypes): readonly EventType[] {
  if (named?.length || grant.may('chat:read')) return named ?? []
  return eventTypes.filter((type) => !isOfChat(type))
}

/** At a new address would arrive what waits for the subscription, and what is retried from its log. Enabled, it sends again. */
function requireChatScope(
  grant: Grant,
  stored: SubscriptionRow,
  { url, event_types, isEnabled }: NewSubscription & { isEnabled: boolean },
): void {
  const isMoved = url !== stored.url || isEnabled
  if (!isMoved || grant.may('chat:read') || !(wantedChat(stored) || wantsChat(event_types))) return
  throw new Problem(
    'forbidden',
    'This key lacks the scope chat:read, which enabling or another url of a subscription with chat.* event types needs, former ones too.',
    { required_scope: 'chat:read' },
  )
}

function notPublic(): Problem {
  const detail = 'must lead to a public address: its name must resolve, and to nothing but public addresses'
  return faultProblem('unprocessable', [{ pointer: '#/url', code: 'not_public', detail }])
}

function required(keys: SigningKeys | undefined): SigningKeys {
  if (keys === undefined) throw new Error('without secret keys no subscription can be made')
  return keys
}
