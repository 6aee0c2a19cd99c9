// Operations of the contract that have no handler yet: neither routed nor in the OpenAPI document.

export const pending = [
  'leads.create',
  'payments.create',
  'chat.messages.create',
  'metrics.describe',
  'query.run',
  'webhooks.create',
  'webhooks.list',
  'webhooks.get',
  'webhooks.delete',
  'webhooks.deliveries.list',
  'webhooks.deliveries.retry',
  'webhooks.test',
  'webhooks.replay',
  'events.list',
] as const
