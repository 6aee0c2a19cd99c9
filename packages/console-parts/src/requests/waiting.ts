// Requests that were refused for now wait for a dialog, and then go on by themselves: until it is confirmed who sits here, or until another person has
// approved them.
import { useSyncExternalStore } from 'react'

export class Waiting {
  #waiting: ((goesOn: boolean) => void)[] = []
  readonly #listeners = new Set<() => void>()

  /** Resolves when the request goes on, or does not. */
  readonly wait = (): Promise<boolean> =>
    new Promise((settle) => {
      this.#waiting.push(settle)
      this.#tell()
    })

  /** Lets all that wait go on, or be refused. */
  readonly settle = (goesOn: boolean): void => {
    const settled = this.#waiting
    this.#waiting = []
    this.#tell()
    for (const settle of settled) settle(goesOn)
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly isAny = () => this.#waiting.length > 0

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }
}

/** Until it is confirmed who sits here. */
export const confirming = new Waiting()

/** Until another person has approved them. */
export const approving = new Waiting()

/** Whether a request waits. */
export const useWaiting = ({ subscribe, isAny }: Waiting) => useSyncExternalStore(subscribe, isAny)
