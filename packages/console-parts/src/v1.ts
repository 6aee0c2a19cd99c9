// The typed client of the public contract's operations that are open to a signed-in administrator.
//
//   const { data } = await v1('webhooks.deliveries.list', { params: { id }, query: { status: 'failed' } })
import type { CreateWebhookBody, OpenOperationId } from '@clinic-data/console-contract/open-operations'
import type { Operations } from '@clinic-data/contract/operations'
import type { Static, TSchema } from '@clinic-data/contract/schema'
import { addressOf, ask, type Params } from './requests/ask.ts'

type Place<Id extends OpenOperationId> = readonly [method: Operations[Id]['method'], path: Operations[Id]['path']]

/** The compiler compares each with its record. */
const places: { readonly [Id in OpenOperationId]: Place<Id> } = {
  'me.get': ['GET', '/v1/me'],
  'webhooks.create': ['POST', '/v1/webhooks'],
  'webhooks.list': ['GET', '/v1/webhooks'],
  'webhooks.get': ['GET', '/v1/webhooks/{id}'],
  'webhooks.update': ['PATCH', '/v1/webhooks/{id}'],
  'webhooks.delete': ['DELETE', '/v1/webhooks/{id}'],
  'webhooks.test': ['POST', '/v1/webhooks/{id}/test'],
  'webhooks.replay': ['POST', '/v1/webhooks/{id}/replay'],
  'webhooks.secret.rotate': ['POST', '/v1/webhooks/{id}/secret/rotate'],
  'webhooks.deliveries.retry': ['POST', '/v1/webhooks/{id}/deliveries/{delivery_id}/retry'],
  'metrics.describe': ['GET', '/v1/metrics'],
  'query.run': ['POST', '/v1/query'],
  'catalog.branches.list': ['GET', '/v1/catalog/branches'],
  'catalog.providers.list': ['GET', '/v1/catalog/providers'],
}

type BodySchema<Id extends OpenOperationId> = NonNullable<Operations[Id]['body']>
export type V1Body<Id extends OpenOperationId> = Id extends 'webhooks.create'
  ? CreateWebhookBody
  : BodySchema<Id> extends TSchema
    ? Static<BodySchema<Id>>
    : never
export type V1Query<Id extends OpenOperationId> = Partial<Static<Operations[Id]['query']>>
export type V1Answer<Id extends OpenOperationId> = Operations[Id]['shape'] extends 'none'
  ? undefined
  : Static<Operations[Id]['output']>

interface Sent<Id extends OpenOperationId> {
  params?: Params<Operations[Id]['path']>
  query?: V1Query<Id>
  body?: V1Body<Id>
  idempotencyKey?: string
  isWatch?: boolean
  signal?: AbortSignal
}

/** @throws RefusedError | UnreachableError */
export async function v1<Id extends OpenOperationId>(id: Id, { params, query, ...sent }: Sent<Id> = {}) {
  const [method, path] = places[id]
  // The contract says what each answer holds.
  return (await ask(addressOf(`/console/api${path}`, params ?? {}, query), { method, ...sent })) as V1Answer<Id>
}
