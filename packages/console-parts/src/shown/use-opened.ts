// Keeps what a dialog is open for.
import { useState } from 'react'

interface Opened<T> {
  readonly opened: T | null
  readonly open: (what: T) => void
  /** Makes the function that closes the dialog of this. Its change may end when another one has been opened since: that one stays open. */
  readonly closing: (what: T | null) => () => void
}

export function useOpened<T>(first: T | null = null): Opened<T> {
  const [opened, setOpened] = useState(first)
  return {
    opened,
    open: setOpened,
    closing: (what) => () => setOpened((now) => (now === what ? null : now)),
  }
}
