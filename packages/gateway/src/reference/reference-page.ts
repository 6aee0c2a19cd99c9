// The reference at `/docs`: the OpenAPI document as a readable page, without scripts and without anything from outside.
import type { OpenApiDocument } from '@clinic-data/contract/projections/openapi-document'
import { eventSection } from './event-section.ts'
import { type Html, html } from './html.ts'
import { inline, type Section, sections } from './markdown.ts'
import { anchorOf, breakable, methodTag, operationSection, type Route } from './operation-section.ts'
import { page, type Served } from './page-frame.ts'

interface Group {
  name: string
  description: string
  anchor: string
  routes: readonly Route[]
}

/**
 * The whole reference as one page, made once per process.
 *
 * @example const { body, type, etag } = referencePage(openapi('https://api.example.com'))
 */
export function referencePage(document: OpenApiDocument): Served {
  const guide = sections(document.info.description)
  const groups = groupsOf(document)
  const shown = new Set<string>()
  return page({
    title: `${document.info.title} reference`,
    description: document.info.summary,
    navigation: navigation(guide, groups),
    main: html`${opening(document)}
${guide.map(guideSection)}
${groups.map((group) => groupSection(group, document, shown))}
${eventSection(document)}`,
  })
}

function groupsOf(document: OpenApiDocument): Group[] {
  const routes = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): Route => ({ method, path, operation })),
  )
  return document.tags
    .map(({ name, description }) => ({
      name,
      description,
      anchor: `group-${name.toLowerCase()}`,
      routes: routes.filter(({ operation }) => operation.tags.includes(name)),
    }))
    .filter(({ routes }) => routes.length > 0)
}

function navigation(guide: readonly Section[], groups: readonly Group[]): Html {
  return html`<nav id="navigation" aria-label="Contents">
<a class="close" href="#main">Close</a>
<p>Guide</p>
<ul>${guide.map(({ slug, title }) => html`<li><a href="#${slug}">${title}</a></li>`)}</ul>
${groups.map(
  ({ name, anchor, routes }) => html`<p><a href="#${anchor}">${name}</a></p>
<ul>${routes.map(
    ({ method, operation }) =>
      html`<li><a href="#${anchorOf(operation)}">${operation.summary}${method !== 'get' && methodTag(method)}</a></li>`,
  )}</ul>`,
)}
<p><a href="#events">Events</a></p>
<ul><li><a href="#event-types">Event types</a></li><li><a href="/problems">Problems</a></li></ul>
</nav>
`
}

function opening({ info, servers }: OpenApiDocument): Html {
  return html`<div class="opening">
<h1>${info.title}</h1>
<p class="lead">${info.summary}</p>
<dl>
<div><dt>Base address</dt><dd><code>${servers[0]?.url}</code></dd></div>
<div><dt>Version</dt><dd>${info.version}</dd></div>
<div><dt>Machine-readable</dt><dd><a href="/v1/openapi.json">OpenAPI 3.1</a></dd></div>
<div><dt>Licence</dt><dd>${info.license.name}</dd></div>
</dl>
</div>
`
}

function guideSection({ title, slug, body }: Section): Html {
  return html`<section class="guide" id="${slug}">
<h2><a href="#${slug}">${title}</a></h2>
${body}
</section>
`
}

function groupSection(
  { name, description, anchor, routes }: Group,
  document: OpenApiDocument,
  shown: Set<string>,
): Html {
  return html`<section class="group" id="${anchor}">
<h2><a href="#${anchor}">${name}</a></h2>
<p class="lead">${inline(description)}</p>
<ul class="index">${routes.map(
    ({ method, path, operation }) =>
      html`<li>${methodTag(method)} <a href="#${anchorOf(operation)}"><code>${breakable(path)}</code></a></li>`,
  )}</ul>
${routes.map((route) => operationSection(route, document, shown))}
</section>
`
}
