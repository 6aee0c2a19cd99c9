// The rule of names that people give to what they make: keys, ingest tokens, passkeys, administrators, clinics. Others read such a
// name in a list, so it must be what it looks like. Letters of every script are, Hebrew and Arabic without their marks of direction.
import { MAX } from '../limits.ts'
import { visibleText } from './visible-text.ts'

export const NAME_HINT = 'must hold no invisible character, and none that changes the direction of text'

/** A letter, a digit, a sign or a symbol, but for the two symbols that show nothing: the empty Braille pattern and the empty note. */
const SHOWN = /(?![\u2800\u{1d159}])[\p{L}\p{N}\p{P}\p{S}]/u

/** Whether a reader sees all of it, and anything at all. */
export function isVisible(name: string): boolean {
  return visibleText(name) === name && SHOWN.test(name)
}

/**
 * @param whose the beginning of the line: `a key's`.
 * @throws Error with a line for the operator.
 */
export function requireName(name: string, whose: string): void {
  if (name.trim() === '' || name.length > MAX.name) throw new Error(`${whose} name holds 1 to ${MAX.name} characters`)
  if (!isVisible(name)) throw new Error(`${whose} name ${NAME_HINT}`)
}
