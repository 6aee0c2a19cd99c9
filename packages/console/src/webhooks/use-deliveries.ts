// The deliveries of a subscription: pages by cursor, and above them what has come since, which the page watches every few seconds.
import type { EventType } from '@clinic-data/contract/event-types'
import type { Delivery as DeliverySchema } from '@clinic-data/contract/resources/webhook'
import type { Static } from '@clinic-data/contract/schema'
import {
  infiniteQueryOptions,
  useInfiniteQuery,
  usePrefetchInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../api.ts'
import { WEBHOOKS } from '../requests/query-client.ts'
import { v1 } from '../v1.ts'

export type Delivery = Static<typeof DeliverySchema>

export interface Filters {
  status?: Delivery['status']
  event_type?: EventType
}

export const DELIVERIES = [...WEBHOOKS, 'deliveries'] as const

const EVERY_MS = 3_000
const PAGE = 25

const listOf = (id: string, filters: Filters) =>
  infiniteQueryOptions({
    queryKey: [...DELIVERIES, id, 'list', filters],
    queryFn: ({ pageParam: cursor }) =>
      v1('webhooks.deliveries.list', {
        params: { id },
        query: { ...filters, limit: PAGE, ...(cursor !== null && { cursor }) },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    // What has come since is watched. Reading the list itself stands in the audit log.
    staleTime: Number.POSITIVE_INFINITY,
  })

/** `shownId`: one that is open, which is watched too. */
export function useDeliveries(id: string, filters: Filters, shownId: string | undefined) {
  const list = listOf(id, filters)
  // Asked for at once: the answer comes while the page is drawn.
  usePrefetchInfiniteQuery(list)
  const listed = useInfiniteQuery(list)
  const watched = useQuery({
    // The open one is not part of the key: what is watched stays while one is opened.
    queryKey: [...DELIVERIES, id, 'watch', filters],
    queryFn: () => api.watchDeliveries(id, { ...filters, ...(shownId !== undefined && { delivery_id: shownId }) }),
    refetchInterval: EVERY_MS,
    enabled: listed.data !== undefined,
  })
  const pages = listed.data?.pages
  const { rows, fresh, show } = useMerged(
    pages?.flatMap(({ data }) => data),
    { rows: watched.data?.data ?? [], at: watched.dataUpdatedAt },
    list.queryKey,
  )
  const told = watched.data?.shown
  const shown = (told?.id === shownId ? told : undefined) ?? rows.find((row) => row.id === shownId) ?? null
  return { listed, rows, fresh, show, shown }
}

/** Newer ones first, like the list. */
function isNewer(one: Delivery, other: Delivery | undefined): boolean {
  if (other === undefined) return true
  const [a, b] = [Date.parse(one.created_at), Date.parse(other.created_at)]
  return a > b || (a === b && one.event_id > other.event_id)
}

const isAtTop = () => window.scrollY < 8

/** What is new is shown at once to a reader at the top of the page. To another one it is offered: nothing jumps below their eyes. */
function useMerged(
  listed: readonly Delivery[] | undefined,
  { rows: watched, at: watchedAt }: { rows: readonly Delivery[]; at: number },
  listKey: readonly unknown[],
): { rows: readonly Delivery[]; fresh: number; show: () => void } {
  const client = useQueryClient()
  const of = JSON.stringify(listKey)
  const [accepted, setAccepted] = useState<{ of: string; rows: readonly Delivery[] }>({ of, rows: [] })
  const [first] = listed ?? []
  // A list that was read anew holds what was accepted before, and one of other filters has nothing of it.
  const above = (accepted.of === of ? accepted.rows : []).filter((row) => isNewer(row, first))
  const known = new Set([...above, ...(listed ?? [])].map(({ id }) => id))
  const fresh =
    listed === undefined ? [] : watched.filter((row) => !known.has(row.id) && isNewer(row, above[0] ?? first))
  // More has come than is watched: what lies between would be missing.
  const isTorn = fresh.length > 0 && fresh.length === watched.length && known.size > 0
  const newest = fresh[0]?.id
  const show = () => {
    if (isTorn) void client.resetQueries({ queryKey: listKey })
    else setAccepted({ of, rows: [...fresh, ...above] })
    window.scrollTo({ top: 0 })
  }
  // Looked at again each time: meanwhile the reader may have come back to the top, or closed a dialog.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when something new has come, or may have
  useEffect(() => {
    if (newest !== undefined && isAtTop() && document.querySelector('dialog') === null) show()
  }, [newest, watchedAt])
  const now = new Map(watched.map((row) => [row.id, row]))
  return { rows: [...above, ...(listed ?? [])].map((row) => now.get(row.id) ?? row), fresh: fresh.length, show }
}
