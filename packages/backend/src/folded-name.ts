// The form of a person's name in which it is searched, and the keys under which a search finds it.

/** Letters that Unicode does not take apart into a base letter and a mark. */
const LETTERS: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ς: 'σ',
}
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu')

/** Accents, vowel points (niqqud) and cantillation. */
const MARKS = /\p{M}+/gu

/** Geresh, gershayim, and what is typed in their place or as an apostrophe. */
const APOSTROPHES = /[\u05f3\u05f4'"`´‘’‚‛“”„ʹʺʻʼʽ]/gu

/** Hyphens, dashes and the maqaf part a name; so does white space. */
const GAPS = /[\p{Pd}\s]+/gu

/** Keys are made of this many parts of a name: the pairs grow with the square. */
export const NAME_PARTS = 8

/** Characters of a part that its keys hold: two parts stay far below what PostgreSQL takes into an index (2,704 bytes). */
export const NAME_PART_LENGTH = 60

/**
 * A name, or a search for one, in lower case without marks: its parts, joined by one space.
 *
 * @example foldName("Zoë Ben-O'Hara") // 'zoe ben ohara'
 */
export function foldName(text: string): string {
  return text
    .replace(/[´\u1fbd\u1fbf\u1ffd\u1ffe]/gu, '') // they would decompose into a space and a mark
    .normalize('NFKD')
    .replace(MARKS, '')
    .replace(APOSTROPHES, '')
    .toLowerCase()
    .replace(LETTER, (letter) => LETTERS[letter] ?? letter)
    .replace(GAPS, ' ')
    .trim()
}

/**
 * Every ordered pair of a name's parts, or the only part (`patient_name.key`): the words of a search find it in any
 * order, and what they find comes in the order of names, those of one family by the other part. Parts beyond
 * `NAME_PARTS` have no key, and a part counts with its first `NAME_PART_LENGTH` characters.
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

/** As much of one folded word as a key holds of it. */
export function namePart(word: string): string {
  return word.length <= NAME_PART_LENGTH ? word : Array.from(word).slice(0, NAME_PART_LENGTH).join('')
}
