// A process that packs days of the audit log, round after round, until it is killed. It prints a line for each thing that it has done.
//
// node pack-child.ts <database url> <its clock> <point> <count>
// It halts for good when it is at the point so many times. `never`: it runs on.
import { Database, type Transaction } from '@clinic-data/database'
import { packDays } from '../src/segments/pack-days.ts'

/**
 * Inside the transaction that adds a segment, behind its commit, inside the transaction in which a day gives way when all of it is done
 * but the commit, behind that commit, and at the end of a round.
 */
export type Point = 'storing' | 'stored' | 'giving-way' | 'given-way' | 'round'

const forever = new Promise<never>(() => undefined)

/** The real PostgreSQL, with a line at each point. */
class ReportingDatabase extends Database {
  readonly #halt: { point: string; count: number }
  readonly #reached = new Map<Point, number>()

  constructor(url: string, halt: { point: string; count: number }) {
    super({ url, statementTimeoutMs: 0 })
    this.#halt = halt
  }

  /** Whoever packs writes segments alone in this way. */
  override async write<T>(...[clinic, work, options]: Parameters<typeof Database.prototype.write<T>>): Promise<T> {
    const store = async (tx: Transaction) => {
      const done = await work(tx)
      await this.reach('storing')
      return done
    }
    const done = await super.write(clinic, store, options)
    await this.reach('stored')
    return done
  }

  /** Whoever packs counts rows in this way, or lets a day give way: then it is true. */
  override async maintainAsDispatcher<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const done = await super.maintainAsDispatcher(async (tx) => {
      const done = await work(tx)
      if (done === true) await this.reach('giving-way')
      return done
    })
    if (done === true) await this.reach('given-way')
    return done
  }

  async reach(point: Point): Promise<void> {
    const count = (this.#reached.get(point) ?? 0) + 1
    this.#reached.set(point, count)
    process.stdout.write(`${point}\n`)
    if (point === this.#halt.point && count === this.#halt.count) await forever
  }
}

const [url = '', clock = '', point = 'never', count = '1'] = process.argv.slice(2)
const owner = await new ReportingDatabase(url, { point, count: Number(count) }).open()
const now = new Date(clock)
for (;;) {
  const { failures } = await packDays(owner, now)
  for (const { message } of failures) process.stdout.write(`failure ${message}\n`)
  await owner.reach('round')
}
