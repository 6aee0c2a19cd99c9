// Clients of two machines behind a proxy: writers who repeat old requests with their keys, readers of records, of lists and of the event
// feed, one who changes a subscription, and a browser that loads the console. They never stop, and every answer that is not 2xx is noted.
import { setTimeout as delay } from 'node:timers/promises'
import { creating } from '@clinic-data/testing/grounds/crash-load'
import { CONSOLE, type FrontProxy } from '../deploy/front-proxy.ts'
import type { Entry } from '../faults/history.ts'
import type { Seeded } from '../faults/seeded.ts'

const WRITERS = 4
const KINDS = ['payment', 'lead'] as const
const REPEATS = 0.25
/** Between two requests of a client: a process that starts needs a processor too. */
const BETWEEN_MS = 15
const ASK_AGAIN_MS = 50
/** One of the machines always serves. */
const MOST_TRIES = 100
const PAGE = 50
const LISTS = ['/v1/me', '/v1/patients', '/v1/webhooks', '/v1/patients/p']

type Kind = (typeof KINDS)[number]

interface Acknowledged {
  readonly kind: Kind
  readonly name: string
}

interface ClientRequest {
  readonly method?: 'POST' | 'PATCH'
  readonly path: string
  readonly body?: object
  readonly idempotencyKey?: string
}

interface Answered<Data> {
  readonly invokedAt: number
  readonly endedAt: number
  readonly requestId: string
  readonly data: Data
  /** Only a page has one. */
  readonly next_cursor: string | null
  /** Only a page of the event feed has one. */
  readonly resume_cursor: string
}

interface Named {
  readonly id: string
}

/** A request that got no answer of 2xx, and was sent again. */
interface Refusal {
  /** When it was first sent. */
  readonly from: number
  readonly to: number
  /** Null: the connection broke. */
  readonly status: number | null
  readonly line: string
}

export interface ClientsOptions {
  readonly front: FrontProxy
  readonly key: string
  readonly random: Seeded
  readonly note: (entry: Entry) => void
}

export class RollingClients {
  readonly #options: ClientsOptions
  /** The ids of those that are acknowledged. */
  readonly #payments: string[] = []
  readonly #stopped = new AbortController()
  #hasEnded = false
  #working: Promise<unknown> = Promise.resolve()
  readonly refusals: Refusal[] = []
  /** Ids of events, as one chain of cursors showed them. */
  readonly fed: string[] = []
  /** The requests that showed them. */
  readonly feedPages: string[] = []
  /** How often the console was loaded whole. */
  consoleLoads = 0
  /** The console's page lacked these in two loads, one just after the other. */
  readonly missingFiles: string[] = []

  constructor(options: ClientsOptions) {
    this.#options = options
  }

  /** They work from now on until `stop`. */
  start(): void {
    const { random } = this.#options
    const writers = Array.from({ length: WRITERS }, (_, number) => this.#writer(`w${number}`, random.fork()))
    const others = Promise.all([...writers, this.#pages(), this.#reader(random.fork()), this.#browser()])
    const ended = others.finally(() => {
      this.#stopped.abort()
      this.#hasEnded = true
    })
    this.#working = Promise.all([ended, this.#feed()])
  }

  /** Resolves when the feed has been read to its end, after the last write. @throws the error of a client that failed. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#working
  }

  /** Waits for a step of the test. @throws the error of a client that fails meanwhile. */
  async during<T>(step: Promise<T>): Promise<T> {
    const failed = this.#working.then(() => step)
    return Promise.race([step, failed])
  }

  /** Sends a request until its answer is 2xx. @throws when none is. */
  async ask<Data>({ method, path, body, idempotencyKey }: ClientRequest): Promise<Answered<Data>> {
    const { front, key } = this.#options
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    }
    const init = { headers, ...(method && { method }), ...(body && { body: JSON.stringify(body) }) }
    const invokedAt = performance.now()
    for (let tries = 1; ; tries++) {
      const answer = await front.ask(path, init).catch((error: Error) => error)
      const endedAt = performance.now()
      if (!(answer instanceof Error) && answer.status < 300)
        return { invokedAt, endedAt, requestId: String(answer.headers['x-request-id']), ...JSON.parse(answer.text) }
      const [status, text] = answer instanceof Error ? [null, answer.message] : [answer.status, answer.text]
      const line = `${method ?? 'GET'} ${path}: ${status} ${text}`
      this.refusals.push({ from: invokedAt, to: endedAt, status, line })
      if (tries === MOST_TRIES) throw new Error(`refused ${tries} times: ${line}`)
      await delay(ASK_AGAIN_MS)
    }
  }

  /** It repeats what is its own: two who repeat the same at once are told so (409). */
  async #writer(writer: string, random: Seeded): Promise<void> {
    const own: Acknowledged[] = []
    for (let n = 0; !this.#stopped.signal.aborted; n++) {
      const kind = random.pick(KINDS)
      const name = `${kind}-${writer}-${n}`
      const id = await this.#write(kind, name)
      own.push({ kind, name })
      if (kind === 'payment') this.#payments.push(id)
      if (random.happens(REPEATS)) {
        const { kind, name } = random.pick(own)
        await this.#write(kind, name)
      }
      await this.#pause()
    }
  }

  async #write(kind: Kind, name: string): Promise<string> {
    const sent = { method: 'POST', ...creating[kind](name), idempotencyKey: name } as const
    const { data, invokedAt, endedAt, requestId } = await this.ask<Named>(sent)
    this.#options.note({ entry: 'write', kind, name, result: 'ok', id: data.id, requestId, invokedAt, endedAt })
    return data.id
  }

  async #feed(): Promise<void> {
    let place = 'since=2020-01-01T00:00:00Z'
    for (;;) {
      const isLast = this.#hasEnded
      const path = `/v1/events?limit=${PAGE}&wait=${isLast ? 0 : 1}&${place}`
      const { data, next_cursor, resume_cursor, requestId } = await this.ask<Named[]>({ path })
      this.fed.push(...data.map(({ id }) => id))
      this.feedPages.push(requestId)
      place = `cursor=${encodeURIComponent(next_cursor ?? resume_cursor)}`
      if (isLast && next_cursor === null) return
      await this.#pause()
    }
  }

  async #pages(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      const invokedAt = performance.now()
      const ids: string[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const path: string = `/v1/payments?limit=${PAGE}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
        const page: Answered<Named[]> = await this.ask({ path })
        ids.push(...page.data.map(({ id }) => id))
        cursor = page.next_cursor
        await this.#pause()
      }
      this.#options.note({ entry: 'walk', ids, invokedAt, endedAt: performance.now() })
    }
  }

  async #reader(random: Seeded): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      await this.ask({ path: random.pick(LISTS) })
      // One that is not found is no answer of 2xx.
      if (this.#payments.length > 0) await this.ask({ path: `/v1/payments/${random.pick(this.#payments)}` })
      await this.#pause()
    }
  }

  /** The moment at which one machine takes over from another may fall into one load, but not into the next one too. */
  async #browser(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      const missing = (await this.#loadConsole()).length === 0 ? [] : await this.#loadConsole()
      this.missingFiles.push(...missing)
      this.consoleLoads++
      await this.#pause()
    }
  }

  /** Loads the page, and the files that it names. @returns those that are not there. */
  async #loadConsole(): Promise<string[]> {
    const { front } = this.#options
    const host = CONSOLE
    const page = await front.ask('/console/', { host })
    const files = [...page.text.matchAll(/"(\/console\/assets\/[^"]+)"/g)].map(([, file = '']) => file)
    if (page.status !== 200 || files.length === 0) return [`the page: ${page.status}`]
    const missing: string[] = []
    for (const file of files) {
      const { status } = await front.ask(file, { host })
      if (status !== 200) missing.push(`${file}: ${status}`)
    }
    return missing
  }

  /** Ends at once when they are stopped. */
  async #pause(): Promise<void> {
    await delay(BETWEEN_MS, undefined, { signal: this.#stopped.signal }).catch(() => undefined)
  }
}
