// Messages of both generations of MCP, as clients send them.
import { ask, type TestService } from '@clinic-data/testing/run/test-service'

/** The media types that 2025 clients must accept. */
export const ACCEPT = 'application/json, text/event-stream'

export const REVISION = '2026-07-28'

export interface Params {
  name?: string
  uri?: string
  arguments?: Readonly<Record<string, unknown>>
  [other: string]: unknown
}

export type Send = (service: TestService, key: string | null, method: string, params?: Params) => ReturnType<typeof ask>

/** Sends one message of the 2025 revisions, whose answer is a stream of one event. */
export const send2025: Send = async (service, key, method, params) => {
  const body = { jsonrpc: '2.0', id: 1, method, params }
  const answer = await ask(service, key, '/mcp', { method: 'POST', headers: { accept: ACCEPT }, body })
  return answer.json === null ? { ...answer, json: eventsOf(answer.text)[0] } : answer
}

export function eventsOf(stream: string) {
  return [...stream.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data))
}

/** Sends one message of the 2026 revision, in which each names its revision and its client. */
export const send2026: Send = (service, key, method, params = {}) => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  return ask(service, key, '/mcp', {
    method: 'POST',
    headers: {
      'mcp-protocol-version': REVISION,
      'mcp-method': method,
      ...nameOf(params),
    },
    body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } },
  })
}

function nameOf({ name, uri = name }: Params): Record<string, string> {
  return uri === undefined ? {} : { 'mcp-name': uri }
}

export const generations: Readonly<Record<string, Send>> = { 2025: send2025, 2026: send2026 }

/** Calls a tool and returns its result. */
export async function callTool(
  service: TestService,
  key: string,
  name: string,
  toolArguments: Readonly<Record<string, unknown>> = {},
  send: Send = send2026,
) {
  const { status, json, text } = await send(service, key, 'tools/call', { name, arguments: toolArguments })
  if (status !== 200 || json.result === undefined) throw new Error(`${name}: ${status} ${text}`)
  const { isError = false, content, structuredContent } = json.result
  return { isError, text: content[0].text as string, structured: structuredContent }
}
