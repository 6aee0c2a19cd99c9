// Folds a person's name into the form that name search uses.

/** Letters that Unicode does not decompose into a base letter and a mark. */
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

/** Geresh, gershayim, and characters typed instead of them or as an apostrophe. */
const APOSTROPHES = /[\u05f3\u05f4'"`´‘’‚‛“”„ʹʺʻʼʽ]/gu

/** Hyphens, dashes, the maqaf and white space separate the parts of a name. */
const GAPS = /[\p{Pd}\s]+/gu

/**
 * Folds a name, or a search for one, to lower case without marks, with its parts joined by one space.
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

/** Nobody sees them: a name with one of them looks like the name without it. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu

/**
 * Folds the name that somebody gave to a thing. Two of one form are one name to a reader.
 *
 * @example foldLabel(' ACME\u200b  Crm') // 'acme crm'
 */
export function foldLabel(text: string): string {
  const seen = text.replace(UNSEEN, '')
  // Nothing would be left of apostrophes alone.
  return foldName(seen) || seen.trim()
}
