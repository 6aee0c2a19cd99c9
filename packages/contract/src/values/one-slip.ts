// Whether a word may be another one with a slip of the hand.

/**
 * Whether the words are equal, or a letter is missing, added or another one, or two neighbours are swapped.
 *
 * @example isOneSlip('patinets', 'patients') // true
 */
export function isOneSlip(written: string, meant: string): boolean {
  const shorter = Math.min(written.length, meant.length)
  if (Math.max(written.length, meant.length) - shorter > 1) return false
  let start = 0
  while (start < shorter && written[start] === meant[start]) start += 1
  let end = 0
  while (end < shorter - start && written.at(-1 - end) === meant.at(-1 - end)) end += 1
  const [a, b] = [written.slice(start, written.length - end), meant.slice(start, meant.length - end)]
  const isSwapped = a.length === 2 && a === [...b].reverse().join('')
  return isSwapped || Math.max(a.length, b.length) <= 1
}

/** Shorter words differ by a letter and mean something else. */
const SHORTEST_COMPARED = 4
/** More than any name of the contract. */
const LONGEST_COMPARED = 60

/**
 * Ends a list of names with the one that is probably meant. Empty when none is, or several are.
 *
 * @example didYouMean('revenu', ['net_revenue', 'patient_count']) // '. Did you mean net_revenue?'
 */
export function didYouMean(written: unknown, names: readonly string[]): string {
  if (typeof written !== 'string' || written.length > LONGEST_COMPARED) return ''
  const word = letters(written)
  if (word.length < SHORTEST_COMPARED) return ''
  const whole = names.filter((name) => isOneSlip(word, letters(name)))
  const found = whole.length > 0 ? whole : names.filter((name) => name.split('_').some((part) => isOneSlip(word, part)))
  return found.length === 1 ? `. Did you mean ${found[0]}?` : ''
}

/** Without what only styles of writing differ in: `netRevenue`, `net-revenue`. */
function letters(word: string): string {
  return word.toLowerCase().replace(/[^a-z0-9]/g, '')
}
