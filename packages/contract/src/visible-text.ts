// Text as a person would see it: control characters, marks of direction, zero-width characters, tags and variation selectors
// are dropped. What patients write is read by models, and what nobody sees can carry words to them; and a number that was copied
// from a web page brings such characters along.

/** All of Unicode's controls but tab and line feed, what is drawn as nothing by default, and what turns the direction. */
const HIDDEN = String.raw`\0-\x08\x0b-\x1f\x7f-\x9f\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\ufff9-\ufffb`
const hidden = new RegExp(`[${HIDDEN}]+`, 'gu')
/** In JSON a control character stands as an escape: then, and for some texts with a backslash, every string is looked at. */
const mayHide = new RegExp(String.raw`\\[bfru]|[${HIDDEN}]`, 'u')

/** @example visibleText('Noa\u202e Levi\u200b') // 'Noa Levi' */
export function visibleText(text: string): string {
  return text.replace(hidden, '')
}

/** A JSON text, every string in it as `visibleText`: mostly the same text. */
export function visibleJson(json: string): string {
  if (!mayHide.test(json)) return json
  return JSON.stringify(JSON.parse(json, (_, value) => (typeof value === 'string' ? visibleText(value) : value)))
}
