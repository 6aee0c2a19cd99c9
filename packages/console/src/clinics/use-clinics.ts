// Reads the integrations of all clinics of the reader, each by its own request.

import { rolesOf } from '@clinic-data/console-contract/roles'
import { api } from '@clinic-data/console-parts/api'
import { INTEGRATIONS, PAIRINGS } from '@clinic-data/console-parts/requests/query-client'
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Clinic, integrationsIn } from './partners.ts'

const WATCH_MS = 15_000

const maySee = ({ role }: Clinic) => rolesOf.listIntegrations.includes(role)

export function useClinics() {
  const client = useQueryClient()
  const listed = useQuery({ queryKey: PAIRINGS, queryFn: api.listPairings })
  const { here, data = [] } = listed.data ?? {}
  const all: Clinic[] = [
    ...(here ? [{ ...here, pairing: null }] : []),
    ...data.map((pairing) => ({ ...pairing, pairing })),
  ]
  const open = all.filter(({ pairing }) => pairing?.is_open !== false)
  const shown = open.filter(maySee)
  const reads = useQueries({
    queries: shown.map((clinic) => {
      const queryKey = [...INTEGRATIONS, 'of', clinic.clinic_id]
      return {
        queryKey,
        queryFn: () => integrationsIn(clinic, client.getQueryData(queryKey) !== undefined),
        refetchInterval: WATCH_MS,
      }
    }),
  })
  return {
    isReady: listed.data !== undefined && reads.every(({ data: read, error }) => read !== undefined || error !== null),
    members: shown.flatMap((clinic, at) => (reads[at]?.data ?? []).map((integration) => ({ clinic, integration }))),
    closed: all.filter((one) => !open.includes(one)),
    notShown: open.filter((one) => !shown.includes(one)),
    error: listed.error ?? reads.find(({ error }) => error !== null)?.error ?? null,
    refetch: () => Promise.all([listed.refetch(), ...reads.map((read) => read.refetch())]),
  }
}
