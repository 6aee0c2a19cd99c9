// Remembers what the kit has lent to the test file that runs. Whoever runs the file asks at its end what it kept.

const lent = new Map<symbol, string>()

/**
 * @param what - as a person would name it: `a clinicd`.
 * @returns gives it back, and may be called again.
 */
export function lend(what: string): () => void {
  const key = Symbol(what)
  lent.set(key, what)
  return () => {
    lent.delete(key)
  }
}

/** Returns what was not given back. The next file is not asked for it again. */
export function takeKept(): string[] {
  const kept = [...lent.values()]
  lent.clear()
  return kept
}
