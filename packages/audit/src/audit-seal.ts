// Seals the settled part of the clinics' audit rows, and adds them to the sums by hour.
//
// Rows do not become visible in the order of their numbers, and the wall clock may jump, so it cannot show which rows are still to come.
// A number is settled when it was seen a while ago, by the monotonic clock. Every row with a smaller number belongs to a statement
// that had begun by then. That statement is a transaction of its own, which the server cancels after 7 s, or it leaves in one packet with
// the commit of its change.
//
// A seal never holds rows of two days. The retention drops whole days, so it drops all of a seal's rows or none (docs/decisions/0003).
import type { SigningKeys } from '@clinic-data/contract/secret-keys'
import { type Database, type Statement, sql, type Transaction, utcSession } from '@clinic-data/database'
import {
  BEGINNING,
  type End,
  faultOfHead,
  type Head,
  headOf,
  newHead,
  rowsBehind,
  rowsHash,
  type Seal,
  type SealedRow,
  sealHash,
} from './audit-chain.ts'
import { addToHours } from './audit-hours.ts'

/** Six times the longest statement, and less than the minute between two rounds. */
const SETTLED_MS = 45_000

/** Limits the memory for sealing, and the time for counting what waits. */
const MOST_ROWS = 10_000

interface SealerParts {
  keys: SigningKeys
  now: () => Date
  /** Milliseconds of a clock that never jumps. */
  monotonic?: () => number
}

interface Seen {
  id: number
  atMs: number
  isSealed: boolean
  unsealed: Unsealed
}

/** The rows that no seal covers yet, and when the first of them was stored (epoch milliseconds). */
export interface UnsealedRows {
  rows: number
  oldestAt: number | null
}

interface Unsealed {
  rows: number
  oldest_at: string | null
}

const NONE: Unsealed = { rows: 0, oldest_at: null }

/** The newest row of a clinic, and the end of its chain. */
interface Look {
  newest_id: number | null
  seal: Pick<Seal, 'number' | 'last_id' | 'hash'> | null
  head: Head | null
  unsealed: Unsealed
}

/**
 * Once a minute, call `unsealed` for all clinics and `seal` for each that it returns: a round seals the rows that an earlier round
 * has seen.
 */
export class AuditSealer {
  readonly #parts: Required<SealerParts>
  /** The newest row of each clinic at the last look. */
  readonly #seen = new Map<string, Seen>()
  /** The latest row that was sealed when this sealer first looked. */
  #firstSealed = 0
  /** The newest row that the round before the last one saw. The last round found what it had missed up to here. */
  #settled: number | null = null
  #roundAtMs = Number.NEGATIVE_INFINITY

  constructor(parts: SealerParts) {
    this.#parts = { monotonic: () => performance.now(), ...parts }
  }

  /** As the last looks found them: for a measurement. Of a clinic at most 10,000 rows are counted. */
  get waiting(): UnsealedRows {
    let rows = 0
    let oldestAt = Number.POSITIVE_INFINITY
    for (const { unsealed } of this.#seen.values()) {
      rows += unsealed.rows
      if (unsealed.oldest_at !== null) oldestAt = Math.min(oldestAt, Date.parse(unsealed.oldest_at))
    }
    return { rows, oldestAt: Number.isFinite(oldestAt) ? oldestAt : null }
  }

  /**
   * The clinics that a round must look at. Most have no new row: one statement finds that for all of them.
   *
   * @param owner a database opened as the owner of the tables.
   */
  async unsealed<T extends { clinic_id: string }>(owner: Database, clinics: readonly T[]): Promise<T[]> {
    const { monotonic } = this.#parts
    if (monotonic() - this.#roundAtMs < SETTLED_MS) return []
    this.#roundAtMs = monotonic()
    const sealed = clinics.map(({ clinic_id }) => clinic_id).filter((id) => this.#seen.get(id)?.isSealed)
    const ids = [...this.#seen.values()].map(({ id }) => id)
    for (const clinic_id of await this.#withNewRows(owner, sealed)) this.#seen.delete(clinic_id)
    this.#settled = ids.length === 0 ? null : ids.reduce((newest, id) => Math.max(newest, id))
    // A clinic with new rows is forgotten until it is looked at: a round that fails to do so leaves it to the next.
    return clinics.filter(({ clinic_id }) => !this.#seen.get(clinic_id)?.isSealed)
  }

  async #withNewRows(owner: Database, sealed: readonly string[]): Promise<string[]> {
    if (sealed.length === 0) return []
    const rows = await owner.readAsDispatcher<{ clinic_id: string }>(sql`
      select clinic_id from audit where clinic_id = any(${sealed}::text[]) and id > ${this.#settled ?? this.#firstSealed}
      group by clinic_id`)
    return rows.map(({ clinic_id }) => clinic_id)
  }

  /**
   * @param owner a database opened as the owner of the tables: nobody else adds to the chain.
   * @returns the number of sealed rows.
   * @throws Error when the chain does not end at its head: sealing more would hide that.
   */
  async seal(owner: Database, clinic_id: string): Promise<number> {
    const { monotonic, keys } = this.#parts
    const seen = this.#seen.get(clinic_id)
    if (seen !== undefined && monotonic() - seen.atMs < SETTLED_MS) return 0
    const sealed = seen === undefined || seen.isSealed ? 0 : await this.#sealUpTo(owner, clinic_id, seen.id)
    const atMs = monotonic()
    const [look] = await owner.read<Look>(utcSession(clinic_id), lookAt(clinic_id))
    const [id, end, head] = [look?.newest_id ?? 0, look?.seal ?? BEGINNING, look?.head ?? undefined]
    // A chain with a fault is not sealed, and so the next round says it.
    const isSound =
      faultOfHead(keys, clinic_id, head, end) === null && (head?.key_id ?? keys.current.id) === keys.current.id
    const unsealed = look?.unsealed ?? NONE
    this.#seen.set(clinic_id, { id, atMs, isSealed: id <= end.last_id && isSound, unsealed })
    if (this.#settled === null) this.#firstSealed = Math.max(this.#firstSealed, end.last_id)
    return sealed
  }

  async #sealUpTo(owner: Database, clinic_id: string, id: number): Promise<number> {
    let sealed = 0
    for (let isFirst = true; ; isFirst = false) {
      const rows = await owner.write(utcSession(clinic_id), (tx) => this.#sealNext(tx, clinic_id, id, isFirst))
      if (rows === null) return sealed
      sealed += rows
    }
  }

  /** Null when nothing is left to seal. */
  async #sealNext(tx: Transaction, clinic_id: string, upTo: number, isFirst: boolean): Promise<number | null> {
    const { keys, now } = this.#parts
    const { rows: heads } = await tx.query<Head>(sql`${headOf(clinic_id)} for update`)
    const { rows: seals } = await tx.query<Seal>(sql`select number, last_id, hash from audit_seal
      where clinic_id = ${clinic_id} order by number desc limit 1`)
    const before = seals[0] ?? BEGINNING
    // Another sealer made the first seal since the head was read. Now there is a row to lock.
    if (isFirst && heads[0] === undefined && before.number > 0) return 0
    const fault = faultOfHead(keys, clinic_id, heads[0], before)
    if (fault !== null) throw new Error(`the audit chain of the clinic ${clinic_id} is broken: ${fault}`)
    const { rows: settled } = await tx.query<SealedRow>(rowsBehind(clinic_id, before.last_id, upTo, MOST_ROWS))
    const [first] = settled
    if (first === undefined) {
      if (heads[0] !== undefined && heads[0].key_id !== keys.current.id) await this.#storeHead(tx, clinic_id, before)
      return null
    }
    const next = settled.findIndex(({ day }) => day !== first.day)
    const rows = next === -1 ? settled : settled.slice(0, next)
    const content = {
      number: before.number + 1,
      last_id: rows.at(-1)?.id ?? first.id,
      day: first.day,
      row_count: rows.length,
      rows_hash: rowsHash(rows),
    }
    const hash = sealHash(clinic_id, before.hash, content)
    // If two sealers make the first seal at once, the second one finds the number in use and starts again.
    const { rowCount } = await tx.query(sql`insert into audit_seal
      (clinic_id, number, last_id, day, row_count, rows_hash, hash, sealed_at)
      values (${clinic_id}, ${content.number}, ${content.last_id}, ${content.day}, ${content.row_count},
        ${content.rows_hash}, ${hash}, ${now()})
      on conflict (clinic_id, number) do nothing`)
    if (rowCount === 0) return 0
    await addToHours(tx, clinic_id, { after: before.last_id, upTo: content.last_id })
    await this.#storeHead(tx, clinic_id, { number: content.number, hash })
    return rows.length
  }

  async #storeHead(tx: Transaction, clinic_id: string, end: End): Promise<void> {
    const { number, key_id, mac } = newHead(this.#parts.keys, clinic_id, end)
    await tx.query(sql`insert into audit_head (clinic_id, number, key_id, mac)
      values (${clinic_id}, ${number}, ${key_id}, ${mac})
      on conflict (clinic_id) do update set number = excluded.number, key_id = excluded.key_id, mac = excluded.mac`)
  }
}

function lookAt(clinic_id: string): Statement {
  return sql`select (select id from audit where clinic_id = ${clinic_id} order by id desc limit 1) as newest_id,
    (select json_build_object('number', number, 'last_id', last_id, 'hash', hash) from audit_seal
      where clinic_id = ${clinic_id} order by number desc limit 1) as seal,
    (select json_build_object('number', number, 'key_id', key_id, 'mac', mac) from audit_head
      where clinic_id = ${clinic_id}) as head,
    (select json_build_object('rows', count(*), 'oldest_at', min(stored_at)) from (
      select stored_at from audit where clinic_id = ${clinic_id} and id > coalesce((select last_id from audit_seal
        where clinic_id = ${clinic_id} order by number desc limit 1), 0) order by id limit ${MOST_ROWS}) behind) as unsealed`
}
