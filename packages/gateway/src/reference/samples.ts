// The samples beside an operation: its request in each language, and its answer.
import type { OperationObject } from '@clinic-data/contract/projections/openapi-document'
import { type Html, html } from './html.ts'
import { prettyJson } from './pretty-json.ts'

/** Readers call the languages of the samples so, by the samples' labels. */
export const LANGUAGES: Readonly<Record<string, string>> = {
  client: 'TypeScript',
  clinic_data: 'Python',
  go: 'Go',
  csharp: 'C#',
}

/** An operation's successes, what it usually answers first: 201 for a new thing, then 200 for one that existed already. */
export function successes<R>(responses: Readonly<Record<string, R>>): [string, R][] {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .sort(([a], [b]) => Number(b) - Number(a))
}

export function samples(operation: OperationObject): Html {
  const requests = operation['x-codeSamples'].map(({ label, source }) => ({ label, source }))
  const answers = successes(operation.responses)
    .slice(0, 1)
    .flatMap(([status, response]) => {
      const examples = ('content' in response && response.content?.['application/json']?.examples) || {}
      return Object.entries(examples).map(([name, { value }], index) => {
        const label = name === 'detailed' ? 'response_format=detailed' : `${status} answer`
        const body = code(label, prettyJson(value))
        return index === 0 ? body : html`<details><summary>${label}</summary>${code('', prettyJson(value))}</details>`
      })
    })
  return html`${inLanguages(requests)}${answers}`
}

/** One text in several languages. A reader with the script sees one of them, a reader without it all. */
export function inLanguages(texts: readonly { label: string; source: string }[]): Html {
  const name = (label: string) => LANGUAGES[label] ?? label
  return html`<div class="languages" role="group" aria-label="Language of the samples">${texts.map(
    ({ label }) => html`<button type="button" data-choose="${label}">${name(label)}</button>`,
  )}</div>${texts.map(
    ({ label, source }) =>
      html`<figure class="code shell" data-language="${label}"><figcaption>${name(label)}</figcaption><pre tabindex="0" dir="ltr"><code>${source}</code></pre></figure>`,
  )}`
}

/** A scrollable block of code that the keyboard can reach. */
export function code(label: string, source: Html): Html {
  return html`<figure class="code">${label && html`<figcaption>${label}</figcaption>`}<pre tabindex="0" dir="ltr"><code>${source}</code></pre></figure>`
}
