// The keys by which a search finds a person's name.
import { foldName } from '@clinic-data/contract/folded-name'

/** At most this many parts of a name have keys, because the number of pairs grows with the square. */
export const NAME_PARTS = 8

/** The characters of a part that its keys hold. Two parts stay far below PostgreSQL's limit for an index entry (2,704 bytes). */
export const NAME_PART_LENGTH = 60

/**
 * Every ordered pair of a name's parts, or the only part (`patient_name.key`). The words of a search match in any order. The
 * results are sorted by name, and within a family by the other part. Parts beyond `NAME_PARTS` have no key, and a part
 * counts with its first `NAME_PART_LENGTH` characters.
 *
 * @example nameKeys('Noa', 'Levi') // ['noa levi', 'levi noa']
 */
export function nameKeys(first_name: string | null, last_name: string | null): string[] {
  const folded = foldName(`${first_name ?? ''} ${last_name ?? ''}`)
  const parts = new Set(folded === '' ? [] : folded.split(' ').map(namePart))
  const keyed = [...parts].slice(0, NAME_PARTS)
  if (keyed.length === 1) return keyed
  return keyed.flatMap((part) => keyed.filter((other) => other !== part).map((other) => `${part} ${other}`))
}

/** The part of a folded word that a key holds. */
export function namePart(word: string): string {
  return word.length <= NAME_PART_LENGTH ? word : Array.from(word).slice(0, NAME_PART_LENGTH).join('')
}
