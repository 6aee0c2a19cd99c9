// Reads a small document that somebody else's address names: with the rules of webhooks for where we connect, without redirects, and with
// limits of time and size that hold for every server.
import { Client } from 'undici'
import { dnsResolver, type ResolveName } from './resolve-name.ts'
import { TargetAddresses } from './target-address.ts'
import { ConnectError, type ConnectFault, TargetConnector } from './target-connector.ts'
import { readTarget, type Target } from './target-url.ts'

export interface DocumentBounds {
  dnsTimeoutMs: number
  /** For TCP and TLS together. */
  connectTimeoutMs: number
  /** For everything, from resolving the name to the document's last byte. */
  timeoutMs: number
  /** The most of the document, and of the answer's head. */
  maxBytes: number
}

export interface DocumentClientOptions {
  /** Addresses and CIDR blocks that are allowed anyway, for development and tests. They also allow plain http to loopback. */
  allowCidrs?: readonly string[]
  resolveName?: ResolveName
  /** This machine's addresses. Default: those of its network interfaces. */
  ownAddresses?: () => readonly string[]
  /** Trusted authorities as PEM. Default: those that Node.js trusts. */
  ca?: string
  bounds?: Partial<DocumentBounds>
}

export interface ReadDocument {
  readonly text: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

export type DocumentFault =
  | ConnectFault
  | 'invalid_url'
  | 'timeout'
  | 'too_long'
  | 'connection_lost'
  | 'redirect'
  | 'status'
  | 'encoding'

export class DocumentError extends Error {
  override readonly name = 'DocumentError'
  readonly fault: DocumentFault
  /** The status of the answer, if one came. */
  readonly status: number | null

  constructor(fault: DocumentFault, status: number | null = null) {
    super(`no document: ${fault}`)
    this.fault = fault
    this.status = status
  }
}

/** A person waits for a document, and one of a kind that a person writes has some hundred bytes. */
export const DOCUMENT_BOUNDS: DocumentBounds = {
  dnsTimeoutMs: 3_000,
  connectTimeoutMs: 4_000,
  timeoutMs: 5_000,
  maxBytes: 64 * 1024,
}

/** A connection brings at most as many times the document: a head as long, TLS, and how the body is cut. A server could send these for ever. */
const MOST_TIMES = 4
const OK = 200
const HEADERS = { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'clinic-data-api' }

export class DocumentClient {
  readonly #addresses: TargetAddresses
  readonly #connector: TargetConnector
  readonly #bounds: DocumentBounds

  /** @throws Error, one line that names the entry of `allowCidrs` that is no address and no block. */
  constructor({ resolveName = dnsResolver(), ca, bounds, ...options }: DocumentClientOptions = {}) {
    this.#bounds = { ...DOCUMENT_BOUNDS, ...bounds }
    this.#addresses = new TargetAddresses(options)
    const { maxBytes, ...times } = this.#bounds
    const most = { maxBytes: MOST_TIMES * maxBytes }
    this.#connector = new TargetConnector({ addresses: this.#addresses, resolveName, ca, ...times, ...most })
  }

  /** Whether plain http may go to loopback. */
  get allowsLoopbackHttp(): boolean {
    return this.#addresses.allowsLoopbackHttp
  }

  /** Reads one document over a connection of its own. @throws DocumentError */
  async read(url: string): Promise<ReadDocument> {
    const target = readTarget(url, this.#addresses)
    if (target === null) throw new DocumentError('invalid_url')
    const signal = AbortSignal.timeout(this.#bounds.timeoutMs)
    const client = this.#clientOf(target, signal)
    try {
      const { statusCode, headers, body } = await client.request({
        method: 'GET',
        path: target.path,
        headers: HEADERS,
        signal,
      })
      if (statusCode !== OK) throw new DocumentError(isRedirect(statusCode) ? 'redirect' : 'status', statusCode)
      if ((headers['content-encoding'] ?? 'identity') !== 'identity') throw new DocumentError('encoding')
      if (Number(headers['content-length'] ?? 0) > this.#bounds.maxBytes) throw new DocumentError('too_long')
      return { text: await body.text(), headers }
    } catch (error) {
      throw error instanceof DocumentError ? error : new DocumentError(faultOf(error, signal))
    } finally {
      client.destroy(null, () => undefined)
    }
  }

  #clientOf(target: Target, signal: AbortSignal): Client {
    const { maxBytes } = this.#bounds
    return new Client(target.origin, {
      connect: (_, callback) => {
        this.#connector.connect(target, signal).then(
          (socket) => callback(null, socket),
          (error: Error) => callback(error, null),
        )
      },
      allowH2: false,
      useMilo: false,
      // The signal limits the time.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: maxBytes,
      maxResponseSize: maxBytes,
    })
  }
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400
}

function faultOf(error: unknown, signal: AbortSignal): DocumentFault {
  if (signal.aborted) return 'timeout'
  if (error instanceof ConnectError) return error.fault
  const code = error instanceof Error && 'code' in error ? error.code : ''
  return TOO_LONG.has(String(code)) ? 'too_long' : 'connection_lost'
}

const TOO_LONG = new Set(['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_EXCEEDED_MAX_SIZE'])
