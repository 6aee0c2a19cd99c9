// The length of a text in characters (Unicode code points), as JSON Schema counts.

/** Whether a text has at most `most` characters. One that is far too long is not counted: no character takes more than two code units. */
export function hasAtMost(text: string, most: number): boolean {
  return text.length <= most || (text.length <= 2 * most && [...text].length <= most)
}
