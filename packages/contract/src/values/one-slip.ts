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
