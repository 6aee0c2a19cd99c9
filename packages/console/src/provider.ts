// The identity provider of the install, by which administrators may sign in, or must.

import { api } from '@clinic-data/console-parts/api'
import { useQuery } from '@tanstack/react-query'

export interface Provider {
  name: string
  /** No password and no passkey signs in. */
  is_required: boolean
}

/** Null where there is none. Undefined until that is known: what a provider may forbid is not shown before. */
export function useProvider(): Provider | null | undefined {
  const ways = useQuery({ queryKey: ['ways'], queryFn: api.signInWays, staleTime: Number.POSITIVE_INFINITY })
  return ways.data?.openid
}

/** Whether passwords and passkeys sign in too. False until that is known. */
export function isOptional(provider: Provider | null | undefined): boolean {
  return provider !== undefined && !provider?.is_required
}
