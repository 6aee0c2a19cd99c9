// The page of changes: the repository's changelog.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Html, html } from './html.ts'
import { blocks, titled } from './markdown.ts'

export function changelogPage(): Html {
  const [opening = '', ...releases] = changelog().split(/^(?=## )/m)
  return html`<article class="guide">
<h1>Changelog</h1>
${blocks(opening.replace(/^# .*/, ''))}
${titled(releases.join(''))}
</article>`
}

export function changelog(): string {
  return readFileSync(changelogFile(), 'utf8')
}

/** The nearest one above this file: the repository's, or that of the packed package, beside its licence. */
function changelogFile(folder = import.meta.dirname): string {
  const file = join(folder, 'CHANGELOG.md')
  return existsSync(file) || folder === dirname(folder) ? file : changelogFile(dirname(folder))
}
