// Makes one HTTP request and reports whether the server may have read any of it. Only an unread request is safe to repeat.
//
// `fetch` hides when it begins to write, and errors like ECONNRESET or ETIMEDOUT look the same before and after that. Here nothing
// is written until the connection, including TLS, is complete. Until then a failure is certainly harmless.
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'

export interface ExchangeRequest {
  method: 'GET' | 'POST'
  /** http or https, matching the agent. Redirects are not followed but returned like any answer. */
  url: URL
  headers: Readonly<Record<string, string>>
  body?: string
  agent: http.Agent
  /** Longer answers are broken off. */
  maxBytes: number
  /** Time until the connection is ready. */
  connectMs: number
  /** Time from then until the whole answer has arrived. */
  answerMs: number
  signal: AbortSignal
}

/** The reasons contain no address and no part of the request or the answer. */
export type Exchange =
  | { state: 'answered'; status: number; headers: IncomingHttpHeaders; bytes: Buffer }
  /** Broken off because the answer is longer than `maxBytes`. */
  | { state: 'too_large'; status: number }
  /** No part of the request was sent. */
  | { state: 'not_sent'; reason: string }
  /** The request, or part of it, was sent, but no complete answer came. */
  | { state: 'broken_off'; reason: string }

/** Connections that are ready. An agent does not say whether the connection that it gives a request was used before. */
const standing = new WeakSet<Socket>()

/** Never rejects. */
export function exchange(options: ExchangeRequest): Promise<Exchange> {
  const { method, url, headers, body = '', agent, maxBytes, connectMs, answerMs, signal } = options
  const isSecure = url.protocol === 'https:'
  const { promise, resolve } = Promise.withResolvers<Exchange>()
  const request = (isSecure ? https : http).request(url, { method, headers, agent, signal })
  let hasLeft = false

  const settle = (result: Exchange) => {
    clearTimeout(timer)
    resolve(result)
  }
  const fail = (reason: string) => {
    settle({ state: hasLeft ? 'broken_off' : 'not_sent', reason })
    request.destroy()
  }
  let timer = setTimeout(() => fail(`no connection within ${connectMs} ms`), connectMs)

  const write = () => {
    if (request.destroyed) return
    clearTimeout(timer)
    timer = setTimeout(() => fail(`no whole answer within ${answerMs} ms`), answerMs)
    hasLeft = true
    request.end(body)
  }
  request.on('error', (error) => fail(faultOf(error)))
  request.on('socket', (socket) => {
    if (standing.has(socket)) return write()
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      standing.add(socket)
      write()
    })
  })
  request.on('response', (response) => {
    readAnswer(response, maxBytes).then(settle, (error: Error) => fail(faultOf(error)))
  })
  return promise
}

async function readAnswer(response: IncomingMessage, maxBytes: number): Promise<Exchange> {
  const status = response.statusCode ?? 0
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length
    // Leaving the loop destroys the connection.
    if (length > maxBytes) return { state: 'too_large', status }
    chunks.push(chunk)
  }
  return { state: 'answered', status, headers: response.headers, bytes: Buffer.concat(chunks) }
}

function faultOf(error: Error & { code?: unknown }): string {
  if (error.name === 'AbortError') return 'aborted'
  return typeof error.code === 'string' ? `the connection failed (${error.code})` : 'the connection failed'
}
