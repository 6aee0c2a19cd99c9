// Connects to a receiver: resolves its name, judges all addresses, and only then connects to one of them.
//
// Judging and connecting share one resolution, so a name that points elsewhere a moment later has no effect.
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls, createSecureContext, type SecureContext } from 'node:tls'
import { boundedStream } from './bounded-stream.ts'
import type { ResolveName } from './resolve-name.ts'
import { isLoopback, type TargetAddresses } from './target-address.ts'
import type { Target } from './target-url.ts'

export type ConnectFault = 'dns' | 'blocked_address' | 'connect' | 'tls'

/** No connection was made, and nothing was sent. */
export class ConnectError extends Error {
  readonly fault: ConnectFault

  constructor(fault: ConnectFault) {
    super(`no connection: ${fault}`)
    this.name = 'ConnectError'
    this.fault = fault
  }
}

export interface TargetConnectorOptions {
  addresses: TargetAddresses
  resolveName: ResolveName
  dnsTimeoutMs: number
  /** For TCP and TLS together. */
  connectTimeoutMs: number
  /** The most bytes that a connection with TLS brings, with those of TLS. Default: no bound. */
  maxBytes?: number
  /** Trusted authorities as PEM. Default: those that Node.js trusts. */
  ca?: string | undefined
}

/**
 * The most until the server has proven its name. Its certificates have 3 to 6 KB, seldom 10. We check the signature of each one, and a
 * stranger can make up some whose check takes long.
 */
const MAX_PROOF_BYTES = 12 * 1024
/** With several addresses, each but the last gets this long. */
const ADDRESS_TIMEOUT_MS = 1_000

export class TargetConnector {
  readonly #options: TargetConnectorOptions
  #trust: SecureContext | undefined

  constructor(options: TargetConnectorOptions) {
    this.#options = options
  }

  /**
   * Resolves the target's current addresses. All of them are allowed.
   *
   * @throws ConnectError, `dns` or `blocked_address`.
   */
  async vet({ host, literal, isSecure }: Target): Promise<readonly string[]> {
    const addresses = literal === null ? await this.#resolve(host) : [literal]
    if (addresses.length === 0) throw new ConnectError('dns')
    const isOpen = (address: string) =>
      !this.#options.addresses.isForbidden(address) && (isSecure || isLoopback(address))
    if (!addresses.every(isOpen)) throw new ConnectError('blocked_address')
    return addresses
  }

  /**
   * Opens a new connection, with TLS for https. Abort to end it early.
   *
   * @throws ConnectError
   */
  async connect(target: Target, signal: AbortSignal): Promise<Socket> {
    const addresses = await this.vet(target)
    if (signal.aborted) throw new ConnectError('connect')
    return this.#open(target, addresses, signal)
  }

  #resolve(name: string): Promise<readonly string[]> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>()
    const fail = () => reject(new ConnectError('dns'))
    const timer = setTimeout(fail, this.#options.dnsTimeoutMs)
    this.#options
      .resolveName(name)
      .then(resolve, fail)
      .finally(() => clearTimeout(timer))
    return promise
  }

  #open(target: Target, vetted: readonly string[], signal: AbortSignal): Promise<Socket> {
    const { addresses, connectTimeoutMs } = this.#options
    const { host, port } = target
    const { promise, resolve, reject } = Promise.withResolvers<Socket>()
    const socket = connect({
      host,
      port,
      lookup: lookupOf(vetted),
      autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS,
      noDelay: true,
    })
    let fault: ConnectFault = 'connect'
    const fail = () => {
      reject(new ConnectError(fault))
      socket.destroy()
    }
    const timer = setTimeout(fail, connectTimeoutMs)
    signal.addEventListener('abort', fail, { once: true })
    const release = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', fail)
    }
    promise.then(release, release)

    socket.on('error', fail)
    socket.once('connect', () => {
      fault = 'blocked_address'
      if (addresses.isForbidden(socket.remoteAddress ?? '')) return fail()
      if (!target.isSecure) return resolve(socket)
      fault = 'tls'
      const { maxBytes } = this.#options
      let bound = MAX_PROOF_BYTES
      const bytes = maxBytes === undefined ? socket : boundedStream(socket, () => bound)
      const secured = connectTls({
        socket: bytes,
        ...identityOf(target),
        ...HTTP_1,
        secureContext: this.#authorities(),
      })
      secured.on('error', fail)
      secured.once('secureConnect', () => {
        bound = maxBytes ?? bound
        resolve(secured)
      })
    })
    return promise
  }

  /** Built once for all connections: reading them for each one takes longer than its handshake. */
  #authorities(): SecureContext {
    const { ca } = this.#options
    this.#trust ??= createSecureContext(ca === undefined ? {} : { ca })
    return this.#trust
  }
}

/** Set explicitly: the environment could turn verification off. */
const HTTP_1 = { rejectUnauthorized: true, ALPNProtocols: ['http/1.1'] }

/**
 * The name that the certificate must carry. A host name is sent without the root's dot, an address is not sent at all (RFC 6066).
 */
function identityOf({ host, literal }: Target): { host: string; servername?: string } {
  return literal === null ? { host, servername: host.replace(/\.$/, '') } : { host }
}

/** A look-up that returns the addresses resolved before, for any name. */
function lookupOf(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_, options, callback) => {
    if (options.all) return callback(null, all)
    callback(null, all[0]?.address ?? '', all[0]?.family)
  }
}
