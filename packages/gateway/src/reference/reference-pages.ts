// The reference at `/docs`: the OpenAPI document as readable pages, all of them made at once.
import { datedNear } from '@clinic-data/contract/example-dates'
import { datasetSections } from '@clinic-data/contract/projections/analytics-guide'
import type { OpenApiDocument } from '@clinic-data/contract/projections/openapi-document'
import type { ServedPackage } from '../packages/served-package.ts'
import { type Contents, DATED, type Group, type Guide, PLACES, type Place } from './contents.ts'
import { eventPage } from './event-page.ts'
import { homePage } from './home-page.ts'
import { type Html, html } from './html.ts'
import { installPage } from './install-page.ts'
import { blocks, firstSentence, inline, plain, titled } from './markdown.ts'
import { markdownPages, markdownPath } from './markdown-pages.ts'
import { anchorOf, breakable, methodTag, operationSection } from './operation-section.ts'
import { page, type Served, served } from './page-frame.ts'
import { repositoryPage } from './repository-page.ts'
import { searchIndex } from './search-index.ts'

export interface ReferencePages {
  /** By their addresses. */
  pages: Map<string, Served>
  search: Served
  /** Markdown for programs, by its addresses. */
  markdown: Map<string, Served>
  /** The page on what can be installed, with the hashes of these packages. */
  install: (packed: readonly ServedPackage[]) => Served
}

/**
 * @param now moves the dates of the examples near this day. Without it they stay as they are written.
 * @example referencePages(document, contentsOf(document)).pages.get('/docs/patients')?.body
 */
export function referencePages(document: OpenApiDocument, contents: Contents, now?: Date): ReferencePages {
  /** The address of each resource's fields. The pages of the groups add to it. */
  const schemas = new Map<string, string>()
  const pages = new Map<string, Served>()
  const made = (place: Place, description: string, main: Html) => {
    const written = page({ ...place, description, contents, markdown: markdownPath(place.path), main })
    const isDated = now !== undefined && !DATED.includes(place.path)
    return isDated ? served(datedNear(written.body, now)) : written
  }
  const add = (place: Place, description: string, main: Html) => pages.set(place.path, made(place, description, main))
  const install = (packed: readonly ServedPackage[]) =>
    made(PLACES.install, PLACES.install.description, installPage(document, packed))

  for (const guide of contents.guides) add(guide, firstSentence(guide.markdown), guidePage(guide))
  for (const group of contents.groups) add(group, plain(group.description), groupPage(group, document, schemas))
  add(PLACES.events, PLACES.events.description, eventPage(document, schemas))
  add(PLACES.datasets, PLACES.datasets.description, datasetsPage())
  pages.set(PLACES.install.path, install([]))
  add(PLACES.clients, PLACES.clients.description, repositoryPage('docs/clients.md'))
  add(PLACES.changelog, PLACES.changelog.description, repositoryPage('docs/api-changes.md'))
  add(PLACES.releases, PLACES.releases.description, repositoryPage('CHANGELOG.md'))
  const home = { ...PLACES.home, title: `${document.info.title} reference` }
  add(home, document.info.summary, homePage(document, contents, schemas))
  const markdown = markdownPages(document, contents, now)
  return { pages, search: searchIndex(document, contents, schemas), markdown, install }
}

function guidePage({ title, markdown }: Guide): Html {
  return html`<article class="guide">
<h1>${title}</h1>
${blocks(markdown)}
</article>`
}

function datasetsPage(): Html {
  return html`<article class="guide">
<h1>${PLACES.datasets.title}</h1>
<p class="lead">${PLACES.datasets.description}</p>
${titled(datasetSections())}
</article>`
}

function groupPage(
  { title, description, path, routes }: Group,
  document: OpenApiDocument,
  schemas: Map<string, string>,
): Html {
  return html`<h1>${title}</h1>
<p class="lead">${inline(description)}</p>
<ul class="index">${routes.map(
    ({ method, path: route, operation }) =>
      html`<li>${methodTag(method)} <a href="#${anchorOf(operation)}"><code>${breakable(route)}</code></a></li>`,
  )}</ul>
${routes.map((route) => operationSection(route, document, path, schemas))}`
}
