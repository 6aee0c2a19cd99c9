// Holds a dialog open while it shows what must not be lost by a slip of the hand: only its own buttons close it.
import { createContext, useContext, useLayoutEffect } from 'react'

/** Holds the dialog around, until what it returns is called. */
export const Holding = createContext<() => () => void>(() => () => undefined)

/** @param isHeld - what is being made is lost like what is shown, if nobody sees the answer. */
export function useHeld(isHeld = true): void {
  const hold = useContext(Holding)
  useLayoutEffect(() => (isHeld ? hold() : undefined), [isHeld, hold])
}
