// The identity provider of the install, by which administrators may sign in, or must.
import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

export interface Provider {
  name: string
  /** No password and no passkey signs in. */
  is_required: boolean
}

/** Null where there is none, and until it is known. */
export function useProvider(): Provider | null {
  const ways = useQuery({ queryKey: ['ways'], queryFn: api.signInWays, staleTime: Number.POSITIVE_INFINITY })
  return ways.data?.openid ?? null
}
