// Answers `tools/list` and `tools/call` in their plain form, which nearly all requests have, without the library: there a call takes
// several times as long as over REST. A message that differs from the plain form in anything goes to the library.
// `test/mcp/plain-messages.test.ts` compares the two (docs/decisions/0050).
import type { IncomingHttpHeaders } from 'node:http'
import { MCP_REVISION } from '@clinic-data/contract/example-dates'
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server'
import { encodingFor } from '../answers/encoding.ts'
import { CACHE_HINT, IDENTITY } from './mcp-server.ts'
import {
  type ContractTool,
  type McpTool,
  type Members,
  shownTools,
  type ToolCaller,
  type ToolText,
} from './mcp-tool.ts'
import { type PlainAnswer, toolLists } from './tool-lists.ts'

/** The revision in which a request names its revision and its client, and headers repeat its method and its tool. */
const REVISION = MCP_REVISION

/** The 2026 revision has this behind the members of each result. */
const END = `"resultType":"complete"`
const SERVER_INFO = `"_meta":${JSON.stringify({ 'io.modelcontextprotocol/serverInfo': IDENTITY })}`
const END_OF_CALL = `,${END},${SERVER_INFO}`
const END_OF_LIST = `,${END},${JSON.stringify(CACHE_HINT).slice(1, -1)},${SERVER_INFO}`

export interface PlainMessage {
  readonly id: string | number
  readonly is2026: boolean
  /** Null lists the tools. */
  readonly call: { readonly tool: ContractTool; readonly toolArguments: Members } | null
}

/** @returns reads a message: null for one that the library must answer. */
export function plainReader(tools: readonly ContractTool[]) {
  const byName = new Map<unknown, ContractTool>(tools.map((tool) => [tool.definition.name, tool]))
  return (body: unknown, headers: IncomingHttpHeaders): PlainMessage | null => {
    if (!isObject(body) || !hasOnly(body, ['jsonrpc', 'id', 'method', 'params'])) return null
    const { jsonrpc, id, method, params = {} } = body
    if (jsonrpc !== '2.0' || !isId(id) || !isObject(params)) return null
    const is2026 = headers['mcp-protocol-version'] === REVISION
    const isPlain = is2026 ? isPlain2026(method, params, headers) : isPlain2025(params, headers)
    if (!isPlain) return null
    if (method === 'tools/list') return hasOnly(params, ['_meta']) ? { id, is2026, call: null } : null
    if (method !== 'tools/call' || !hasOnly(params, ['name', 'arguments', '_meta'])) return null
    const { name, arguments: toolArguments = {} } = params
    const tool = byName.get(name)
    return tool && isObject(toolArguments) ? { id, is2026, call: { tool, toolArguments } } : null
  }
}

/** The texts around a message, where its generation sends it as an event of a stream. */
export interface Frame {
  readonly before: string
  readonly after: string
}

/** @returns makes the answer to a plain message. `accepted` is the request's `Accept-Encoding`. */
export function plainAnswerer(tools: readonly McpTool[]) {
  const listFor = toolLists()
  return async (
    { id, is2026, call }: PlainMessage,
    frame: Frame,
    caller: ToolCaller,
    accepted?: string | string[],
  ): Promise<PlainAnswer> => {
    const end = `${JSON.stringify(id)}}${frame.after}`
    if (call === null) {
      const { principal } = caller
      const name = [is2026, frame.before, ...principal.scopes].join()
      const shown = () => JSON.stringify(shownTools(tools, principal))
      const begin = () => frame.before + beforeId(`"tools":${shown()}${is2026 ? END_OF_LIST : ''}`)
      return listFor({ name, begin, end, encoding: frame.before === '' ? encodingFor(accepted) : 'identity' })
    }
    const members = membersOf(await call.tool.answer(call.toolArguments, caller))
    const bytes = Buffer.from(frame.before + beforeId(is2026 ? members + END_OF_CALL : members) + end)
    return { bytes, encoding: 'identity' }
  }
}

/** The members of a response as the library orders them: the id is the last. */
function beforeId(result: string): string {
  return `{"result":{${result}},"jsonrpc":"2.0","id":`
}

function membersOf({ texts, structured }: ToolText): string {
  const content = texts.map((text) => `{"type":"text","text":${JSON.stringify(text)}}`)
  return `"content":[${content}],${structured === null ? '"isError":true' : `"structuredContent":${structured}`}`
}

function isPlain2025({ _meta }: Members, { 'mcp-protocol-version': version }: IncomingHttpHeaders): boolean {
  if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(String(version))) return false
  return _meta === undefined || (isObject(_meta) && isFreeMeta(_meta, []))
}

function isPlain2026(method: unknown, { name, _meta }: Members, headers: IncomingHttpHeaders): boolean {
  if (headers['mcp-method'] !== method || headers['mcp-name'] !== name || !isObject(_meta)) return false
  const {
    [PROTOCOL_VERSION_META_KEY]: version,
    [CLIENT_INFO_META_KEY]: client,
    [CLIENT_CAPABILITIES_META_KEY]: capabilities,
  } = _meta
  if (version !== REVISION || !isObject(capabilities) || !Object.values(capabilities).every(isEmpty)) return false
  if (client !== undefined && !isPlainClient(client)) return false
  return isFreeMeta(_meta, [PROTOCOL_VERSION_META_KEY, CLIENT_INFO_META_KEY, CLIENT_CAPABILITIES_META_KEY])
}

function isPlainClient(client: unknown): boolean {
  if (!isObject(client) || !hasOnly(client, ['name', 'version', 'title'])) return false
  const { name, version, title = '' } = client
  return typeof name === 'string' && typeof version === 'string' && typeof title === 'string'
}

/** Members of `_meta` are the client's own, but for these and the progress token: the protocol keeps the rest of its names. */
function isFreeMeta(meta: Members, read: readonly string[]): boolean {
  const { progressToken = 0 } = meta
  return isId(progressToken) && Object.keys(meta).every((key) => !key.startsWith(RESERVED) || read.includes(key))
}

const RESERVED = 'io.modelcontextprotocol/'

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || Number.isSafeInteger(value)
}

function isObject(value: unknown): value is Members {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0
}

function hasOnly(value: Members, names: readonly string[]): boolean {
  return Object.keys(value).every((name) => names.includes(name))
}
