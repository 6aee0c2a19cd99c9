// The pages' addresses, and moving between them without loading the console again.
import { Anchor, type AnchorProps } from '@mantine/core'
import type { MouseEvent, ReactNode } from 'react'
import { useSyncExternalStore } from 'react'

export const PLACES = { keys: '/console/keys', account: '/console/account' } as const
export type PlaceName = keyof typeof PLACES

/** The page of an address. The console begins with the keys. Null: there is none. */
export function placeOf(path: string): PlaceName | null {
  const trimmed = path.replace(/\/+$/, '')
  if (trimmed === '/console') return 'keys'
  const found = Object.entries(PLACES).find(([, address]) => address === trimmed)
  return (found?.[0] as PlaceName | undefined) ?? null
}

const MOVED = 'console:moved'

function subscribe(listener: () => void): () => void {
  for (const type of ['popstate', MOVED]) addEventListener(type, listener)
  return () => {
    for (const type of ['popstate', MOVED]) removeEventListener(type, listener)
  }
}

export const usePath = () => useSyncExternalStore(subscribe, () => location.pathname)

export function goTo(place: PlaceName): void {
  history.pushState(null, '', PLACES[place])
  dispatchEvent(new Event(MOVED))
}

/** What a link to a place needs. A click with a modifier opens a new tab, as with any link. */
export function linkTo(place: PlaceName, onGo?: () => void) {
  return {
    href: PLACES[place],
    onClick: (event: MouseEvent) => {
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
      event.preventDefault()
      goTo(place)
      onGo?.()
    },
  }
}

export function PlaceLink({ to, children, ...rest }: { to: PlaceName; children: ReactNode } & AnchorProps) {
  return (
    <Anchor {...rest} {...linkTo(to)}>
      {children}
    </Anchor>
  )
}
