// The clinic's other integrations, with which one can share its parts.

import { api } from '@clinic-data/console-parts/api'
import { INTEGRATIONS } from '@clinic-data/console-parts/requests/query-client'
import { useQuery } from '@tanstack/react-query'

export function useOthers(id: string) {
  return useQuery({
    queryKey: [...INTEGRATIONS, 'list'],
    queryFn: () => api.listIntegrations(false),
    select: (all) => all.filter((one) => one.id !== id),
  })
}
