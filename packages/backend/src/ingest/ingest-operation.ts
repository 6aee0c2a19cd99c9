// The form of a private door: what the clinic's own systems may send, one record or up to 1,000 at a time, and what is done with it.
import type { Clinic } from '@clinic-data/contract'
import type { Static, TObject, TSchema } from '@clinic-data/contract/schema'
import type { Transaction } from '@clinic-data/database'
import type { Changed } from '../changes/write-changes.ts'
import type { IngestTag } from './tags.ts'

/** A batch is one transaction: it stores all of its records or none. */
export const MAX_RECORDS = 1_000

/** What became of a record. */
export type Outcome = { id: string; outcome: (typeof outcomes)[number] }

export const outcomes = ['created', 'updated', 'unchanged', 'removed'] as const

/** A table whose ids the fields of a record name. */
export type ReferencedTable =
  | 'appointment'
  | 'appointment_status'
  | 'appointment_type'
  | 'billing_account'
  | 'branch'
  | 'call'
  | 'catalog_treatment'
  | 'file'
  | 'lead'
  | 'patient'
  | 'patient_status'
  | 'payment'
  | 'provider'
  | 'treatment'
  | 'treatment_category'
  | 'treatment_plan'

export interface IngestOperation<R extends TSchema = TSchema> {
  /** `appointments.store`: the operation of the audit log and of the document. */
  readonly id: string
  /** Below `/ingest/v1`. */
  readonly path: `/${string}`
  readonly tag: IngestTag
  readonly summary: string
  readonly description: string
  /** One record as it is sent. */
  readonly record: R
  /** The fields that together name a record; no two of a batch are alike. None: a batch may name one several times. */
  readonly key: readonly string[]
  /**
   * Fields that name rows of the clinic, by id, or lists of ids; within objects and lists by a path (`windows.branch_id`).
   * One that does not exist is a fault of the record.
   */
  readonly references: Readonly<Record<string, ReferencedTable>>
  /** The table of the records, where one may name another of its batch. */
  readonly table?: ReferencedTable
  /** A record as one would send it. */
  readonly example: object
  /** What becomes of the example where all that it names is there. */
  readonly becomes: Outcome['outcome']
  /** Runs within the transaction of the batch, at the time `now`; the outcomes are in the order of the records. */
  apply(tx: Transaction, clinic: Clinic, records: readonly Static<R>[], now: Date): Promise<Changed<readonly Outcome[]>>
}

type Defaulted = 'key' | 'references' | 'becomes'

/** Writes an operation with the types of its record kept, and its defaults filled in. */
export function ingestOperation<R extends TObject>(
  written: Omit<IngestOperation<R>, Defaulted> & Partial<Pick<IngestOperation<R>, Defaulted>>,
): IngestOperation {
  return { key: ['id'], references: {}, becomes: 'created', ...written } as unknown as IngestOperation
}
