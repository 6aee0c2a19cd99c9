// The rows of a long list. Those that a screen has room for are shown at once, and the others without holding up what the reader does.
import { useDeferredValue } from 'react'

/** More than a tall screen has room for. */
const AT_ONCE = 25

/** @param atOnce as many as a screen has room for. */
export function useRows<T>(all: readonly T[], atOnce = AT_ONCE): readonly T[] {
  return useDeferredValue(all, all.slice(0, atOnce))
}
