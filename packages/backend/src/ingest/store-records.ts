// Takes in whole records: completes them, checks the rules that a schema cannot express, stores them, and reports the outcomes
// (docs/decisions/0011).

import { type RefusedRow, RefusedRows } from '@clinic-data/changes/writing/refused-rows'
import type { Changed } from '@clinic-data/changes/writing/write-changes'
import type { Clinic } from '@clinic-data/contract'
import { jsonSchemaOf } from '@clinic-data/contract/json-schema'
import type { TObject } from '@clinic-data/contract/schema'
import type { Finding } from '@clinic-data/contract/validator'
import type { Transaction } from '@clinic-data/database'
import type { RecordKind } from '@clinic-data/records/storing/record-kind'
import type { Stored } from '@clinic-data/records/storing/record-table'
import type { RecordOutcome, RecordsOperation } from './ingest-operation.ts'
import { sentForm } from './sent-form.ts'

interface Storing<R> {
  /** The faults of a record beyond its schema. */
  check?: (record: R, clinic: Clinic) => readonly Finding[]
  /** Whether records have `created_at` and `updated_at`. Default: true. Those without the fields ignore them. */
  dated?: boolean
  change: (tx: Transaction, clinic: Clinic, records: readonly R[], now: Date) => Promise<Changed<Stored>>
}

/** The `apply` of an operation that upserts whole records with an `id`. */
export function storeRecords<R extends { id: string }>({
  check,
  change,
  dated = true,
}: Storing<R>): RecordsOperation['apply'] {
  return async (tx, clinic, sent, now) => {
    const at = now.toISOString()
    const complete: readonly unknown[] = dated
      ? sent.map((record) => ({ created_at: at, ...(record as object), updated_at: at }))
      : sent
    // The operation's schema has checked them.
    const records = complete as readonly R[]
    refuseFaulty(clinic, records, check)
    const { answer, ...rest } = await change(tx, clinic, records, now)
    return { ...rest, answer: records.map(({ id }) => ({ id, outcome: outcomeOf(id, answer) })) }
  }
}

/**
 * The part of an operation that its kind of record decides: what is sent, which ids it names, and how it is stored.
 *
 * @param defaults of fields that may be left out beyond those of every kind.
 */
export function ofKind<R extends { id: string }>(
  kind: RecordKind<R>,
  { defaults, ...rules }: Partial<Storing<R>> & { defaults?: Readonly<Record<string, unknown>> } = {},
): Pick<RecordsOperation, 'key' | 'references' | 'apply'> & { readonly record: TObject } {
  const { record, key, references, check, store } = kind
  const dated = 'created_at' in (jsonSchemaOf(record).properties ?? {})
  return {
    record: sentForm(record, defaults),
    key,
    references,
    apply: storeRecords<R>({ check, dated, change: withoutEvents(store), ...rules }),
  }
}

/** The `apply` of an operation that removes the named records. A change is then a removal. */
export function removeRecords<R extends { id: string }>(remove: Storing<R>['change']): RecordsOperation['apply'] {
  return async (tx, clinic, sent, now) => {
    const removals = sent as readonly R[]
    const { answer, ...rest } = await remove(tx, clinic, removals, now)
    return {
      ...rest,
      answer: removals.map(({ id }) => ({ id, outcome: answer.updated.has(id) ? 'removed' : 'unchanged' })),
    }
  }
}

/** For tables without events. */
export function withoutEvents<R>(
  store: (tx: Transaction, clinic: Clinic, records: readonly R[]) => Promise<Stored>,
): Storing<R & { id: string }>['change'] {
  return async (tx, clinic, records) => ({ answer: await store(tx, clinic, records), changes: [] })
}

export function outcomeOf(id: string, { inserted, updated, erased }: Stored): RecordOutcome['outcome'] {
  if (erased?.has(id)) return 'erased'
  if (inserted.has(id)) return 'created'
  return updated.has(id) ? 'updated' : 'unchanged'
}

/** @throws RefusedRows naming the faults of all records. */
export function refuseFaulty<R>(clinic: Clinic, records: readonly R[], check: Storing<R>['check']): void {
  if (check === undefined) return
  const rows = records.flatMap((record, index) =>
    check(record, clinic).map((finding): RefusedRow => ({ index, ...finding })),
  )
  if (rows.length > 0) throw new RefusedRows(rows)
}
