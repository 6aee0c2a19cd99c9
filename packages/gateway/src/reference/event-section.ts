// The reference's section on events: the headers of a delivery, its body, and every event type.
import type { OpenApiDocument, WebhookObject } from '@clinic-data/contract/projections/openapi-document'
import { fieldList } from './field-list.ts'
import { type Html, html } from './html.ts'
import { blocks, inline } from './markdown.ts'
import { code, parameterAt } from './operation-section.ts'
import { prettyJson } from './pretty-json.ts'
import { refName } from './schema-words.ts'

/** The event whose whole body is shown. */
const EXAMPLE = 'appointment.updated'

export function eventSection(document: OpenApiDocument): Html {
  const entries = Object.entries(document.webhooks)
  const shown = document.webhooks[EXAMPLE]?.post
  const headers = (shown?.parameters ?? []).map((one) => {
    const { name, schema, description } = parameterAt(one, document)
    return { name, schema: { type: schema.type ?? 'string' }, description, mark: '' }
  })
  const body = shown?.requestBody.content['application/json'].examples.event?.value
  return html`<section class="group" id="events">
<div class="operation">
<div class="text">
<h2><a href="#events">Events</a></h2>
${blocks('A delivery is a POST to the address of a subscription. Its body is an envelope; `data` is the resource, byte for byte as the REST API answers it at that moment. How to verify a delivery: [Webhooks](#webhooks).')}
<h4>Headers of a delivery</h4>
${fieldList(headers, document)}
</div>
<div class="samples">${body !== undefined && code(EXAMPLE, prettyJson(body))}</div>
</div>
<h3 id="event-types">Event types</h3>
<table class="events">
<thead><tr><th scope="col">Type</th><th scope="col">Fires when</th><th scope="col">data</th></tr></thead>
<tbody>${entries.map(([type, { post }]) => eventRow(type, post))}</tbody>
</table>
</section>
`
}

function eventRow(type: string, { description, requestBody }: WebhookObject['post']): Html {
  const data = requestBody.content['application/json'].schema.properties?.data?.$ref
  const [fires = ''] = description.split('\n\n')
  const anchor = `event-${type.replaceAll(/[._]/g, '-')}`
  return html`<tr id="${anchor}"><td><a href="#${anchor}"><code>${type}</code></a></td><td>${inline(fires)}</td><td>${
    data ? html`<a href="#schema-${refName(data)}">${refName(data)}</a>` : html`any`
  }</td></tr>`
}
