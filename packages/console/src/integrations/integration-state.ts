// Says of each integration how it does.
import type { Integration } from '@clinic-data/console-parts/api'

export type IntegrationState = 'active' | 'failing' | 'stopped' | 'unused' | 'ended'

export function stateOf(integration: Integration): IntegrationState {
  const { stopped_at, failing_webhooks, keys, connections, webhooks, last_used_at } = integration
  if (stopped_at !== null) return 'stopped'
  if (failing_webhooks > 0) return 'failing'
  if (keys + connections + webhooks === 0) return 'ended'
  return last_used_at === null && webhooks === 0 ? 'unused' : 'active'
}
