// Decides how a server may ask for a password. A server that asks in another way is not ours, or somebody listens in: the
// connection is destroyed before anything is answered.
//
// The url names the accepted ways like PostgreSQL's own clients: `require_auth=scram-sha-256`.

import { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { Client } from 'pg'

const METHODS = ['none', 'password', 'md5', 'scram-sha-256'] as const

/** `password` is sent in the clear. `none` asks for nothing. */
type Method = (typeof METHODS)[number]

/** The server asked for the password in a way that is not accepted. Asking again does not help. */
export class AuthenticationRefused extends Error {
  override readonly name = 'AuthenticationRefused'
}

/** Reads `require_auth`. Null when the url leaves it to us. @throws Error for an unknown method */
export function requiredMethods(url: string): readonly Method[] | null {
  const list = URL.canParse(url) ? new URL(url).searchParams.get('require_auth') : null
  if (list === null) return null
  return list.split(',').map((name) => {
    const method = METHODS.find((one) => one === name.trim())
    if (method === undefined) throw new Error(`require_auth of the database url takes ${METHODS.join(', ')}`)
    return method
  })
}

/** Call this before the client connects. */
export function guardAuthentication(client: Client, required: readonly Method[] | null): void {
  const { connection, host } = client
  const isAccepted = (method: Method) =>
    required?.includes(method) ?? (method !== 'password' || isPrivate(client, host))
  const check = (method: Method) => {
    if (isAccepted(method)) return
    // Destroys at once: the driver's own answer, which follows, finds no connection.
    connection.stream.destroy(new AuthenticationRefused(REFUSALS[method]))
  }
  let isRequested = false
  let proven = true
  connection.prependListener('authenticationCleartextPassword', () => {
    isRequested = true
    check('password')
  })
  connection.prependListener('authenticationMD5Password', () => {
    isRequested = true
    check('md5')
  })
  connection.prependListener('authenticationSASL', () => {
    isRequested = true
    proven = false
    check('scram-sha-256')
  })
  // The server's own proof that it knows the password. The driver verifies it.
  connection.prependListener('authenticationSASLFinal', () => {
    proven = true
  })
  connection.prependListener('authenticationOk', () => {
    if (!isRequested) check('none')
    else if (!proven) connection.stream.destroy(new AuthenticationRefused('the database server proves nothing'))
  })
}

const REFUSALS: Readonly<Record<Method, string>> = {
  none: 'the database server lets everybody in, which require_auth does not accept',
  password:
    'the database server asks for the password in the clear; encrypt the connection (sslmode=verify-full), or accept it with require_auth=password',
  md5: 'the database server asks for an MD5 of the password, which require_auth does not accept',
  'scram-sha-256': 'the database server asks for SCRAM, which require_auth does not accept',
}

/** The driver's words for a password that it needs and has not got. */
const NO_PASSWORD = /client password must be a (non-empty )?string/

/** @returns the driver's error of connecting, or a refusal when asking again does not help. */
export function refusalOr(error: unknown): unknown {
  return error instanceof Error && NO_PASSWORD.test(error.message)
    ? new AuthenticationRefused('the server asks for a password, and the url of the database names none')
    : error
}

/** Whether the connection is safe from readers in between. */
function isPrivate({ connection }: Client, host: string): boolean {
  return connection.stream instanceof TLSSocket || host.startsWith('/')
}

/** The driver throws on an unknown authentication, where no caller can catch it. This socket ends the connection instead. */
export class GuardedSocket extends Socket {
  override emit(event: string | symbol, ...values: unknown[]): boolean {
    try {
      return super.emit(event, ...values)
    } catch (error) {
      if (event !== 'data') throw error
      this.destroy(error as Error)
      return true
    }
  }
}
