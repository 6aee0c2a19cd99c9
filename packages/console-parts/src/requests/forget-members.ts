// After an integration was stopped, or something was moved, everything that shows its parts is read again.
import type { QueryClient } from '@tanstack/react-query'
import { CONNECTIONS, INTEGRATIONS, KEYS, WEBHOOKS } from './query-client.ts'

export async function forgetMembers(client: QueryClient): Promise<void> {
  await Promise.all(
    [INTEGRATIONS, KEYS, CONNECTIONS, WEBHOOKS].map((queryKey) => client.invalidateQueries({ queryKey })),
  )
}
