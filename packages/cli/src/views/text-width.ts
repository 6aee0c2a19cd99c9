// Measures and cuts text by terminal columns. Counts graphemes, so that niqqud, combined emoji and wide characters do not break a
// table and are not cut in half.
//
// The code that counts graphemes takes a third of a command's time to load, so it is loaded with the first text that is not plain.

type Measure = { readonly width: (text: string) => number; readonly graphemes: Intl.Segmenter }

/** Each takes one column. */
const PLAIN = /^[\x20-\x7e…]*$/
const ELLIPSIS = '…'
let measure: Measure | null = null

/** Await this once before measuring texts that may hold such characters. */
export async function loadMeasure(texts: readonly string[]): Promise<void> {
  if (measure !== null || texts.every((text) => PLAIN.test(text))) return
  const { default: width } = await import('string-width')
  measure = { width, graphemes: new Intl.Segmenter() }
}

export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length
  if (measure === null) throw new Error('loadMeasure comes first')
  return measure.width(text)
}

/** Cuts the text to the given columns, with an ellipsis at the end. */
export function cutText(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  if (PLAIN.test(text) || measure === null) return text.slice(0, Math.max(0, columns - 1)) + ELLIPSIS
  let kept = ''
  let width = 0
  for (const { segment } of measure.graphemes.segment(text)) {
    width += widthOf(segment)
    if (width > columns - 1) break
    kept += segment
  }
  return kept + ELLIPSIS
}

/** Breaks each text between words, into lines of at most so many columns. Null breaks none. A longer word stays whole: it may be an id or a link. */
export async function wrapped(texts: readonly string[], columns: number | null): Promise<string[][]> {
  if (columns === null) return texts.map((text) => [text])
  await loadMeasure(texts)
  return texts.map((text) => linesOf(text, columns))
}

function linesOf(text: string, columns: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line === '' || widthOf(longer) <= columns) line = longer
    else {
      lines.push(line)
      line = word
    }
  }
  return [...lines, line]
}
