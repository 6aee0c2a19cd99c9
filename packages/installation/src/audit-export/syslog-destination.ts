// Sends the audit log to a syslog receiver: RFC 5424 over TLS (RFC 5425) or TCP, each message with its length before it (RFC 6587).
//
// Syslog has no acknowledgement. So a stretch has a connection of its own: it counts as taken when the receiver has closed its side behind
// ours without an error. By then its system has read every byte. Whether it has stored them, nobody says.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { hostname } from 'node:os'
import { connect as connectSecurely } from 'node:tls'
import { type Destination, Unreachable } from '@clinic-data/audit/follow/destination'

/** The facility "log audit" (13) and the severity "informational" (6). */
const PRIORITY = 13 * 8 + 6
const LONGEST_HOST = 255

/** To connect, and to close behind the last byte. */
const PATIENCE_MS = 10_000

interface SyslogOptions {
  readonly host: string
  readonly port: number
  readonly isSecure: boolean
  readonly patienceMs?: number
  readonly now?: () => Date
}

export class SyslogDestination implements Destination {
  readonly name: string
  readonly #options: SyslogOptions

  constructor(options: SyslogOptions) {
    this.#options = options
    const { host, port, isSecure } = options
    this.name = `${isSecure ? 'syslog+tls' : 'syslog'}://${host.includes(':') ? `[${host}]` : host}:${port}`
  }

  async send(clinic_id: string, batches: AsyncIterable<readonly string[]>, signal: AbortSignal): Promise<void> {
    const { patienceMs = PATIENCE_MS, now = () => new Date() } = this.#options
    const soon = () => AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
    const socket = this.#connect()
    // Whoever waits for it hears of it.
    socket.on('error', () => undefined)
    // Nothing is expected. Unread bytes would hide the end.
    socket.resume()
    try {
      await this.#orFailure(
        once(socket, this.#options.isSecure ? 'secureConnect' : 'connect', { signal: soon() }),
        signal,
      )
      const closed = once(socket, 'end', { signal })
      closed.catch(() => undefined)
      for await (const lines of batches) {
        const moment = now()
        const messages = lines.map((line) => framed(clinic_id, line, moment)).join('')
        if (!socket.write(messages)) await this.#orFailure(drained(socket, signal), signal)
      }
      if (socket.readableEnded || socket.destroyed) throw this.#failure('it closed the connection before the end')
      socket.end()
      await this.#orFailure(Promise.race([closed, once(socket, 'end', { signal: soon() })]), signal)
      if (socket.errored !== null) throw this.#failure(socket.errored.message)
    } finally {
      socket.destroy()
    }
  }

  #connect(): Socket {
    const { host, port, isSecure } = this.#options
    return isSecure ? connectSecurely({ host, port }) : connect({ host, port, allowHalfOpen: true })
  }

  async #orFailure(event: Promise<unknown>, signal: AbortSignal): Promise<void> {
    try {
      await event
    } catch (error) {
      signal.throwIfAborted()
      const isLate = error instanceof Error && error.name === 'AbortError'
      throw this.#failure(isLate ? 'it did not answer, or did not close the connection' : reasonOf(error), error)
    }
  }

  #failure(reason: string, cause?: unknown): Unreachable {
    return new Unreachable(`the syslog receiver ${this.name} has not taken the lines: ${reason}`, { cause })
  }
}

function reasonOf(error: unknown): string {
  const { code = '', message = '' } = error instanceof Error ? (error as NodeJS.ErrnoException) : {}
  return message || code || String(error)
}

/** Also when the connection breaks: nothing would ever drain. */
function drained(socket: Socket, signal: AbortSignal): Promise<unknown> {
  const closed = once(socket, 'close', { signal }).then(() => {
    throw socket.errored ?? new Error('it closed the connection before the end')
  })
  return Promise.race([once(socket, 'drain', { signal }), closed])
}

/** PROCID groups messages: it is the clinic. Names of machines hold no spaces. */
function framed(clinic_id: string, line: string, moment: Date): string {
  const header = `<${PRIORITY}>1 ${moment.toISOString()} ${HOST} clinicd ${clinic_id} audit -`
  const message = `${header} ${line}`
  return `${Buffer.byteLength(message)} ${message}`
}

const HOST =
  hostname()
    .replaceAll(/[^\x21-\x7e]/g, '')
    .slice(0, LONGEST_HOST) || '-'
