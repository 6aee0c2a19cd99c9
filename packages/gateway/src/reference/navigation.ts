// Where a reader is and where else to go: the contents beside a page, the path above it, and the neighbours below it.
import { type Contents, PLACES, type Place, readingOrder } from './contents.ts'
import { type Html, html } from './html.ts'
import { anchorOf, methodTag } from './operation-section.ts'

/** The contents beside every page. The operations of the current page are listed too. */
export function contentsList(contents: Contents, current: string): Html {
  const { guides, groups } = contents
  const [first, ...others] = guides
  const entry = ({ path, title }: Place, inner: Html | null = null) =>
    html`<li><a href="${path}"${path === current && html` aria-current="page"`}>${title}</a>${inner}</li>`
  const { home, install, clients, events, datasets, problems, changelog, releases } = PLACES
  return html`<nav class="contents" id="navigation" aria-label="Contents">
<a class="close" href="#main">Close</a>
<p>Start</p>
<ul>${entry(home)}${first && entry(first)}${entry(install)}${entry(clients)}</ul>
<p>Guides</p>
<ul>${others.map((guide) => entry(guide))}</ul>
<p>Reference</p>
<ul>${groups.map((group) => entry(group, group.path === current ? operationList(group.routes) : null))}${entry(events)}${entry(datasets)}${entry(problems)}</ul>
<p>More</p>
<ul>${entry(changelog)}${entry(releases)}<li><a href="/v1/openapi.json">OpenAPI document</a></li></ul>
</nav>
`
}

function operationList(routes: Contents['groups'][number]['routes']): Html {
  return html`<ul>${routes.map(
    ({ method, operation }) =>
      html`<li><a href="#${anchorOf(operation)}">${operation.summary}${method !== 'get' && methodTag(method)}</a></li>`,
  )}</ul>`
}

/** The pages above this one, and its title. */
export function crumbs(title: string, above: readonly Place[]): Html {
  const places = [{ ...PLACES.home, title: 'Docs' }, ...above]
  return html`<nav class="crumbs" aria-label="Breadcrumb"><ol>${places.map(
    (place) => html`<li><a href="${place.path}">${place.title}</a></li>`,
  )}<li aria-current="page">${title}</li></ol></nav>
`
}

/** The pages before and after this one. */
export function neighbours(contents: Contents, current: string): Html | null {
  const places = readingOrder(contents)
  const index = places.findIndex(({ path }) => path === current)
  if (index < 0) return null
  const [before, after] = [places[index - 1], places[index + 1]]
  return html`<nav class="neighbours" aria-label="Neighbouring pages">${
    before && html`<a rel="prev" href="${before.path}"><span>Before</span> ${before.title}</a>`
  }${after && html`<a rel="next" href="${after.path}"><span>Next</span> ${after.title}</a>`}</nav>
`
}
