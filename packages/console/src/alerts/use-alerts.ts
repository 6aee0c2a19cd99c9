// The alerts of the clinic, read again as long as the page is open.
import { api } from '@clinic-data/console-parts/api'
import { ALERTS, INTEGRATIONS } from '@clinic-data/console-parts/requests/query-client'
import { useActing } from '@clinic-data/console-parts/requests/use-acting'
import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'

const WATCH_MS = 30_000
/** Below the alerts, so that all that shows any is read again together. */
const LIST = [...ALERTS, 'list']

type Pages = InfiniteData<unknown, string | null>

export function useAlerts() {
  const client = useQueryClient()
  return useInfiniteQuery({
    queryKey: LIST,
    queryFn: ({ pageParam: cursor }) => {
      // A page that is there already is watched. Another one somebody has asked for.
      const isWatch = client.getQueryData<Pages>(LIST)?.pageParams.includes(cursor) ?? false
      return api.listAlerts({ ...(cursor !== null && { cursor }) }, isWatch)
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => meta.next_cursor,
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
