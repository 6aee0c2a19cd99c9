// Whether the service can be reached: every request tells, and the page shows a lost connection until one succeeds.
import { useSyncExternalStore } from 'react'

let isLost = false
const listeners = new Set<() => void>()

export function tellConnection(state: 'lost' | 'there'): void {
  if (isLost === (state === 'lost')) return
  isLost = !isLost
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useLostConnection = () => useSyncExternalStore(subscribe, () => isLost)
