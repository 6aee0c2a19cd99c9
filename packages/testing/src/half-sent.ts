// A request whose body arrives late: first its headers and half of the body, the rest when a test says so.

import type { IncomingMessage, Server } from 'node:http'
import { request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

export interface HalfSent {
  /** Sends the rest of the body. */
  rest(): Promise<{ status: number; text: string }>
  /** The answer to one whose rest never comes. */
  answer(): Promise<{ status: number; text: string }>
}

interface Sent {
  method?: string
  path: string
  headers: Readonly<Record<string, string>>
  body: string
}

/** Resolves when the server has begun to read the body: by then it knows who sends it. */
export async function halfSent(
  app: FastifyInstance,
  { method = 'POST', path, headers, body }: Sent,
): Promise<HalfSent> {
  const server: Server = app.server
  if (!server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.address() as AddressInfo
  const arrived = new Promise<IncomingMessage>((resolve) => server.once('request', resolve))
  const bytes = Buffer.from(body)
  const half = Math.floor(bytes.length / 2)
  const request = send({
    host: '127.0.0.1',
    port,
    method,
    path,
    agent: false,
    headers: { 'content-type': 'application/json', ...headers, 'content-length': bytes.length },
  })
  const answered = new Promise<IncomingMessage>((resolve, reject) =>
    request.once('response', resolve).once('error', reject),
  )
  request.write(bytes.subarray(0, half))
  let isAnswered = false
  answered.then(() => {
    isAnswered = true
  })
  const incoming = await arrived
  while (!incoming.readableDidRead) {
    if (request.destroyed || incoming.destroyed || isAnswered) throw new Error('answered before the body was read')
    await nextTurn()
  }
  const answer = async () => {
    const got = await answered
    let text = ''
    for await (const chunk of got.setEncoding('utf8')) text += chunk
    return { status: got.statusCode ?? 0, text }
  }
  return {
    answer,
    rest() {
      request.end(bytes.subarray(half))
      return answer()
    },
  }
}
