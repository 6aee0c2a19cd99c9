// The reference's page on events: the headers of a delivery, its body, every event type, and what has none.
import { leadsHaveNoEvent } from '@clinic-data/contract/event-types'
import type { OpenApiDocument, WebhookObject } from '@clinic-data/contract/projections/openapi-document'
import { fieldList } from './field-list.ts'
import { type Html, html } from './html.ts'
import { blocks, inline } from './markdown.ts'
import { parameterAt } from './operation-section.ts'
import { prettyJson } from './pretty-json.ts'
import { code } from './samples.ts'
import { refName } from './schema-words.ts'

/** The event whose whole body is shown. */
export const EXAMPLE = 'appointment.updated'

/** The event that is sent on request. It stands among the types of the document, and is none. */
export const TEST_EVENT = 'test'

/** @param schemas the address of each resource's fields, by the resource's name. */
export function eventPage(document: OpenApiDocument, schemas: ReadonlyMap<string, string>): Html {
  const test = document.webhooks[TEST_EVENT]?.post
  const shown = document.webhooks[EXAMPLE]?.post
  const headers = (shown?.parameters ?? []).map((one) => {
    const { name, schema, description } = parameterAt(one, document)
    return { name, schema: { type: schema.type ?? 'string' }, description, mark: '' }
  })
  const body = shown?.requestBody.content['application/json'].examples.event?.value
  return html`<div class="operation">
<div class="text">
<h1>Events</h1>
${blocks('A delivery is a POST to the address of a subscription. Its body is an envelope; `data` is the resource, byte for byte as the REST API answers it at that moment. [Webhooks](/docs/webhooks) says how to verify a delivery.')}
<h2>Headers of a delivery</h2>
${fieldList(headers, document)}
</div>
<div class="samples">${body !== undefined && code(EXAMPLE, prettyJson(body))}</div>
</div>
<h2 id="event-types">Event types</h2>
<table class="events">
<thead><tr><th scope="col">Type</th><th scope="col">Fires when</th><th scope="col">data</th></tr></thead>
<tbody>${typesOf(document).map(([type, { post }]) => eventRow(type, post, schemas))}</tbody>
</table>
${blocks(leadsHaveNoEvent)}
<h2 id="${eventAnchor(TEST_EVENT)}">The test event</h2>
${test && html`<p>${inline(factsOfEvent(test).fires)}</p>`}
`
}

/** The types that one can subscribe to. */
export function typesOf({ webhooks }: OpenApiDocument): [type: string, WebhookObject][] {
  return Object.entries(webhooks).filter(([type]) => type !== TEST_EVENT)
}

/** The anchor of an event type: its name with dashes. */
export function eventAnchor(type: string): string {
  return `event-${type.replaceAll(/[._]/g, '-')}`
}

/** When it fires, and the name of the resource that it holds. Empty for one that may hold any. */
export function factsOfEvent({ description, requestBody }: WebhookObject['post']): { fires: string; data: string } {
  const [fires = ''] = description.split('\n\n')
  return { fires, data: refName(requestBody.content['application/json'].schema.properties?.data?.$ref ?? '') }
}

function eventRow(type: string, event: WebhookObject['post'], schemas: ReadonlyMap<string, string>): Html {
  const { fires, data } = factsOfEvent(event)
  const anchor = eventAnchor(type)
  return html`<tr id="${anchor}"><td><a href="#${anchor}"><code>${type}</code></a></td><td>${inline(fires)}</td><td>${
    schemas.has(data) ? html`<a href="${schemas.get(data)}">${data}</a>` : html`any`
  }</td></tr>`
}
