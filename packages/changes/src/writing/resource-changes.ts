// The skeleton of a change: lock what is stored, store the records, read back what has changed, serialize it as events.
import type { Clinic, EventType } from '@clinic-data/contract'
import { type Statement, sql, type Transaction } from '@clinic-data/database'
import type { Stored } from '@clinic-data/records/storing/record-table'
import type { Change } from '@clinic-data/webhooks'
import { type Changed, Overtaken } from './write-changes.ts'

type Identified = { readonly id: string }

/** How one kind of resource is locked, read and written. */
interface Kind<Row> {
  readonly table: string
  /** The columns beside the id that decide which event a change is. Null: only whether a record is new decides. */
  readonly decisive: Statement | null
  /** The resources that `GET` answers, in the order of their ids. */
  readonly read: (tx: Transaction, clinic: Clinic, ids: readonly string[]) => Promise<Row[]>
  /** A resource byte for byte. */
  readonly serialize: (row: Row) => string
}

/** The parts that each change fills in. */
interface Step<R, Before, Row> {
  readonly store: (before: ReadonlyMap<string, Before>) => Promise<Stored>
  /** The event of a record that is new, or differs from the stored one. Null: no event. */
  readonly type: (record: R, isNew: boolean, before: Before | undefined) => EventType | null
  /** Whether an integration sees the difference. Default: it does. */
  readonly isShown?: (row: Row, before: Before | undefined) => boolean
}

/** `Before` is what is locked: the id and the decisive columns. */
export class ResourceChanges<Before extends Identified, Row extends Identified> {
  readonly #kind: Kind<Row>

  constructor(kind: Kind<Row>) {
    this.#kind = kind
  }

  /** Stores records; those that are new or differ become events, in the order of their ids. */
  async change<R extends Identified>(
    tx: Transaction,
    clinic: Clinic,
    records: readonly R[],
    { store, type, isShown = () => true }: Step<R, Before, Row>,
  ): Promise<Changed<Stored>> {
    const before = await this.locked(tx, clinic, records)
    const stored = await store(before)
    this.requireLocked(stored, before)
    const changed = records.filter(({ id }) => stored.inserted.has(id) || stored.updated.has(id))
    const types = new Map<string, EventType>()
    for (const record of changed) {
      const eventType = type(record, stored.inserted.has(record.id), before.get(record.id))
      if (eventType !== null) types.set(record.id, eventType)
    }
    const changes = await this.changesOf(tx, clinic, [...types.keys()], (row) =>
      isShown(row, before.get(row.id)) ? (types.get(row.id) ?? null) : null,
    )
    return { answer: stored, changes }
  }

  /** Locks the stored rows and returns them by id, so that what was read stays true. */
  async locked(tx: Transaction, clinic: Clinic, records: readonly Identified[]): Promise<Map<string, Before>> {
    const { table, decisive } = this.#kind
    return decisive === null ? new Map() : lockedRows<Before>(tx, clinic, records, { table, columns: decisive })
  }

  /** @throws Overtaken when a record that was not there when it was locked was found stored. */
  requireLocked({ updated }: Stored, before: ReadonlyMap<string, Before>): void {
    if (this.#kind.decisive === null || [...updated].every((id) => before.has(id))) return
    throw new Overtaken(`a row of ${this.#kind.table} was stored meanwhile`)
  }

  /** As everybody reads them at the commit, in the order of their ids. */
  async whole(tx: Transaction, clinic: Clinic, ids: Iterable<string>): Promise<Row[]> {
    const distinct = [...new Set(ids)]
    return distinct.length === 0 ? [] : this.#kind.read(tx, clinic, distinct)
  }

  /** Records that are stored, as events. */
  async changesOf(
    tx: Transaction,
    clinic: Clinic,
    ids: Iterable<string>,
    eventType: (row: Row) => EventType | null,
  ): Promise<Change[]> {
    return (await this.whole(tx, clinic, ids)).flatMap((row) => {
      const type = eventType(row)
      return type === null ? [] : [this.event(type, row)]
    })
  }

  event(type: EventType, row: Row): Change {
    return { type, data: this.#kind.serialize(row) }
  }
}

/** Rows by their ids, locked in one order: writers that meet never wait for each other in a circle. */
export async function lockedRows<Row extends Identified>(
  tx: Transaction,
  { clinic_id }: Clinic,
  records: readonly Identified[],
  { table, columns }: { readonly table: string; readonly columns: Statement },
): Promise<Map<string, Row>> {
  const ids = records.map(({ id }) => id)
  const { rows } = await tx.query<Row>(sql`select id, ${columns} from ${sql.identifier(table)}
    where clinic_id = ${clinic_id} and id = any(${ids}::text[]) order by id for update`)
  return new Map(rows.map((row) => [row.id, row]))
}
