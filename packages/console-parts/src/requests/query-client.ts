// Holds what the page has read, and reads it again: a lost connection is tried again, an ended session leads to signing in.
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { clinicAt, moveTo } from './clinic.ts'
import { hasStatus, mayPass } from './refusal.ts'

export const SESSION = ['session'] as const
export const KEYS = ['keys'] as const
/** The list, and each connection. */
export const CONNECTIONS = ['connections'] as const
/** The list, each integration, and the home page. */
export const INTEGRATIONS = ['integrations'] as const
/** The people and the invitations, and each person's sessions. */
export const PEOPLE = ['people'] as const
/** The requests for approval, and the rule. */
export const APPROVALS = ['approvals'] as const
/** The list of alerts. The home page has the latest of its own. */
export const ALERTS = ['alerts'] as const
/** The other clinics of the reader. */
export const PAIRINGS = ['pairings'] as const
export const PASSKEYS = ['passkeys'] as const
/** Everything that is read of webhooks begins with it. */
export const WEBHOOKS = ['webhooks'] as const

const MOST_RETRIES = 2
const AGAIN_MS = 5_000

export function makeQueryClient(): QueryClient {
  const endSession = (error: unknown) => {
    // The address stays, so signing in leads back to it.
    if (hasStatus(error, 401) && typeof client.getQueryData(SESSION) === 'object') {
      // A clinic that is paired with the first one may have been closed alone.
      if (clinicAt() !== null) return moveTo(null)
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] })
      client.setQueryData(SESSION, 'ended')
    }
    // The person's role may have changed since the session was read.
    if (hasStatus(error, 403)) void client.invalidateQueries({ queryKey: SESSION })
  }
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: endSession }),
    mutationCache: new MutationCache({ onError: endSession }),
    defaultOptions: {
      // Browsers call a machine without a network offline, even if the service is on it.
      queries: {
        networkMode: 'always',
        retry: (count, error) => mayPass(error) && count < MOST_RETRIES,
        // A page that was opened during an outage comes by itself.
        refetchInterval: ({ state: { data, error } }) => data === undefined && mayPass(error) && AGAIN_MS,
      },
      mutations: { networkMode: 'always' },
    },
  })
  return client
}
