// The clinic's other integrations, with which one can share its parts.
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { INTEGRATIONS } from '../requests/query-client.ts'

export function useOthers(id: string) {
  return useQuery({
    queryKey: [...INTEGRATIONS, 'list'],
    queryFn: () => api.listIntegrations(false),
    // Nothing of a stopped one is moved.
    select: (all) => all.filter((one) => one.id !== id && one.stopped_at === null),
  })
}
