// HTML as tagged templates that escape every value, so that no text of a document can become markup.

/** Markup that is safe to write unchanged. Only `html` and `join` make it. */
export class Html {
  readonly #markup: string

  private constructor(markup: string) {
    this.#markup = markup
  }

  static of(strings: readonly string[], values: readonly Value[]): Html {
    return new Html(strings.reduce((text, part, index) => `${text}${render(values[index - 1])}${part}`))
  }

  toString(): string {
    return this.#markup
  }
}

type Value = string | number | Html | readonly Html[] | null | undefined | false

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** @example html`<p>${text}</p>` */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  return Html.of(strings, values)
}

/** Joins the parts with a separator. */
export function join(parts: readonly Html[], between: Html): Html {
  return html`${parts.map((part, index) => (index === 0 ? part : html`${between}${part}`))}`
}

function render(value: Value): string {
  if (value === null || value === undefined || value === false) return ''
  if (value instanceof Html) return value.toString()
  if (typeof value === 'string' || typeof value === 'number') {
    return String(value).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
  }
  return value.map(render).join('')
}
