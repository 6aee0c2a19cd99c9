// A component whose code comes when it is first shown. React's `lazy` would show it late: what comes after a loader is held back until
// the loader has been there for 300 ms.
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

/** The code of a component did not come: the service is away, or has the files of another version. */
export class MissingCode extends Error {
  override readonly name = 'MissingCode'
}

/** @param loader stands there until the code has come. */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let known: ComponentType<Props> | undefined
  return function Later({ loader, ...props }: Props & { loader: ReactNode }) {
    const [shown, show] = useState(() => ({ Component: known }))
    const [isMissing, setMissing] = useState(false)
    useEffect(() => {
      if (known !== undefined) return
      load().then(
        (Component) => {
          known = Component
          show({ Component })
        },
        () => setMissing(true),
      )
    }, [])
    if (isMissing) throw new MissingCode()
    const { Component } = shown
    // Without the loader these are the component's own, which the compiler does not see of a rest.
    return Component === undefined ? loader : <Component {...(props as unknown as Props)} />
  }
}
