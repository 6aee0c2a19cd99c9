// Reads the audit log page by page, searches on by itself while it finds little, and adds what happens meanwhile.

import { api, type QueryOf } from '@clinic-data/console-parts/api'
import {
  type InfiniteData,
  infiniteQueryOptions,
  useInfiniteQuery,
  usePrefetchInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Search } from '../places.tsx'

const NAMES = [
  'patient_id',
  'integration',
  'actor',
  'operation',
  'surface',
  'resource_id',
  'outcome',
  'from',
  'to',
] as const
export type Filters = Partial<Record<(typeof NAMES)[number], string>>

/** The filters that an address names. The service refuses values that it does not know. */
export function filtersIn(search: Search): Filters {
  return Object.fromEntries(NAMES.flatMap((name) => (search[name] ? [[name, search[name]]] : [])))
}

/** In the address, in place of a surface. Without either the page asks for what was not done in the console. */
export const EVERYTHING = 'all'

export function searchOf({ surface = 'integrations', ...filters }: Filters): QueryOf<'listActivity'> {
  return { ...filters, ...(surface !== EVERYTHING && { surface }) } as QueryOf<'listActivity'>
}

type Page = Awaited<ReturnType<typeof api.listActivity>>
type Pages = InfiniteData<Page, string>

/** As many as are drawn within some frames. */
const PAGE = 25
/** Two million rows: some seconds. Then the reader decides. */
const SEARCHES = 100
const WATCH_MS = 5_000

export function useActivity(filters: Filters) {
  const [{ wanted, searches }, setAim] = useState({ wanted: PAGE, searches: SEARCHES })
  const query = { ...searchOf(filters), limit: PAGE }
  const queryKey = ['activity', filters]
  const list = infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam }) => api.listActivity({ ...query, ...(pageParam && { cursor: pageParam }) }, false),
    initialPageParam: '',
    getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined,
    // Rows never change, and new ones are watched for.
    staleTime: Number.POSITIVE_INFINITY,
  })
  // Asked for at once: the answer comes while the page is drawn.
  usePrefetchInfiniteQuery(list)
  const listed = useInfiniteQuery(list)
  useWatch(query, queryKey, listed.data !== undefined)
  const pages = listed.data?.pages ?? []
  const rows = pages.flatMap(({ data }) => data)
  const searchedUntil = pages.at(-1)?.meta.searched_until ?? null
  const recordsOnlyUntil = pages.map(({ meta }) => meta.records_only_until).find((one) => one !== null)
  const mayGoOn = listed.hasNextPage && !listed.isFetchNextPageError
  const isSearching = mayGoOn && searchedUntil !== null && rows.length < wanted && pages.length < searches
  const { fetchNextPage, isFetchingNextPage } = listed
  useEffect(() => {
    if (isSearching && !isFetchingNextPage) fetchNextPage()
  }, [isSearching, isFetchingNextPage, fetchNextPage])
  const more = () => {
    setAim({ wanted: rows.length + PAGE, searches: pages.length + SEARCHES })
    fetchNextPage()
  }
  return { listed, rows, searchedUntil, recordsOnlyUntil, isSearching, more }
}

/** Reads the first page again and again, without keeping the session alive. */
function useWatch(query: QueryOf<'listActivity'>, queryKey: readonly unknown[], isRead: boolean): void {
  const client = useQueryClient()
  useQuery({
    queryKey: ['activity-watch', query],
    queryFn: async () => {
      const latest = await api.listActivity(query, true)
      client.setQueryData<Pages>(queryKey, (before) => before && withLatest(before, latest))
      return latest.data.length
    },
    enabled: isRead,
    initialData: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: WATCH_MS,
  })
}

/** The pages with the latest rows before them. When more came than a page holds, the list begins anew. */
function withLatest(before: Pages, latest: Page): Pages {
  const known = new Set(before.pages.flatMap(({ data }) => data.map(({ id }) => id)))
  const fresh = latest.data.filter(({ id }) => !known.has(id))
  if (fresh.length === 0) return before
  const isGap = known.size > 0 && fresh.length === latest.data.length && latest.meta.next_cursor !== null
  if (isGap) return { pages: [latest], pageParams: [''] }
  const [first = latest, ...others] = before.pages
  const data = [...fresh, ...first.data].sort((a, b) => Number(b.id) - Number(a.id))
  return { ...before, pages: [{ ...first, data }, ...others] }
}
