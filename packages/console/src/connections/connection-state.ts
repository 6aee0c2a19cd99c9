// Says of each connection whether it is open, and how it ended.
import type { Connection } from '@clinic-data/console-parts/api'

export const isOpen = ({ ended_at, expires_at }: Connection, now: number) =>
  ended_at === null && (expires_at === null || Date.parse(expires_at) > now)

/** The part of the address that shows one. */
export const searchOf = (id: string) => `?${new URLSearchParams({ connection: id })}`
