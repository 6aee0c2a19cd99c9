// Requests that the service takes only after it was confirmed who sits here. They wait for the dialog that asks, and then go on by themselves.
import { useSyncExternalStore } from 'react'

let waiting: ((isConfirmed: boolean) => void)[] = []
const listeners = new Set<() => void>()

function tell(): void {
  for (const listener of listeners) listener()
}

/** Resolves when the reader has confirmed, or does not want to. */
export function askToConfirm(): Promise<boolean> {
  return new Promise((settle) => {
    waiting.push(settle)
    tell()
  })
}

/** Lets all that wait go on, or be refused. */
export function settleConfirming(isConfirmed: boolean): void {
  const settled = waiting
  waiting = []
  tell()
  for (const settle of settled) settle(isConfirmed)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether a request waits. */
export const useConfirming = () => useSyncExternalStore(subscribe, () => waiting.length > 0)
