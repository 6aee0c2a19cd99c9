// The clinic's subscriptions and how they do. How they do is read again every few seconds, the subscriptions when that shows a change.

import { api, type WebhookHealth } from '@clinic-data/console-parts/api'
import { WEBHOOKS } from '@clinic-data/console-parts/requests/query-client'
import { v1 } from '@clinic-data/console-parts/v1'
import type { Webhook } from '@clinic-data/contract/resources/webhook'
import type { Static } from '@clinic-data/contract/schema'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

export type Subscription = Static<typeof Webhook>

export const SUBSCRIPTIONS = [...WEBHOOKS, 'subscriptions'] as const
const HEALTH = [...WEBHOOKS, 'health'] as const

const EVERY_MS = 5_000

export function useSubscriptions() {
  const client = useQueryClient()
  const listed = useQuery({
    queryKey: SUBSCRIPTIONS,
    queryFn: async () => (await v1('webhooks.list')).data,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const health = useQuery({ queryKey: HEALTH, queryFn: api.webhookHealth, refetchInterval: EVERY_MS })
  const isBehind =
    listed.data !== undefined && health.data !== undefined && outline(listed.data) !== outline(health.data)
  useEffect(() => {
    if (isBehind) void client.invalidateQueries({ queryKey: SUBSCRIPTIONS })
  }, [isBehind, client])
  return { listed, health: new Map((health.data ?? []).map((one) => [one.id, one])) }
}

/** Which subscriptions there are, and which of them are disabled. */
function outline(all: readonly { id: string; disabled_at: string | null }[]): string {
  return all.map(({ id, disabled_at }) => `${id} ${disabled_at !== null}`).join()
}

export type State = 'works' | 'idle' | 'failing' | 'paused' | 'stopped' | 'disabled'

export function stateOf({ enabled }: Subscription, health: WebhookHealth | undefined): State {
  if (!enabled) return health?.is_paused ? 'stopped' : 'disabled'
  if (health?.opened_at) return 'paused'
  if (health?.failing_since) return 'failing'
  return health?.last_success_at ? 'works' : 'idle'
}
