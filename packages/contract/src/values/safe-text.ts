// Makes data safe for a terminal: removes characters that steer it or reverse its text.

/** Line ends, tabs, the beginnings of escape sequences and all other control characters. */
const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu
/** Direction marks and embeddings: they would show one text as another (Unicode UAX 9). Tags are invisible text. */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu
/** The same characters, as far as JSON.stringify lets them through. */
const IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu

/** One line of plain text: control characters become spaces, direction marks disappear. */
export function safeText(text: string): string {
  return text.replaceAll(CONTROLS, ' ').replaceAll(DIRECTIONS, '').toWellFormed()
}

/** The same JSON value with such characters escaped. Parsing it gives them back. */
export function safeJson(json: string): string {
  return json.replaceAll(IN_JSON, (character) =>
    Array.from(
      { length: character.length },
      (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
}
