// The pages' addresses, and moving between them without loading the console again.
import { consolePaths } from '@clinic-data/contract/app-request'
import { Anchor, type AnchorProps } from '@mantine/core'
import type { MouseEvent, ReactNode } from 'react'
import { useSyncExternalStore } from 'react'

export const PLACES = {
  home: '/console/home',
  clinics: '/console/clinics',
  integrations: '/console/integrations',
  keys: '/console/keys',
  connections: '/console/connections',
  webhooks: '/console/webhooks',
  approvals: '/console/approvals',
  activity: '/console/activity',
  explore: '/console/explore',
  patients: '/console/patients',
  clinic: '/console/clinic',
  connect: '/console/connect',
  people: '/console/people',
  account: '/console/account',
} as const
export type PlaceName = keyof typeof PLACES

/** The address that names no page. */
export const isStart = (path: string) => path.replace(/\/+$/, '') === '/console'

/** The page of an address. The console begins with the home page, for whom it is open. Null: there is none. */
export function placeOf(path: string): PlaceName | null {
  const trimmed = path.replace(/\/+$/, '')
  if (isStart(path)) return 'home'
  const found = Object.entries(PLACES).find(([, address]) => address === trimmed)
  return (found?.[0] as PlaceName | undefined) ?? null
}

/** The pages that an app or a device leads to. They stand alone, and are no part of the navigation. */
export type LonePlace = keyof typeof consolePaths

export function lonePlaceOf(path: string): LonePlace | null {
  const trimmed = path.replace(/\/+$/, '')
  const found = Object.entries(consolePaths).find(([, address]) => address === trimmed)
  return (found?.[0] as LonePlace | undefined) ?? null
}

const MOVED = 'console:moved'

function subscribe(listener: () => void): () => void {
  for (const type of ['popstate', MOVED]) addEventListener(type, listener)
  return () => {
    for (const type of ['popstate', MOVED]) removeEventListener(type, listener)
  }
}

export const usePath = () => useSyncExternalStore(subscribe, () => location.pathname)

/** @param isMinor makes no new step of "back". */
export function goTo(place: PlaceName, search = '', isMinor = false): void {
  const address = PLACES[place] + search
  if (isMinor) history.replaceState(null, '', address)
  else history.pushState(null, '', address)
  dispatchEvent(new Event(MOVED))
}

export type Search = Readonly<Record<string, string | undefined>>

/**
 * Returns what the page shows, as its address says it, and the way to show something else. A shared address shows the same, and "back"
 * works. A value that is undefined or empty leaves the address. `isMinor` changes make no new step of "back".
 */
export function useSearch(): readonly [Search, (next: Search, isMinor?: boolean) => void] {
  const search = useSyncExternalStore(subscribe, () => location.search)
  return [Object.fromEntries(new URLSearchParams(search)), show]
}

function show(next: Search, isMinor = false): void {
  const filled = Object.entries(next).filter((entry): entry is [string, string] => Boolean(entry[1]))
  const search = new URLSearchParams(filled).toString()
  const address = location.pathname + (search && `?${search}`)
  if (isMinor) history.replaceState(null, '', address)
  else history.pushState(null, '', address)
  dispatchEvent(new Event(MOVED))
}

/** Returns the properties of a link to a place. A click with a modifier opens a new tab, as with any link. */
export function linkTo(place: PlaceName, onGo?: () => void, search = '') {
  return {
    href: PLACES[place] + search,
    onClick: (event: MouseEvent) => {
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
      event.preventDefault()
      goTo(place, search)
      onGo?.()
    },
  }
}

type PlaceLinkProps = { to: PlaceName; search?: string; children: ReactNode } & AnchorProps

/** @param search begins with a question mark */
export function PlaceLink({ to, search, children, ...rest }: PlaceLinkProps) {
  return (
    <Anchor inherit underline="always" {...rest} {...linkTo(to, undefined, search)}>
      {children}
    </Anchor>
  )
}
