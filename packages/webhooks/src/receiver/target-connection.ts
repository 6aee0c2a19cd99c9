// One connection to a receiver's origin, opened with its first attempt and used by one attempt at a time.
import type { Socket } from 'node:net'
import { Client, type Dispatcher } from 'undici'
import type { TargetConnector } from './target-connector.ts'
import type { Target } from './target-url.ts'

export interface ConnectionBounds {
  /** Closes after this idle time, unless the receiver announces its own. */
  idleTimeoutMs: number
  /** Older connections are not reused: the name may have moved by then. */
  maxConnectionAgeMs: number
  /** The maximum for one answer, including its head. */
  maxAnswerBytes: number
}

export interface PostRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

/** Receives an answer's parts, and learns when it is too long. */
export interface AnswerReader extends Dispatcher.DispatchHandler {
  onTooLong(): void
}

export class TargetConnection {
  readonly origin: string
  readonly #client: Client
  readonly #bounds: ConnectionBounds
  readonly #now: () => number
  readonly #onClosed: (connection: TargetConnection) => void
  readonly #connecting = new AbortController()
  #socket: Socket | null = null
  #connectedAt = 0
  #bytesBefore = 0
  #reader: AnswerReader | null = null

  constructor(
    target: Target,
    connector: TargetConnector,
    bounds: ConnectionBounds,
    now: () => number,
    onClosed: (connection: TargetConnection) => void,
  ) {
    this.origin = target.origin
    this.#bounds = bounds
    this.#now = now
    this.#onClosed = onClosed
    this.#client = new Client(target.origin, {
      connect: (_, callback) => {
        connector.connect(target, this.#connecting.signal).then(
          (socket) => {
            callback(null, socket)
            this.#connected(socket)
          },
          (error: Error) => callback(error, null),
        )
      },
      allowH2: false,
      useMilo: false,
      pipelining: 1,
      // The sender limits the time.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: bounds.idleTimeoutMs,
      keepAliveMaxTimeout: bounds.maxConnectionAgeMs,
      maxHeaderSize: bounds.maxAnswerBytes,
    })
  }

  /** Whether another attempt may use the connection as it is. */
  get isUsable(): boolean {
    const { maxConnectionAgeMs } = this.#bounds
    return this.#socket?.destroyed === false && this.#now() - this.#connectedAt < maxConnectionAgeMs
  }

  send({ path, headers, body }: PostRequest, reader: AnswerReader): void {
    this.#reader = reader
    this.#bytesBefore = this.#socket?.bytesRead ?? 0
    // If the receiver closed it a moment ago, the client opens another connection in the same way.
    this.#client.dispatch({ method: 'POST', path, headers, body: asBody(body) }, reader)
  }

  /** Closes at once, in any state. */
  destroy(): void {
    this.#reader = null
    this.#connecting.abort()
    this.#client.destroy(null, () => {})
  }

  #connected(socket: Socket): void {
    this.#socket = socket
    this.#connectedAt = this.#now()
    this.#bytesBefore = socket.bytesRead
    socket.once('close', () => this.#onClosed(this))
    // Runs after the parser: a status that arrived together with too much data still counts. Also counts data that no event
    // reports, such as endless heads or chunk extensions.
    socket.on('readable', () => {
      if (socket.bytesRead - this.#bytesBefore > this.#bounds.maxAnswerBytes) this.#reader?.onTooLong()
    })
  }
}

function asBody(body: string | Uint8Array): string | Buffer {
  return typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength)
}
