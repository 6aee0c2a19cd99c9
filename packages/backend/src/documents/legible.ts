// Makes any text printable: one line, in letters that the font has.

/** Stands for what the font cannot show: emoji, Chinese. The font has no box. */
const UNKNOWN = '◊'

/** Marks stand above one another and would climb into other lines; of those in Hebrew a letter needs three (dagesh, shin dot, vowel). */
const tooManyMarks = /(?<=[\u0300-\u036f])[\u0300-\u036f]+|(?<=\p{M}{3})\p{M}+/gu

/** One character may become this many (`㎏` → `kg`), not a whole sentence (`ﷺ`). */
const MOST_PARTS = 4

/**
 * Only characters that the font covers, and the marks that order directions. Controls become spaces; formatting
 * characters go, so that nobody can turn a line's order around; a letter that is not covered gives way to the letters that
 * it is made of.
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

/** Left-to-right, right-to-left and Arabic letter mark: they have no looks, only a direction. */
export function isOrderMark(char: string): boolean {
  return char === '\u200e' || char === '\u200f' || char === '\u061c'
}
