// Reads the integrations of all clinics of the reader, each by its own request.

import { rolesOf } from '@clinic-data/console-contract/roles'
import { type OwnClinic, useOwnClinics } from '@clinic-data/console-parts/own-clinics'
import { INTEGRATIONS } from '@clinic-data/console-parts/requests/query-client'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { integrationsIn } from './partners.ts'

const WATCH_MS = 15_000

const maySee = ({ role }: OwnClinic) => rolesOf.listIntegrations.includes(role)

export function useClinics() {
  const client = useQueryClient()
  const own = useOwnClinics()
  const open = own.clinics.filter(({ pairing }) => pairing?.is_open !== false)
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
    isReady: own.isReady && reads.every(({ data: read, error }) => read !== undefined || error !== null),
    members: shown.flatMap((clinic, at) => (reads[at]?.data ?? []).map((integration) => ({ clinic, integration }))),
    closed: own.clinics.filter((one) => !open.includes(one)),
    notShown: open.filter((one) => !shown.includes(one)),
    error: own.error ?? reads.find(({ error }) => error !== null)?.error ?? null,
    refetch: () => Promise.all([own.refetch(), ...reads.map((read) => read.refetch())]),
  }
}
