// The alerts of the clinic, read again as long as the page is open.
import { api } from '@clinic-data/console-parts/api'
import { ALERTS, INTEGRATIONS } from '@clinic-data/console-parts/requests/query-client'
import { useActing } from '@clinic-data/console-parts/requests/use-acting'
import { useQuery, useQueryClient } from '@tanstack/react-query'

const WATCH_MS = 30_000

export function useAlerts() {
  const client = useQueryClient()
  return useQuery({
    queryKey: ALERTS,
    queryFn: () => api.listAlerts(client.getQueryData(ALERTS) !== undefined),
    refetchInterval: WATCH_MS,
  })
}

/** Says that the reader has looked at an alert. @param onSeen before the lists are read again. */
export function useSeeing(id: string, onSeen: () => void) {
  const client = useQueryClient()
  return useActing({
    act: () => api.markAlertSeen(id),
    onDone: onSeen,
    // The home page shows those that nobody has looked at.
    after: () => Promise.all([ALERTS, INTEGRATIONS].map((queryKey) => client.invalidateQueries({ queryKey }))),
  })
}
