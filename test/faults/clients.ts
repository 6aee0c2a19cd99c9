// Clients that use the public API without a pause and note what they see: writers, a reader of all pages, one who subscribes and
// unsubscribes, and one whose keys are revoked.
import { setTimeout as delay } from 'node:timers/promises'
import { type MintedKey, mintKey, revokeKey } from '@clinic-data/administration/credentials/keys'
import { allScopes } from '@clinic-data/contract'
import type { Database } from '@clinic-data/database'
import { creating } from '@clinic-data/testing/grounds/crash-load'
import type { Entry, WriteKind } from './history.ts'
import type { Receiver } from './receiver.ts'
import { type Ask, reading, resultOf } from './requests.ts'
import type { Seeded } from './seeded.ts'

const WRITERS = 5
const KINDS: readonly WriteKind[] = ['payment', 'payment', 'lead', 'message']
/** Some clients never learn how their request ended. */
const GIVES_UP = 0.1
const REPEATS = 0.1
const READS = 0.3
const PAGE = 40
const ASK_AGAIN_MS = 25
/** So that a pause of the service is no storm of its clients. */
const BETWEEN_MS = 8
/** An address that sends many keys that are not valid has to wait. */
const BETWEEN_KEYS_MS = 3_000

export interface Clinic {
  readonly clinic_id: string
  /** Has every scope and practically no limit. */
  readonly key: string
}

export interface ClientsOptions {
  readonly ask: Ask
  readonly note: (entry: Entry) => void
  readonly clinic: Clinic
  readonly receiver: Receiver
  readonly owner: Database
  readonly random: Seeded
}

interface Acknowledged {
  readonly kind: WriteKind
  readonly name: string
  readonly id: string
}

export class Clients {
  readonly #options: ClientsOptions
  readonly #acknowledged: Acknowledged[] = []
  #working: Promise<unknown> = Promise.resolve()
  readonly #stopped = new AbortController()
  /** Acknowledged writes. */
  answers = 0

  constructor(options: ClientsOptions) {
    this.#options = options
  }

  /** They work from now on until `stop`. */
  start(): void {
    const { random } = this.#options
    const writers = Array.from({ length: WRITERS }, (_, number) => this.#writer(`w${number}`, random.fork()))
    this.#working = Promise.all([...writers, this.#walker(), this.#subscriber(random.fork()), this.#revoker()])
  }

  /** Waits for this many further acknowledged writes. @throws the error of a client that failed, or when there are none for long. */
  async further(answers: number, withinMs: number): Promise<void> {
    const enough = this.answers + answers
    const endsAt = performance.now() + withinMs
    const reached = async () => {
      while (this.answers < enough) {
        if (performance.now() > endsAt) throw new Error(`no ${answers} writes within ${withinMs / 1000} s`)
        await delay(5)
      }
    }
    await Promise.race([reached(), this.#working])
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#working
  }

  /** Ends at once when they are stopped. */
  async #pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#stopped.signal }).catch(() => undefined)
  }

  async #writer(writer: string, random: Seeded): Promise<void> {
    for (let n = 0; !this.#stopped.signal.aborted; n++) {
      const kind = random.pick(KINDS)
      const name = `${kind}-${writer}-${n}`
      const tries = random.happens(GIVES_UP) ? 1 : Number.POSITIVE_INFINITY
      const id = await this.#write(kind, name, tries)
      if (id !== null) this.#acknowledged.push({ kind, name, id })
      if (id !== null && random.happens(REPEATS)) await this.#write(kind, name, 1)
      if (this.#acknowledged.length > 0 && random.happens(READS)) await this.#read(random.pick(this.#acknowledged))
      await this.#pause(BETWEEN_MS)
    }
  }

  /** Repeats the keyed request until it is acknowledged, refused, or given up. @returns the id, if acknowledged. */
  async #write(kind: WriteKind, name: string, tries: number): Promise<string | null> {
    const { ask, note, clinic } = this.#options
    for (let n = 1; n <= tries; n++) {
      const { path, body } = creating[kind](name)
      const answer = await ask({ method: 'POST', path, body, key: clinic.key, idempotencyKey: name })
      const { invokedAt, endedAt, requestId } = answer
      const result = resultOf(answer)
      const id: string | null = result === 'ok' ? JSON.parse(answer.text).data.id : null
      note({ entry: 'write', kind, name, result, invokedAt, endedAt, ...(id !== null && { id, requestId }) })
      if (result === 'fail')
        note({ entry: 'wrong answer', at: endedAt, text: `${path}: ${answer.status} ${answer.text}` })
      if (id !== null) this.answers++
      if (result !== 'unknown') return id
      await delay(ASK_AGAIN_MS)
    }
    return null
  }

  async #read({ kind, id }: Acknowledged): Promise<void> {
    const { ask, note, clinic } = this.#options
    const place = reading[kind]
    if (place === undefined) return
    const { status, invokedAt, endedAt } = await ask({ path: `${place}${id}`, key: clinic.key })
    if (status === 200 || status === 404) note({ entry: 'read', kind, id, isFound: status === 200, invokedAt, endedAt })
  }

  async #walker(): Promise<void> {
    const { ask, note, clinic } = this.#options
    while (!this.#stopped.signal.aborted) {
      const invokedAt = performance.now()
      const ids: string[] = []
      let cursor: string | null = ''
      while (cursor !== null && !this.#stopped.signal.aborted) {
        const path: string = `/v1/payments?limit=${PAGE}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
        const { status, text } = await ask({ path, key: clinic.key })
        await this.#pause(BETWEEN_MS)
        if (status !== 200) continue
        const page = JSON.parse(text)
        ids.push(...page.data.map(({ id }: { id: string }) => id))
        cursor = page.next_cursor
      }
      if (cursor === null) note({ entry: 'walk', ids, invokedAt, endedAt: performance.now() })
    }
  }

  async #subscriber(random: Seeded): Promise<void> {
    for (let n = 0; !this.#stopped.signal.aborted; n++) {
      const name = `passing-${n}`
      const id = await this.subscribe(name, random.pick([[], ['payment.recorded']]))
      await this.#pause(random.between(50, 600))
      if (id !== null) await this.#unsubscribe(name, id)
    }
  }

  /** @returns the service's id, or null when the clients were stopped before there was an answer. */
  async subscribe(subscription: string, types: readonly string[]): Promise<string | null> {
    const { ask, note, clinic, receiver } = this.#options
    do {
      const body = { url: receiver.urlFor(subscription), event_types: types }
      const request = { method: 'POST', path: '/v1/webhooks', key: clinic.key, body, idempotencyKey: subscription }
      const answer = await ask(request)
      const { invokedAt, endedAt } = answer
      const result = resultOf(answer)
      note({ entry: 'subscribe', subscription, types, result, invokedAt, endedAt })
      if (result === 'ok') return JSON.parse(answer.text).data.id
      if (result === 'fail') throw new Error(`a subscription was refused: ${answer.text}`)
      await this.#pause(ASK_AGAIN_MS)
    } while (!this.#stopped.signal.aborted)
    return null
  }

  /** A 404 acknowledges it too: an earlier attempt whose answer was lost has ended it. */
  async #unsubscribe(subscription: string, id: string): Promise<void> {
    const { ask, note, clinic } = this.#options
    do {
      const answer = await ask({ method: 'DELETE', path: `/v1/webhooks/${id}`, key: clinic.key })
      const { invokedAt, endedAt, status } = answer
      const result = status === 404 ? 'ok' : resultOf(answer)
      note({ entry: 'unsubscribe', subscription, result, invokedAt, endedAt })
      if (result === 'ok') return
      await this.#pause(ASK_AGAIN_MS)
    } while (!this.#stopped.signal.aborted)
  }

  /** Mints a key, uses it, revokes it as `clinicd keys revoke` does, and still tries it afterwards. */
  async #revoker(): Promise<void> {
    const { owner, clinic, note } = this.#options
    while (!this.#stopped.signal.aborted) {
      const { clinic_id } = clinic
      const minted = { clinic_id, scopes: allScopes, name: 'passing', expires_at: null, rate_limit: 1_000_000 }
      const made = await mintKey(owner, { ...minted, now: new Date() }).catch(() => null)
      if (made !== null) {
        const using = this.#useWhileAccepted(made)
        await this.#pause(100)
        const invokedAt = performance.now()
        const revoking = revokeKey(owner, { clinic_id, id: made.id, now: new Date() })
        const result = await revoking.then(() => 'ok' as const).catch(() => 'unknown' as const)
        note({ entry: 'revoke', key: made.id, result, invokedAt, endedAt: performance.now() })
        await this.#use(made)
        await this.#use(made)
        if (result === 'ok') await using
      }
      await this.#pause(made === null ? ASK_AGAIN_MS : BETWEEN_KEYS_MS)
    }
  }

  async #useWhileAccepted(made: MintedKey): Promise<void> {
    while ((await this.#use(made)) !== 401 && !this.#stopped.signal.aborted) await this.#pause(BETWEEN_MS)
  }

  async #use({ id, key }: MintedKey): Promise<number | null> {
    const { ask, note } = this.#options
    const { status, invokedAt, endedAt } = await ask({ path: '/v1/me', key })
    if (status === 200 || status === 401)
      note({ entry: 'use', key: id, isAccepted: status === 200, invokedAt, endedAt })
    return status
  }
}
