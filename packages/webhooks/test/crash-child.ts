// A process that is killed in the middle of its work: a dispatcher, or a writer of changes. It reports when it reaches the point
// where it is to be killed, and stops there.
import type { Clinic } from '@clinic-data/contract'
import { parseSecretKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import { Database, sql, type Transaction } from '@clinic-data/database'
import { LOOPBACK } from '@clinic-data/testing/receivers/target-receiver'
import { asApplication } from '@clinic-data/testing/run/application'
import { emit } from '../src/events/emit.ts'
import { TargetClient } from '../src/receiver/target-client.ts'
import { WebhookEngine } from '../src/webhook-engine.ts'

/** The stopping points: after a claim's commit, while storing outcomes, before a change's commit. */
export type Point = 'claimed' | 'storing' | 'emitting'

export interface Order {
  readonly url: string
  readonly secretKeys: string
  /** Null: it runs on. */
  readonly point: Point | null
  /** How often the child passes the point before it stops there. */
  readonly after: number
  /** It makes changes of these clinics and sends nothing. */
  readonly changesOf: readonly Clinic[]
}

export type Word = { word: 'ready' | 'point' } | { word: 'committed'; change: string }

/** Events per change. */
export const EVENTS_A_CHANGE = 5

const never = new Promise<never>(() => undefined)
const say = (word: Word) => process.send?.(word)

/** The real PostgreSQL, with a stop at one point of its use. */
class StoppingDatabase extends Database {
  readonly #order: Order
  #count = 0

  constructor(order: Order) {
    super(asApplication(order.url))
    this.#order = order
  }

  override async write<T>(...[clinic, work, options]: Parameters<typeof Database.prototype.write<T>>): Promise<T> {
    const done = await super.write(clinic, (tx) => work(this.#watched(tx)), options)
    const isClaim = typeof done === 'object' && done !== null && 'claimed' in done
    if (isClaim && (done.claimed as unknown[]).length > 0) await this.reach('claimed')
    return done
  }

  /** Stops for good when the point is reached often enough. */
  async reach(point: Point): Promise<void> {
    if (point !== this.#order.point) return
    this.#count += 1
    if (this.#count < this.#order.after) return
    if (this.#count === this.#order.after) say({ word: 'point' })
    await never
  }

  #watched(tx: Transaction): Transaction {
    if (this.#order.point !== 'storing') return tx
    const query: Transaction['query'] = async (statement) => {
      const result = await tx.query(statement)
      if (statement.render().text.includes('update delivery d set status')) await this.reach('storing')
      return result as never
    }
    const script: Transaction['script'] = (text) => tx.script(text)
    const send: Transaction['send'] = (statement) => tx.send(statement)
    return Object.assign(Object.create(tx), { query, send, script })
  }
}

function dispatch(order: Order, database: Database): void {
  const log = { warn: () => undefined, error: () => undefined }
  const engine = new WebhookEngine({
    database,
    keys: signingKeys(parseSecretKeys(order.secretKeys), 'webhook-secret'),
    client: new TargetClient({ allowCidrs: LOOPBACK }),
    record: async () => undefined,
    log,
  })
  engine.start()
}

/** Makes changes in all clinics at once, one after the other in each, until it is killed. */
async function change({ changesOf }: Order, database: StoppingDatabase): Promise<void> {
  const writer = async (clinic: Clinic) => {
    for (let n = 0; ; n++) {
      const change = `${clinic.clinic_id}-${n}`
      const changes = Array.from({ length: EVENTS_A_CHANGE }, () => ({
        type: 'appointment.created' as const,
        data: `{"id":"${change}"}`,
      }))
      await database.write(clinic, async (tx) => {
        await emit(tx, clinic, changes, new Date())
        // The events are stored, and only the commit is to come.
        await tx.query(sql`select`)
        await database.reach('emitting')
      })
      say({ word: 'committed', change })
    }
  }
  await Promise.all(changesOf.map(writer))
}

process.once('message', async (order: Order) => {
  const database = await new StoppingDatabase(order).open()
  await (order.changesOf.length > 0 ? change(order, database) : dispatch(order, database))
})
say({ word: 'ready' })
