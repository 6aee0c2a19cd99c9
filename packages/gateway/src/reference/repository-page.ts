// Pages made of documents that the repository holds for its own readers too: the changelogs, the guide to generated clients.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Html, html } from './html.ts'
import { blocks, titled } from './markdown.ts'

type RepositoryFile =
  | 'CHANGELOG.md'
  | 'docs/api-changes.md'
  | 'docs/clients.md'
  | 'examples/keep-a-copy.mjs'
  | 'examples/keep-a-copy.py'

/** Whole programs, which readers download, by their addresses. */
export const PROGRAMS = {
  '/docs/keep-a-copy.mjs': 'examples/keep-a-copy.mjs',
  '/docs/keep-a-copy.py': 'examples/keep-a-copy.py',
} as const satisfies Record<string, RepositoryFile>

export function repositoryPage(file: RepositoryFile): Html {
  const [opening = '', ...parts] = repositoryText(file).split(/^(?=## )/m)
  const [title = '', ...text] = opening.split('\n')
  return html`<article class="guide">
<h1>${title.replace('# ', '')}</h1>
${blocks(text.join('\n'))}
${titled(parts.join(''))}
</article>`
}

/** The nearest one above this file. */
export function repositoryText(file: RepositoryFile, folder = import.meta.dirname): string {
  const path = join(folder, file)
  if (existsSync(path) || folder === dirname(folder)) return readFileSync(path, 'utf8')
  return repositoryText(file, dirname(folder))
}
