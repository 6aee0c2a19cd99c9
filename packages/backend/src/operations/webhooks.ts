// Webhook subscriptions: creating, listing, reading and deleting them.
import { type Clinic, type EventType, eventTypes, type Grant, Problem } from '@clinic-data/contract'
import { type SigningKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import { type Database, sql } from '@clinic-data/database'
import {
  createdSubscription,
  createSubscription,
  removeSubscription,
  renderSubscription,
  type SubscriptionRow,
  subscriptionColumns,
} from '@clinic-data/webhooks/subscription'
import { notFound } from '../not-found.ts'
import type { HandlerParts, HandlersOf } from './handled.ts'
import { isAnswered } from './idempotent.ts'
import { written } from './write.ts'

type Handled = 'webhooks.create' | 'webhooks.list' | 'webhooks.get' | 'webhooks.delete'

/** The stored form of the answer for an `Idempotency-Key`: the secret is not stored in plain text. */
interface Kept {
  subscription_id: string
}

export function webhookHandlers(parts: HandlerParts): HandlersOf<Handled> {
  const { database, now, secretKeys, checkTarget } = parts
  const sealing = secretKeys && signingKeys(secretKeys, 'webhook-secret')

  const create = written<'webhooks.create', Kept>(
    parts,
    async (tx, grant, { body: { url, event_types } }, at) => {
      const wanted = { url, event_types: wantedTypes(grant, event_types) }
      return {
        answer: { data: await createSubscription(tx, grant.clinic, required(sealing), wanted, at) },
        changes: [],
        isUndated: true,
      }
    },
    {
      keep: ({ data }) => ({ subscription_id: data.id }),
      answer: async (tx, { clinic }, { subscription_id }) => {
        const data = await createdSubscription(tx, clinic, required(sealing), subscription_id)
        if (data !== null) return { data }
        throw new Problem('conflict', 'The subscription that this Idempotency-Key made was deleted. Use a new key.')
      },
    },
  )

  const remove = written<'webhooks.delete'>(parts, async (tx, { clinic }, { params: { id } }) => {
    if (!(await removeSubscription(tx, clinic, id))) throw notFound('webhook', id)
    return { answer: null, changes: [], isUndated: true }
  })

  return {
    'webhooks.create': async (grant, input, context) => {
      requireNamedTypes(grant, input.body.event_types)
      // Resolving a name may take seconds. No transaction waits for it, and a repeated answer does not either.
      if (checkTarget && !(await isAnswered(database, grant, input, now()))) {
        if ((await checkTarget(input.body.url)) !== null) throw notPublic()
      }
      return create(grant, input, context)
    },

    'webhooks.list': async ({ clinic }) => {
      const rows = await database.read<SubscriptionRow>(
        clinic,
        sql`select ${subscriptionColumns} from subscription where clinic_id = ${clinic.clinic_id} order by created_at, id`,
      )
      return { data: rows.map(renderSubscription) }
    },

    'webhooks.get': async ({ clinic }, { params: { id } }) => ({
      data: renderSubscription(await subscriptionOf(database, clinic, id)),
    }),

    'webhooks.delete': async (grant, input, context) => {
      const answer = await remove(grant, input, context)
      await parts.onSubscriptionEnded?.(grant.clinic.clinic_id, input.params.id)
      return answer
    },
  }
}

/** @throws Problem `not-found`. */
export async function subscriptionOf(database: Database, clinic: Clinic, id: string): Promise<SubscriptionRow> {
  const [row] = await database.read<SubscriptionRow>(
    clinic,
    sql`select ${subscriptionColumns} from subscription where clinic_id = ${clinic.clinic_id} and id = ${id}`,
  )
  if (row === undefined) throw notFound('webhook', id)
  return row
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

function isOfChat(type: EventType): boolean {
  return type.startsWith('chat.')
}

function notPublic(): Problem {
  const detail = 'must lead to a public address: its name must resolve, and to nothing but public addresses'
  return new Problem('unprocessable', `url ${detail}.`, { errors: [{ pointer: '#/url', code: 'not_public', detail }] })
}

function required(keys: SigningKeys | undefined): SigningKeys {
  if (keys === undefined) throw new Error('without secret keys no subscription can be made')
  return keys
}
