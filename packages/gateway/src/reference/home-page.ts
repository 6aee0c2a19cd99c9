// The reference's first page: everything that there is, in one list. Each entry keeps the anchor that it had when all was one page.
import type { OpenApiDocument } from '@clinic-data/contract/projections/openapi-document'
import { type Contents, PLACES } from './contents.ts'
import { eventAnchor, typesOf } from './event-page.ts'
import { type Html, html } from './html.ts'
import { inline } from './markdown.ts'
import { anchorOf, breakable, methodTag } from './operation-section.ts'

/** @param schemas the address of each resource's fields, by the resource's name. */
export function homePage(
  document: OpenApiDocument,
  { guides, groups }: Contents,
  schemas: ReadonlyMap<string, string>,
): Html {
  return html`${opening(document)}
<h2>Start</h2>
<ul class="cards">
${guides.slice(0, 1).map(({ path, slug, title }) => html`<li id="${slug}"><a href="${path}">${title}</a> The first request, in a minute.</li>`)}
<li><a href="${PLACES.install.path}">Install</a> The SDK, the command line, Python and plain HTTP.</li>
<li><a href="${PLACES.clients.path}">Generated clients</a> For Go, Java, PHP and others, from the OpenAPI document.</li>
</ul>
<h2>Guides</h2>
<ul class="columns">${guides.slice(1).map(({ path, slug, title }) => html`<li id="${slug}"><a href="${path}">${title}</a></li>`)}</ul>
<h2>Reference</h2>
${groups.map(
  ({ path, slug, title, description, routes }) => html`<h3 id="group-${slug}"><a href="${path}">${title}</a></h3>
<p class="about">${inline(description)}</p>
<ul class="index">${routes.map(
    ({ method, path: route, operation }) =>
      html`<li id="${anchorOf(operation)}">${methodTag(method)} <a href="${path}#${anchorOf(operation)}"><code>${breakable(route)}</code><span>${operation.summary}</span></a></li>`,
  )}</ul>`,
)}
<h3 id="events"><a href="${PLACES.events.path}">Events</a></h3>
<ul class="columns" id="event-types">${typesOf(document).map(
    ([type]) =>
      html`<li id="${eventAnchor(type)}"><a href="${PLACES.events.path}#${eventAnchor(type)}"><code>${type}</code></a></li>`,
  )}</ul>
<h3>Resources</h3>
<ul class="columns">${[...schemas].map(
    ([name, href]) => html`<li id="schema-${name}"><a href="${href}">${name}</a></li>`,
  )}</ul>
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
