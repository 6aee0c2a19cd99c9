// Formats JSON for people: short values on one line, coloured by kind, text of either direction in its own order.
import { type Html, html, join } from './html.ts'

/** The width of a narrow pane in columns. */
const LINE = 60
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufefc]/

export function prettyJson(value: unknown, indent = '', column = 0): Html {
  if (typeof value !== 'object' || value === null) return scalar(value)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const parts = members(value, `${indent}  `)
  if (parts.length === 0) return html`${open}${close}`
  if (indent !== '' && lineLength(value, parts.length) + column < LINE) {
    const between = html`, `
    return Array.isArray(value) ? html`[${join(parts, between)}]` : html`{ ${join(parts, between)} }`
  }
  const inner = join(parts, html`,\n${indent}  `)
  return html`${open}\n${indent}  ${inner}\n${indent}${close}`
}

function members(value: object, indent: string): Html[] {
  if (Array.isArray(value)) return value.map((item) => prettyJson(item, indent, indent.length))
  return Object.entries(value).map(([key, inner]) => {
    const name = JSON.stringify(key)
    return html`<span class="k">${name}</span>: ${prettyJson(inner, indent, indent.length + name.length + 2)}`
  })
}

/** The length of a value on one line, with the spaces after its colons and commas. */
function lineLength(value: object, members: number): number {
  return JSON.stringify(value).length + 2 * members
}

function scalar(value: unknown): Html {
  const text = JSON.stringify(value)
  if (typeof value !== 'string') return html`<span class="n">${text}</span>`
  return RIGHT_TO_LEFT.test(text)
    ? html`<span class="s">"<bdi>${text.slice(1, -1)}</bdi>"</span>`
    : html`<span class="s">${text}</span>`
}
