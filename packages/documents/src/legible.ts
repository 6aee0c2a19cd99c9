// Makes any text printable: on one line, with only characters that the font has.

/** Stands for characters that the font cannot show, such as emoji and Chinese. The font has no box. */
const UNKNOWN = '◊'

/** Stacked marks would climb into other lines. A Hebrew letter needs three (dagesh, shin dot, vowel). */
const tooManyMarks = /(?<=[\u0300-\u036f])[\u0300-\u036f]+|(?<=\p{M}{3})\p{M}+/gu

/** One character may become this many (`㎏` → `kg`), but not a whole phrase (`ﷺ`). */
const MOST_PARTS = 4

/**
 * Keeps characters that the font covers, and direction marks. Control characters become spaces. Formatting characters are dropped,
 * so that no text can reverse a line. A letter that the font lacks is decomposed.
 */
export function legible(text: string, covers: (codePoint: number) => boolean): string {
  const plain = text
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/(?![\u200e\u200f\u061c])\p{Cf}/gu, '')
    .replace(/[\p{Cn}\p{Co}]/gu, UNKNOWN)
    .replace(tooManyMarks, '')
    .trim()
  const shown = Array.from(plain, (char) => (isOrderMark(char) || isCovered(char) ? char : insteadOf(char))).join('')
  return Array.from(shown).every((char) => isOrderMark(char) || char === ' ') ? '' : shown

  function insteadOf(char: string): string {
    if (/\p{M}/u.test(char)) return ''
    const parts = Array.from(char.normalize('NFKD')).filter(isCovered)
    return parts.some((part) => !/\p{M}/u.test(part)) && parts.length <= MOST_PARTS ? parts.join('') : UNKNOWN
  }

  function isCovered(char: string): boolean {
    return covers(char.codePointAt(0) ?? 0)
  }
}

/** Left-to-right, right-to-left and Arabic letter marks are invisible and only set a direction. */
export function isOrderMark(char: string): boolean {
  return char === '\u200e' || char === '\u200f' || char === '\u061c'
}
