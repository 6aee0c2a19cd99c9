// A server that speaks WhatsApp's wire format as strictly as the real one, and fails on command.
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'

/**
 * `silence`: the request is read and never answered. `reset`: the connection is reset once the request is read.
 * `cut`: the answer breaks off in the middle. `answer`: the given answer is sent.
 */
export type Behaviour =
  | { kind: 'silence' }
  | { kind: 'reset' }
  | { kind: 'cut' }
  | { kind: 'answer'; status: number; body: unknown; headers?: Record<string, string> }

export interface CloudApiServer {
  readonly origin: string
  readonly token: string
  readonly phone_number_id: string
  /** How to treat the next requests, in order. All later ones succeed. */
  readonly next: Behaviour[]
  /** The bodies of received sends. */
  readonly sends: Record<string, unknown>[]
  /** Faults for which the real platform would have refused a request. */
  readonly faults: string[]
  /** Media by id. `address`, if given, is returned instead of the server's own address. */
  readonly media: Map<string, { content_type: string; bytes: Buffer; address?: string; phone_number_id?: string }>
  requests: number
  connections: number
  /** Resolves when the request with this number has been read. Numbers begin at 1. */
  read(number: number): Promise<void>
  close(): Promise<void>
}

export async function cloudApiServer(
  secure?: { key: string; cert: string },
  phone_number_id = '106540352242922',
): Promise<CloudApiServer> {
  const token = randomBytes(24).toString('hex')
  const waiting: { number: number; resolve: () => void }[] = []
  const listener: RequestListener = async (request, response) => {
    const body = await textOf(request)
    api.requests += 1
    for (const { number, resolve } of waiting) if (api.requests >= number) resolve()
    const behaviour = api.next.shift()
    if (behaviour === undefined) answer(api, request, body, response)
    else behave(behaviour, response)
  }
  const server: Server = secure ? createSecureServer(secure, listener) : createServer(listener)
  server.on('connection', () => {
    api.connections += 1
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const api: CloudApiServer = {
    origin: `${secure ? 'https' : 'http'}://127.0.0.1:${port}`,
    token,
    phone_number_id,
    next: [],
    sends: [],
    faults: [],
    media: new Map(),
    requests: 0,
    connections: 0,
    read: (number) =>
      api.requests >= number ? Promise.resolve() : new Promise((resolve) => waiting.push({ number, resolve })),
    close: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
  return api
}

function behave(behaviour: Behaviour, response: ServerResponse): void {
  switch (behaviour.kind) {
    case 'silence':
      return
    case 'reset':
      response.socket?.resetAndDestroy()
      return
    case 'cut':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' })
      response.write('{"messaging_product":"whatsapp","mess', () => response.socket?.resetAndDestroy())
      return
    case 'answer': {
      const { status, body, headers } = behaviour
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body))
    }
  }
}

function answer(api: CloudApiServer, request: IncomingMessage, body: string, response: ServerResponse): void {
  const { method, url = '', headers } = request
  const { pathname, searchParams } = new URL(url, api.origin)
  const say = (status: number, content: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content))
  if (headers.authorization !== `Bearer ${api.token}`) {
    return void say(401, { error: { message: 'Invalid OAuth access token', type: 'OAuthException', code: 190 } })
  }
  if (method === 'POST' && pathname === `/v25.0/${api.phone_number_id}/messages`) {
    const found = faultsOfSend(headers['content-type'], body)
    api.faults.push(...found)
    if (found.length > 0) return void say(400, { error: { message: found.join('; '), code: 100 } })
    const sent = JSON.parse(body)
    api.sends.push(sent)
    const wa_id = sent.to.slice(1)
    const id = `wamid.${Buffer.from(`${wa_id}${api.sends.length}`).toString('base64')}`
    return void say(200, {
      messaging_product: 'whatsapp',
      contacts: [{ input: sent.to, wa_id }],
      messages: [{ id, ...(sent.type === 'template' && { message_status: 'accepted' }) }],
    })
  }
  const [, description] = /^\/v25\.0\/(\w+)$/.exec(pathname) ?? []
  const media = api.media.get(description ?? searchParams.get('mid') ?? '')
  if (method !== 'GET' || media === undefined) {
    return void say(400, { error: { message: 'Unsupported get request.', code: 100, error_subcode: 33 } })
  }
  if (description !== undefined) {
    if (searchParams.get('phone_number_id') !== (media.phone_number_id ?? api.phone_number_id)) {
      return void say(400, { error: { message: 'Media does not belong to the number', code: 100 } })
    }
    const { content_type: mime_type, bytes, address = `${api.origin}/attachments/?mid=${description}` } = media
    const size = { sha256: 'a'.repeat(64), file_size: String(bytes.length) }
    return void say(200, { messaging_product: 'whatsapp', url: address, mime_type, ...size, id: description })
  }
  if (!headers['user-agent']) return void say(400, 'no user agent')
  response.writeHead(200, { 'content-type': media.content_type }).end(media.bytes)
}

function faultsOfSend(contentType: string | undefined, body: string): string[] {
  const { messaging_product, recipient_type, to, type, text, template, biz_opaque_callback_data, ...rest } =
    JSON.parse(body)
  const textFaults = () => [
    keysOf(text) !== 'body,preview_url' && `text has ${keysOf(text)}`,
    (typeof text.body !== 'string' || text.body === '' || text.body.length > 4096) && 'text.body is no text',
  ]
  return [
    contentType !== 'application/json' && `the content type is ${contentType}`,
    messaging_product !== 'whatsapp' && 'messaging_product is not whatsapp',
    recipient_type !== 'individual' && 'recipient_type is not individual',
    !/^\+\d{4,15}$/.test(to) && 'to is no phone',
    !(biz_opaque_callback_data?.length <= 512) && 'biz_opaque_callback_data is missing',
    keysOf(rest) !== '' && `there is also ${keysOf(rest)}`,
    ...(type === 'text' && template === undefined ? textFaults() : []),
    ...(type === 'template' && text === undefined ? templateFaults(template) : []),
    type !== 'text' && type !== 'template' && `type is ${type}`,
  ].filter((fault) => fault !== false)
}

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire, of any form
function templateFaults({ name, language, components = [], ...rest }: any): (string | false)[] {
  const parameters = components.flatMap((component: { parameters: object[] }) => component.parameters)
  return [
    typeof name !== 'string' && 'template.name is no text',
    keysOf(language) !== 'code' && 'template.language is not { code }',
    keysOf(rest) !== '' && `template has also ${keysOf(rest)}`,
    ...components.map(
      ({ type, parameters: list }: { type: string; parameters: unknown }) =>
        !(['header', 'body', 'button'].includes(type) && Array.isArray(list) && list.length > 0) &&
        `component ${type} is malformed`,
    ),
    ...parameters.map(
      ({ type, text, parameter_name, ...others }: Record<string, unknown>) =>
        (type !== 'text' || typeof text !== 'string' || keysOf(others) !== '' || parameter_name === '') &&
        'a parameter is malformed',
    ),
  ]
}

function keysOf(value: object): string {
  return Object.keys(value).toSorted().join(',')
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
