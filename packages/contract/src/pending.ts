// What the contract holds and nobody serves yet: operations (neither routed nor in the OpenAPI document) and whole surfaces.

export const pending = [
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

/** The documentation does not speak of these as if they were there. */
export const pendingSurfaces: readonly ('mcp' | 'sc' | 'webhooks')[] = ['mcp', 'sc', 'webhooks']
