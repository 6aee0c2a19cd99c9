// Renders the contract's Markdown: headings, paragraphs, lists, tables, fenced code, and inline code, bold and links.
import { type Html, html } from './html.ts'
import { inLanguages } from './samples.ts'

export interface Section {
  title: string
  /** The title in lower case with dashes. */
  slug: string
  markdown: string
}

/** Splits a text into its `##` sections. */
export function sections(markdown: string): Section[] {
  return markdown
    .split(/^## /m)
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const [title = '', ...lines] = part.split('\n')
      return { title, slug: title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'), markdown: lines.join('\n').trim() }
    })
}

/** Renders a text's `##` sections, each with its anchor. */
export function titled(markdown: string): Html {
  return html`${sections(markdown).map(
    ({ title, slug, markdown }) => html`<h2 id="${slug}"><a href="#${slug}">${title}</a></h2>${blocks(markdown)}`,
  )}`
}

/** Renders a text's blocks, which blank lines separate except inside a fence. */
export function blocks(markdown: string): Html {
  const found = markdown.match(/^```[\s\S]*?^```$|^(?!```).+(?:\n(?!```).+)*/gm) ?? []
  const groups = found.reduce<string[][]>((made, text) => {
    const last = made.at(-1)
    if (labelOf(text) !== undefined && last?.every((one) => labelOf(one) !== undefined)) last.push(text)
    else made.push([text])
    return made
  }, [])
  return html`${groups.map((group) => (labelOf(group[0] ?? '') === undefined ? html`${group.map(block)}` : inLanguages(group.map(labelled))))}`
}

/** The second word behind a fence: the same text follows in another language, and a reader sees one of them. */
function labelOf(text: string): string | undefined {
  return /^```\w+ (\w+)\n/.exec(text)?.[1]
}

function labelled(text: string): { label: string; source: string } {
  return { label: labelOf(text) ?? '', source: insideOf(text) }
}

function insideOf(fenced: string): string {
  return fenced.split('\n').slice(1, -1).join('\n')
}

function block(text: string): Html {
  const lines = text.split('\n')
  const language = /^```(\w*)/.exec(text)
  if (language)
    return html`<pre tabindex="0"><code${language[1] && html` class="language-${language[1]}"`}>${insideOf(text)}</code></pre>`
  if (text.startsWith('| ')) return table(lines)
  if (text.startsWith('- ')) {
    const items = text.slice(2).split(/\n- /)
    return html`<ul>${items.map((item) => html`<li>${inline(item)}</li>`)}</ul>`
  }
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

/** The text without its marks. */
export function plain(markdown: string): string {
  return markdown
    .replaceAll(/```[\s\S]*?```/g, ' ')
    .replaceAll(/^(- |\d+\. |\|[- |]*\|$|#+ )|[`|]|\*\*|\]\([^)\s]+\)/gm, '')
    .replaceAll('[', '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** The first sentence without its marks, for a description. */
export function firstSentence(markdown: string): string {
  return /^.+?\.(?= |$)/.exec(plain(markdown))?.[0] ?? plain(markdown)
}

/** Renders `code`, **bold** and [links](https://…) in a line of text. A link to another file of the repository is its text alone. */
export function inline(text: string): Html {
  return html`${text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)\s]+\))/).map(span)}`
}

/** Addresses of pages, and of programs that install an MCP server. */
const LEADS_ON = /^(https?:\/\/|[/#]|vscode:mcp\/|cursor:\/\/)/

function span(text: string): Html {
  if (text.startsWith('`') && text.length > 2) return html`<code>${text.slice(1, -1)}</code>`
  if (text.startsWith('**') && text.length > 4) return html`<strong>${inline(text.slice(2, -2))}</strong>`
  const [, words, target] = /^\[([^\]]+)\]\(([^)\s]+)\)$/.exec(text) ?? []
  if (words === undefined || target === undefined) return html`${text}`
  return LEADS_ON.test(target) ? html`<a href="${target}">${words}</a>` : html`${words}`
}
