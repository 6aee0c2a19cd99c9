// A component whose code comes when it is first shown. React's `lazy` would show it late: what comes after a loader is held back until
// the loader has been there for 300 ms.
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

/** @param loader stands there until the code has come. */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let known: ComponentType<Props> | undefined
  return function Later({ loader, ...props }: Props & { loader: ReactNode }) {
    const [shown, show] = useState(() => ({ Component: known }))
    const [failure, fail] = useState<unknown>()
    useEffect(() => {
      if (known !== undefined) return
      load().then((Component) => {
        known = Component
        show({ Component })
      }, fail)
    }, [])
    if (failure !== undefined) throw failure
    const { Component } = shown
    return Component === undefined ? loader : <Component {...(props as unknown as Props)} />
  }
}
