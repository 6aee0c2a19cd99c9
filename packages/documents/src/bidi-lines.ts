// Breaks a text into lines and puts each into drawing order (Unicode's bidirectional algorithm).
import bidiFactory, { type Bidi, type BidiCharTypeName } from 'bidi-js'
import { isOrderMark } from './legible.ts'

export type Direction = 'ltr' | 'rtl'

/**
 * A piece of a line that is drawn at once, to the right of the previous one. `text` is in reading order. Brackets are mirrored in
 * text that is read from the right.
 */
export interface Run {
  text: string
  direction: Direction
  width: number
}

export interface Line {
  runs: Run[]
  width: number
}

export interface LineOptions {
  /** The document's direction. A text in the other language keeps its own. */
  direction: Direction
  width: number
  measure: (text: string, direction: Direction) => number
}

// The package's types describe its ES module, but Node loads the CommonJS one.
const bidi = (bidiFactory as unknown as () => Bidi)()

/** Breaks lines at spaces, and inside a word only when it is wider than a line. */
export function linesOf(text: string, { direction, width, measure }: LineOptions): Line[] {
  const whole = withPhonesInOrder(text)
  const embedding = bidi.getEmbeddingLevels(whole, baseOf(text, direction))
  const mirrored = bidi.getMirroredCharactersMap(whole, embedding.levels)
  const scripts = scriptsOf(whole)
  const wordEnds = positions(whole, /(?<! )(?= |$)/gu)
  const letterEnds = positions(whole, /(?!\p{M})/gu)

  const lines: Line[] = []
  for (let start = 0; start < whole.length; ) {
    const end = lastFitting(start, wordEnds) ?? lastFitting(start, letterEnds) ?? next(start, letterEnds)
    lines.push(lineOf(start, end))
    start = end
    while (whole[start] === ' ') start += 1
  }
  return lines

  function lineOf(start: number, end: number): Line {
    const runs: { text: string; level: number; script: Script | undefined }[] = []
    // The indices are in visual order from the left, but the text of a run is in reading order.
    for (const index of bidi.getReorderedIndices(whole, embedding, start, end - 1).slice(start, end)) {
      const char = mirrored.get(index) ?? whole[index] ?? ''
      const [level, script] = [embedding.levels[index] ?? 0, scripts[index]]
      const run = runs.at(-1)
      if (isOrderMark(char)) continue
      if (run?.level !== level || run.script !== script) runs.push({ text: char, level, script })
      else run.text = isRightToLeft(level) ? char + run.text : run.text + char
    }
    const measured = runs.map(({ text, level }): Run => {
      const direction = isRightToLeft(level) ? 'rtl' : 'ltr'
      return { text, direction, width: measure(text, direction) }
    })
    return { runs: measured, width: measured.reduce((sum, run) => sum + run.width, 0) }
  }

  /** Searches by doubling, then halving the length, because measuring is expensive, above all for long texts. */
  function lastFitting(start: number, ends: readonly number[]): number | undefined {
    const candidates = ends.filter((end) => end > start)
    const fits = (count: number) => {
      const end = candidates[count - 1]
      return end !== undefined && lineOf(start, end).width <= width
    }
    let [fitting, tooMany] = [0, 1]
    while (fits(tooMany)) [fitting, tooMany] = [tooMany, tooMany * 2]
    while (fitting + 1 < tooMany) {
      const middle = (fitting + tooMany) >> 1
      if (fits(middle)) fitting = middle
      else tooMany = middle
    }
    return candidates[fitting - 1]
  }

  function next(start: number, ends: readonly number[]): number {
    return ends.find((end) => end > start) ?? whole.length
  }
}

function positions(text: string, pattern: RegExp): number[] {
  return Array.from(text.matchAll(pattern), ({ index }) => index)
}

function isRightToLeft(level: number): boolean {
  return level % 2 === 1
}

/** In a Hebrew document a text with any Hebrew or Arabic letter runs from the right. In an English one its first letter decides. */
function baseOf(text: string, direction: Direction): Direction {
  const letters = Array.from(text, scriptOf).filter((script) => script !== undefined)
  if (letters.length === 0) return direction
  const isHebrew = direction === 'rtl' ? letters.some((script) => script !== 'other') : letters[0] !== 'other'
  return isHebrew ? 'rtl' : 'ltr'
}

/** Only as many scripts as directions and the joining of letters need. */
type Script = 'hebrew' | 'arabic' | 'other'

const SCRIPTS: Partial<Record<BidiCharTypeName, Script>> = { R: 'hebrew', AL: 'arabic', L: 'other' }

function scriptOf(char: string): Script | undefined {
  return SCRIPTS[bidi.getBidiCharTypeName(char)]
}

/** The script of each character. Marks and other non-letters take the script of the letter before them. */
function scriptsOf(text: string): (Script | undefined)[] {
  let script: Script | undefined
  return text.split('').map((char) => {
    script = scriptOf(char) ?? script
    return script
  })
}

/**
 * Keeps phone numbers in order. Between Hebrew words the algorithm would reverse the groups of `050 123 4567` and move the sign of
 * `+972…` and `*2700` to the end.
 */
function withPhonesInOrder(text: string): string {
  return text.replace(/(?<![\d+*(-])(?=[+*]\d|\(?0\d[\d) -]{5})/g, '\u200e')
}
