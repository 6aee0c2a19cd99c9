// The reader's clinics: the one that was signed in to, and those that are paired with it.

import { useQuery } from '@tanstack/react-query'
import { api, type Pairing, type Role } from './api.ts'
import { PAIRINGS } from './requests/query-client.ts'

export interface OwnClinic {
  clinic_id: string
  name: string
  role: Role
  /** Null: it is the one that was signed in to. */
  pairing: Pairing | null
}

export function useOwnClinics() {
  const { data: listed, error, refetch } = useQuery({ queryKey: PAIRINGS, queryFn: api.listPairings })
  const clinics: OwnClinic[] = listed
    ? [{ ...listed.here, pairing: null }, ...listed.data.map((pairing) => ({ ...pairing, pairing }))]
    : []
  return { clinics, isReady: listed !== undefined, error, refetch }
}
