// The scopes a key can hold (specification, Authentication), each with what it grants.

export const scopes = {
  'patients:read': 'Read and search patients.',
  'appointments:read': "Appointments and a patient's appointments.",
  'availability:read': 'Free appointment slots.',
  'treatments:read': 'Recorded treatments.',
  'payments:read': 'Payments and refunds.',
  'payments:write': 'Record a payment and issue its accounting documents.',
  'leads:write':
    'Create leads. A submission that matches an open lead is answered with it; to list them takes `leads:read`. Together with `analytics:read` it opens their figures too, the dataset `leads`.',
  'leads:read':
    'List and read leads: people who have asked and are not patients yet, with what they asked for. Together with `analytics:read` it opens their figures, the dataset `leads`. Not part of the bundle `reads`.',
  'calls:read': 'Call log, AI summaries, transcripts, recording links.',
  'chat:read': 'Chat conversations, messages, media, templates.',
  'chat:write': 'Send a chat message to a patient.',
  'catalog:read': 'Branches, types, statuses, treatments, providers, billing accounts.',
  'analytics:read': 'Describe and query the analytics datasets.',
  'webhooks:manage':
    'Create, read and delete webhook subscriptions; read, retry and replay their deliveries; read the event feed. This scope alone opens patient data: events carry whole patients, appointments, treatments, payments and calls, and need no other scope for them. Only chats also need `chat:read`.',
} as const

export type Scope = keyof typeof scopes

export const allScopes = Object.keys(scopes) as readonly Scope[]

/** Whether it opens reading alone. */
export const isReading = (scope: Scope) => scope.endsWith(':read')

/** A scope that came after the first release is chosen by name: whoever asked for all reads before did not ask for it (docs/decisions/0135). */
const NAMED_ALONE: readonly Scope[] = ['leads:read']

/**
 * The bundle `reads`: every `*:read` of the specification, no write scope and not `webhooks:manage`. There is no bundle of all
 * scopes.
 */
export const readScopes: readonly Scope[] = allScopes.filter(
  (scope) => isReading(scope) && !NAMED_ALONE.includes(scope),
)

/**
 * Reads a comma-separated list of scope names and the bundle `reads`.
 *
 * @returns the scopes in the contract's order, or the words that are not scopes.
 * @example parseScopes('reads,leads:write')
 */
export function parseScopes(list: string): { scopes: readonly Scope[] } | { unknown: readonly string[] } {
  const words = list
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
  const unknown = words.filter((word) => word !== 'reads' && !Object.hasOwn(scopes, word))
  if (unknown.length > 0 || words.length === 0) return { unknown }
  return {
    scopes: allScopes.filter(
      (scope) => words.includes(scope) || (words.includes('reads') && readScopes.includes(scope)),
    ),
  }
}
