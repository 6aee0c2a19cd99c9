// How many columns of a terminal a text takes, and its beginning that fits: counted by graphemes, so that niqqud, combined emoji
// and wide characters neither tear a table nor are torn.
import stringWidth from 'string-width'

const graphemes = new Intl.Segmenter()
const ELLIPSIS = '…'

export function widthOf(text: string): number {
  return stringWidth(text)
}

/** The text, or its beginning with an ellipsis in at most so many columns. */
export function cutText(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  let kept = ''
  let width = 0
  for (const { segment } of graphemes.segment(text)) {
    width += widthOf(segment)
    if (width > columns - 1) break
    kept += segment
  }
  return kept + ELLIPSIS
}
