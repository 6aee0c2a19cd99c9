// A collector for tests: it takes spans by OTLP over HTTP (JSON).
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after } from 'node:test'

export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  /** 2: server, 3: client. */
  readonly kind: number
  readonly attributes: { key: string; value: Record<string, unknown> }[]
  readonly status: { code?: number }
  /** The role of the process that sent it. */
  readonly role: string
}

interface Sent {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] }
    scopeSpans: { spans: Omit<ReceivedSpan, 'role'>[] }[]
  }[]
}

/** Closed after the file's tests. */
export async function spanReceiver() {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.url === '/v1/traces') bodies.push(body)
      response.end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  const { port } = server.address() as AddressInfo
  const spans = (): ReceivedSpan[] =>
    bodies.flatMap((body) =>
      (JSON.parse(body) as Sent).resourceSpans.flatMap(({ resource, scopeSpans }) => {
        const role = resource.attributes.find(({ key }) => key === 'clinicd.role')?.value.stringValue ?? ''
        return scopeSpans.flatMap((scope) => scope.spans.map((span) => ({ ...span, role })))
      }),
    )
  return { address: `http://127.0.0.1:${port}`, bodies, spans }
}
