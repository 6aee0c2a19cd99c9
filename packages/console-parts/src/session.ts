// The session of the administrator: read once, kept until the service says that it has ended.
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, type ConsoleSession } from './api.ts'
import { clinicAt, moveTo, show, workAt } from './requests/clinic.ts'
import { SESSION } from './requests/query-client.ts'
import { hasStatus } from './requests/refusal.ts'

/**
 * 'none' before signing in, 'ended' after a session that the service no longer knows, 'pairing' while its person signs in to another clinic, which is
 * to be paired.
 */
export type SessionState = ConsoleSession | 'none' | 'ended' | 'pairing'

export function useSessionQuery() {
  return useQuery<SessionState>({
    queryKey: SESSION,
    queryFn: async () => (await readSession()) ?? 'none',
    staleTime: Number.POSITIVE_INFINITY,
    // Whoever signed in meanwhile in another tab, by a link, goes on in this one.
    refetchOnWindowFocus: ({ state: { data } }) => data === 'none' && 'always',
  })
}

/** Null without one. A paired clinic that is no longer open leads back to the first one. */
async function readSession(): Promise<ConsoleSession | null> {
  try {
    const session = remembered(await api.session())
    // A version of before knows no pairings, and answers for the first clinic.
    if (session.clinic.clinic_id !== clinicAt()) workAt(null)
    // It has come to demand more than the first clinic's sign-in. Its own is in the menu.
    if (session.is_paired && session.held !== null) moveTo(null)
    return session
  } catch (error) {
    if (!hasStatus(error, 401)) throw error
    if (clinicAt() === null) return null
    workAt(null)
    return readSession()
  }
}

/** For parts that are shown only within a session. */
export function useSession(): ConsoleSession {
  const session = useQueryClient().getQueryData<SessionState>(SESSION)
  if (typeof session !== 'object') throw new Error('this part is shown only to a signed-in administrator')
  return session
}

const CLINIC = 'console.clinic'
const EMAIL = 'console.email'

/** Who signed in last on this machine. */
export const lastSignIn = () => ({
  clinic_id: localStorage.getItem(CLINIC) ?? '',
  email: localStorage.getItem(EMAIL) ?? '',
})

export function rememberSignIn(clinic_id: string, email: string): void {
  localStorage.setItem(CLINIC, clinic_id)
  localStorage.setItem(EMAIL, email)
}

function remembered(session: ConsoleSession): ConsoleSession {
  show(session.administrator.id)
  if (!session.is_paired) rememberSignIn(session.clinic.clinic_id, session.administrator.email)
  return session
}

/** Whoever begins a session sees nothing of an earlier one. */
export function useBeginSession(): (session: ConsoleSession) => Promise<void> {
  const client = useQueryClient()
  return async (session) => {
    await forget(client)
    workAt(null)
    client.setQueryData(SESSION, remembered(session))
  }
}

/** Ends the session, or all of the administrator. The address stays, so signing in again leads back to it. */
export function useSignOut() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: api.signOut,
    onSuccess: async () => {
      await forget(client)
      workAt(null)
      client.setQueryData<SessionState>(SESSION, 'none')
    },
  })
}

/** Forgets everything that was read before. What is still under way would tell of the former session. */
async function forget(client: QueryClient): Promise<void> {
  await client.cancelQueries()
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] })
}
