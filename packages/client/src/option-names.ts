// Checks the names of options: in JavaScript one that is misspelt would be ignored in silence.

/** @throws TypeError that names it and those that there are. */
export function checkNames(what: string, options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw new TypeError(`${what} has no option ${unknown}: its options are ${known.join(', ')}`)
}
