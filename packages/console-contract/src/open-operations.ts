// The operations of the public contract that the console opens to a signed-in administrator. No other one is: the console shows a
// clinic's settings and numbers, not its patients.
import { type OperationId, operations } from '@clinic-data/contract/operations'
import { WebhookRequest } from '@clinic-data/contract/resources/webhook'
import { type Static, strictObject } from '@clinic-data/contract/schema'
import { IntegrationChoice } from './console-resources.ts'

export const openOperationIds = [
  'me.get',
  'webhooks.create',
  'webhooks.list',
  'webhooks.get',
  'webhooks.update',
  'webhooks.delete',
  'webhooks.test',
  'webhooks.replay',
  'webhooks.secret.rotate',
  'webhooks.deliveries.retry',
  'metrics.describe',
  'query.run',
  // The names behind the ids of a question, and the clinic's page.
  'catalog.branches.list',
  'catalog.providers.list',
] as const satisfies readonly OperationId[]

export type OpenOperationId = (typeof openOperationIds)[number]

/** In the console a person makes the webhook, and says for which integration. One of a key is for the key's. */
const createWebhook = {
  ...operations['webhooks.create'],
  body: strictObject({ ...WebhookRequest.properties, ...IntegrationChoice }),
}

export type CreateWebhookBody = Static<typeof createWebhook.body>

export const openOperations = openOperationIds.map((id) => (id === createWebhook.id ? createWebhook : operations[id]))
