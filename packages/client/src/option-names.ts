// Checks the names of options: in JavaScript one that is misspelt would be ignored in silence.

/** The names of all options of a type: one that is forgotten does not compile. */
export type NamesOf<Options> = Readonly<Record<keyof Options, true>>

/** @throws TypeError that names it and those that there are. */
export function checkNames<Options extends object>(what: string, options: Options, known: NamesOf<Options>): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name))
  if (unknown === undefined) return
  throw new TypeError(`${what} has no option ${unknown}: its options are ${Object.keys(known).join(', ')}`)
}
