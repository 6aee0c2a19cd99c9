// The deliveries of a subscription: pages by cursor, and above them what has come since, which the page watches every few seconds. A search
// for a patient or a record is on record each time, so it is made once: then only the states of what it found are watched.

import { api, type ShownDelivery } from '@clinic-data/console-parts/api'
import { WEBHOOKS } from '@clinic-data/console-parts/requests/query-client'
import type { EventType } from '@clinic-data/contract/event-types'
import {
  type InfiniteData,
  infiniteQueryOptions,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
  usePrefetchInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useState } from 'react'

export type Delivery = ShownDelivery

/** The service refuses values that it does not know. */
export interface Filters {
  status?: Delivery['status']
  event_type?: EventType
  from?: string
  to?: string
  patient_id?: string
  record_id?: string
}

export const DELIVERIES = [...WEBHOOKS, 'deliveries'] as const

const EVERY_MS = 3_000
const PAGE = 25
/** Half a million events: some seconds. Then the reader decides. */
const SEARCHES = 100

export const isSearch = ({ patient_id, record_id }: Filters) => patient_id !== undefined || record_id !== undefined

const listOf = (id: string, filters: Filters) =>
  infiniteQueryOptions({
    queryKey: [...DELIVERIES, id, 'list', filters],
    queryFn: async ({ pageParam: cursor }) => {
      const query = { ...filters, limit: PAGE, ...(cursor !== null && { cursor }) }
      if (isSearch(filters)) return api.findDeliveries(id, query)
      const { data, meta } = await api.listDeliveries(id, query, false)
      return { data, meta: { ...meta, is_searching: false } }
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => meta.next_cursor,
    // Later deliveries are watched.
    staleTime: Number.POSITIVE_INFINITY,
  })

/** `shownId`: one that is open, which is watched too. */
export function useDeliveries(id: string, filters: Filters, shownId: string | undefined) {
  const list = listOf(id, filters)
  // Asked for at once: the answer comes while the page is drawn.
  usePrefetchInfiniteQuery(list)
  const listed = useInfiniteQuery(list)
  const { patient_id: _, record_id: __, ...others } = filters
  const watched = useQuery({
    // The open one is not part of the key: what is watched stays while one is opened.
    queryKey: [...DELIVERIES, id, 'watch', others],
    queryFn: () => api.listDeliveries(id, { ...others, ...(shownId !== undefined && { delivery_id: shownId }) }, true),
    refetchInterval: EVERY_MS,
    enabled: listed.data !== undefined,
  })
  const pages = listed.data?.pages
  const { rows, fresh, show } = useMerged(
    { rows: pages?.flatMap(({ data }) => data), at: listed.dataUpdatedAt },
    {
      rows: watched.data?.data ?? [],
      at: watched.dataUpdatedAt,
      isWhole: watched.data?.meta.next_cursor === null,
      onlyStates: isSearch(filters),
    },
    list.queryKey,
  )
  const latest = watched.data?.shown
  const shown = (latest?.id === shownId ? latest : undefined) ?? rows.find((row) => row.id === shownId) ?? null
  return { listed, rows, fresh, show, shown, isSearching: useSearching(listed) }
}

/** A search that fills no page goes on by itself. */
function useSearching(
  listed: UseInfiniteQueryResult<InfiniteData<Awaited<ReturnType<typeof api.findDeliveries>>>>,
): boolean {
  const { data, hasNextPage, isFetchNextPageError, isFetchingNextPage, fetchNextPage } = listed
  const pages = data?.pages ?? []
  const isHungry = pages.at(-1)?.meta.is_searching === true && pages.length % SEARCHES !== 0
  const isSearching = hasNextPage && !isFetchNextPageError && isHungry
  useEffect(() => {
    if (isSearching && !isFetchingNextPage) fetchNextPage()
  }, [isSearching, isFetchingNextPage, fetchNextPage])
  return isSearching
}

/** Newer ones first, like the list. */
function isNewer(one: Delivery, other: Delivery | undefined): boolean {
  if (other === undefined) return true
  const [a, b] = [Date.parse(one.created_at), Date.parse(other.created_at)]
  return a > b || (a === b && one.event_id > other.event_id)
}

const isAtTop = () => window.scrollY < 8

interface Watched {
  rows: readonly Delivery[]
  at: number
  /** There are no others. */
  isWhole: boolean
  /** True for a search: others among them may be about somebody else. */
  onlyStates: boolean
}

/** Shows new rows at once to a reader at the top of the page. To another one it offers them: nothing jumps below their eyes. */
function useMerged(
  { rows: listed, at: listedAt }: { rows: readonly Delivery[] | undefined; at: number },
  { rows: watched, at: watchedAt, isWhole, onlyStates }: Watched,
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
    listed === undefined || onlyStates
      ? []
      : watched.filter((row) => !known.has(row.id) && isNewer(row, above[0] ?? first))
  // More has come than is watched: what lies between would be missing.
  const isTorn = fresh.length > 0 && fresh.length === watched.length && known.size > 0
  const newest = fresh[0]?.id
  const accept = () => {
    if (isTorn) void client.resetQueries({ queryKey: listKey })
    else setAccepted({ of, rows: [...fresh, ...above] })
  }
  const show = () => {
    accept()
    window.scrollTo({ top: 0 })
  }
  // Looked at again each time: meanwhile the reader may have come back to the top, or closed a dialog. In an empty list nothing jumps.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when something new has come, or may have
  useEffect(() => {
    const isQuiet = (known.size === 0 || isAtTop()) && document.querySelector('dialog') === null
    if (newest !== undefined && isQuiet) accept()
  }, [newest, watchedAt])
  const now = new Map(watched.map((row) => [row.id, row]))
  const last = watched.at(-1)
  // It fits the filters no more: it arrived, say.
  const isGone = (row: Delivery) =>
    !onlyStates && watchedAt > listedAt && !now.has(row.id) && (isWhole || (last !== undefined && isNewer(row, last)))
  const rows = [...above, ...(listed ?? [])].filter((row) => !isGone(row)).map((row) => now.get(row.id) ?? row)
  return { rows, fresh: fresh.length, show }
}
