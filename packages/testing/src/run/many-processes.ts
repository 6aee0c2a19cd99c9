// The six processes of `npm run test:processes`, as the tests meet them: requests go to one gateway after the other.

import { readdirSync, readFileSync } from 'node:fs'
import { Agent, type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { untilServed } from './until-served.ts'

export interface ServiceRequest {
  method?: string
  /** Path and query. */
  url: string
  headers?: Readonly<Record<string, string>>
  payload?: string
}

export interface Answered {
  readonly status: number
  readonly headers: IncomingHttpHeaders | OutgoingHttpHeaders
  /** The body as it came, perhaps compressed. */
  readonly bytes: Buffer
}

/** What a gateway answers whose event loop is late. It has done nothing for the request. */
const SHED = 'The service is overloaded.'

export class ManyProcesses {
  readonly #gateways: readonly string[]
  readonly #agent = new Agent({ keepAlive: true })
  #turn = 0

  constructor(gateways: readonly string[]) {
    this.#gateways = gateways
  }

  /** The address of the gateway whose turn it is. */
  next(): string {
    const address = this.#gateways[this.#turn++ % this.#gateways.length]
    if (address === undefined) throw new Error('there is no gateway')
    return address
  }

  /** Six processes beside other tests are late now and then: what they shed is sent again, as their answer says. */
  send(sent: ServiceRequest): Promise<Answered> {
    return untilServed(async () => {
      const answer = await this.#answer(sent)
      return { status: answer.statusCode ?? 0, headers: answer.headers, bytes: await buffer(answer) }
    }, SHED)
  }

  /** A gateway ends a connection that was idle, perhaps at the moment in which the next request goes out by it. That one is sent again. */
  #answer(sent: ServiceRequest): Promise<IncomingMessage> {
    const { method = 'GET', url, headers = {}, payload } = sent
    const { hostname, port, pathname, search } = new URL(url, this.next())
    const length = payload === undefined ? {} : { 'content-length': String(Buffer.byteLength(payload)) }
    return new Promise<IncomingMessage>((resolve, reject) => {
      const asking = request({
        hostname,
        port,
        method,
        path: pathname + search,
        agent: this.#agent,
        headers: { ...length, ...headers },
      })
        .on('response', resolve)
        .on('error', (error: NodeJS.ErrnoException) => {
          if (asking.reusedSocket && error.code === 'ECONNRESET') resolve(this.#answer(sent))
          else reject(error)
        })
        .end(payload)
    })
  }

  /** Returns the lines of all processes, each in its own order. */
  logLines(): string[] {
    const folder = process.env.TEST_LOGS ?? ''
    return readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
  }

  close(): void {
    this.#agent.destroy()
  }
}
