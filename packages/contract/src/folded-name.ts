// Folds a person's name into the form in which names are searched.

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
