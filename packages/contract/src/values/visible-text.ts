// Reduces text to what a person sees: drops control characters, direction marks, zero-width characters, tags and variation
// selectors. Models read patients' texts, and invisible characters can carry words to them. A number copied from a web page
// contains such characters too.

/**
 * All of Unicode's controls except tab and line feed, everything invisible by default, and everything that changes the direction.
 */
const HIDDEN = String.raw`\0-\x08\x0b-\x1f\x7f-\x9f\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\ufff9-\ufffb`
const hidden = new RegExp(`[${HIDDEN}]+`, 'gu')
/** JSON escapes control characters. Only with such an escape (or, in some texts, a backslash) every string is checked. */
const mayHide = new RegExp(String.raw`\\[bfru]|[${HIDDEN}]`, 'u')
/**
 * Anything but visible characters of the usual scripts. It is decided without Unicode's tables, in a fifth of the time, and most texts
 * hold nothing else.
 */
const unusual = /\\[bfru]|[^\t\n -~\u00a1-\u00ac\u00ae-\u033f\u0400-\u05ff\u2010-\u2027\u20a0-\u20bf]/

/**
 * Half a surrogate pair becomes U+FFFD: two halves on both sides of a dropped character would join to another hidden one.
 *
 * @example visibleText('Noa\u202e Levi\u200b') // 'Noa Levi'
 */
export function visibleText(text: string): string {
  return withoutHidden(text, '')
}

function withoutHidden(text: string, instead: string): string {
  return text.toWellFormed().replace(hidden, instead)
}

/**
 * Applies `visibleText` to every string of a JSON text, and shows where an id holds a hidden character: without it, the id could be
 * another record's. Usually nothing changes.
 *
 * @example visibleJson('{"id":"p1\u200f"}') // '{"id":"p1\ufffd"}'
 */
export function visibleJson(json: string): string {
  if (!unusual.test(json) || !mayHide.test(json)) return json
  const visible = (name: string, value: unknown) =>
    typeof value === 'string' ? withoutHidden(value, isId(name) ? '\ufffd' : '') : value
  return JSON.stringify(JSON.parse(json, visible))
}

function isId(name: string): boolean {
  return name === 'id' || name.endsWith('_id')
}
