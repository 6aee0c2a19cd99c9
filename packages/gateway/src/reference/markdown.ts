// Renders the contract's Markdown: headings, paragraphs, lists, tables, fenced code, and inline code, bold and links.
import { type Html, html } from './html.ts'

export interface Section {
  title: string
  /** The anchor: the title in lower case with dashes. */
  slug: string
  body: Html
}

/** Splits a text into its `##` sections. */
export function sections(markdown: string): Section[] {
  return markdown
    .split(/^## /m)
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const [title = '', ...lines] = part.split('\n')
      return { title, slug: title.toLowerCase().replaceAll(/[^a-z]+/g, '-'), body: blocks(lines.join('\n')) }
    })
}

/** Renders a text's blocks, which blank lines separate except inside a fence. */
export function blocks(markdown: string): Html {
  const found = markdown.match(/^```[\s\S]*?^```$|^(?!```).+(?:\n(?!```).+)*/gm) ?? []
  return html`${found.map(block)}`
}

function block(text: string): Html {
  const lines = text.split('\n')
  if (text.startsWith('```')) return html`<pre tabindex="0"><code>${lines.slice(1, -1).join('\n')}</code></pre>`
  if (text.startsWith('| ')) return table(lines)
  if (text.startsWith('- ')) return html`<ul>${lines.map((line) => html`<li>${inline(line.slice(2))}</li>`)}</ul>`
  if (/^\d+\. /.test(text))
    return html`<ol>${lines.map((line) => html`<li>${inline(line.replace(/^\d+\. /, ''))}</li>`)}</ol>`
  return html`<p>${inline(text)}</p>`
}

function table([head = '', , ...rows]: readonly string[]): Html {
  const cells = (line: string) => line.slice(2, -2).split(' | ').map(inline)
  return html`<table>
<thead><tr>${cells(head).map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${cells(row).map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
</table>`
}

/** Renders `code`, **bold** and [links](https://…) in a line of text. */
export function inline(text: string): Html {
  return html`${text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)\s]+\))/).map(span)}`
}

function span(text: string): Html {
  if (text.startsWith('`') && text.length > 2) return html`<code>${text.slice(1, -1)}</code>`
  if (text.startsWith('**') && text.length > 4) return html`<strong>${inline(text.slice(2, -2))}</strong>`
  const link = /^\[([^\]]+)\]\((https?:\/\/[^)\s]+|[/#][^)\s]*)\)$/.exec(text)
  return link ? html`<a href="${link[2]}">${link[1]}</a>` : html`${text}`
}
