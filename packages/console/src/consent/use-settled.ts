// Whether a page has been in front for a moment. Another site may bring it under a click that was meant for something else: such a click
// must not grant anything.
import { useEffect, useState } from 'react'

/** Longer than the time between the clicks of a double click. */
const SETTLED_MS = 600

export function useSettled(): boolean {
  const [isSettled, setSettled] = useState(false)
  useEffect(() => {
    let timer = setTimeout(setSettled, SETTLED_MS, true)
    const again = () => {
      clearTimeout(timer)
      setSettled(false)
      timer = setTimeout(setSettled, SETTLED_MS, true)
    }
    addEventListener('focus', again)
    document.addEventListener('visibilitychange', again)
    return () => {
      clearTimeout(timer)
      removeEventListener('focus', again)
      document.removeEventListener('visibilitychange', again)
    }
  }, [])
  return isSettled
}
