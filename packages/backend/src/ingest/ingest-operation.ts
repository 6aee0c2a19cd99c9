// The form of an operation of the ingest API: fields of the contract's own form, and the work that it does (docs/decisions/0036).
import type { IncomingMessage } from 'node:http'
import type { IngestPrincipal } from '@clinic-data/administration/credentials/ingest-tokens'
import type { Changed } from '@clinic-data/changes/writing/write-changes'
import type { Clinic, Operation } from '@clinic-data/contract'
import type { Static, TObject, TSchema } from '@clinic-data/contract/schema'
import type { ClinicDatabase, Transaction } from '@clinic-data/database'
import type { ErasedKind } from '@clinic-data/records/storing/erased-records'
import type { RecordKind, ReferencedTable } from '@clinic-data/records/storing/record-kind'
import type { IngestParts } from './ingest-parts.ts'
import type { IngestTag } from './tags.ts'

/** A batch is one transaction: it stores all of its records or none. */
export const MAX_RECORDS = 1_000

/** The result for one record. */
export type RecordOutcome = { id: string; outcome: (typeof outcomes)[number] }

/** Nothing of the record was stored: it is stored already, or was erased with its patient. */
export function isWithoutChange({ outcome }: Pick<RecordOutcome, 'outcome'>): boolean {
  return outcome === 'unchanged' || outcome === 'erased'
}

export const outcomes = ['created', 'updated', 'unchanged', 'removed', 'erased'] as const

/** `appointments.store` is also the operation's name in the audit log and in the document. */
interface Described extends Pick<Operation, 'id' | 'method' | 'summary' | 'description'> {
  /** Below `/ingest/v1`. */
  readonly path: `/${string}`
  readonly tag: IngestTag
}

/** Takes one record, or a batch. */
export interface RecordsOperation<R extends TSchema = TSchema> extends Described {
  /** One record as it is sent. */
  readonly record: R
  /** The fields that together name a record. A batch must not name a record twice, unless this list is empty. */
  readonly key: readonly string[]
  /** Fields that hold ids of the clinic's rows. An unknown id is a fault of the record. */
  readonly references: RecordKind['references']
  /** Fields that name what can be erased with its patient. Nothing of such a record is judged or stored. */
  readonly erasable?: Readonly<Record<string, ErasedKind | 'platform_message_id'>>
  /** The table of the records that are of a patient, and stay without a person. One of an erased patient that changes nothing is `erased`. */
  readonly ofPatients?: 'appointment' | 'treatment' | 'payment'
  /** The table of the records, where one may name another of its batch. */
  readonly table?: ReferencedTable
  /** The table of the records, if it may change without an event: the phones of its rows tell whose data it holds. */
  readonly ofPhones?: 'call' | 'chat_conversation'
  /** A record as one would send it. */
  readonly example: object
  /** The outcome of the example when everything that it names exists. */
  readonly becomes: RecordOutcome['outcome']
  /** Runs in the transaction of the batch, at the time `now`. Returns the outcomes in the order of the records. */
  apply(
    tx: Transaction,
    clinic: Clinic,
    records: readonly Static<R>[],
    now: Date,
  ): Promise<Changed<readonly RecordOutcome[]>>
}

/** Takes no records: a question, a setting, a file. */
export interface PlainOperation extends Described, Pick<Operation, 'params' | 'body' | 'output' | 'example'> {
  /** The media types of the file that is the body, as an OpenAPI document lists them. */
  readonly uploads?: readonly string[]
  run(request: PlainRequest): Promise<Answered>
}

export type IngestOperation = RecordsOperation | PlainOperation

/** One request, after the token and, where JSON is taken, after its schema. */
export interface PlainRequest extends Omit<IngestParts, 'database'> {
  /** Its writes check the token again. */
  readonly database: ClinicDatabase
  /** To remove what a refused request has left. */
  readonly unchecked: ClinicDatabase
  readonly principal: IngestPrincipal
  /** The parameters of the path, decoded. */
  readonly params: Readonly<Record<string, string>>
  readonly body: unknown
  readonly request: IncomingMessage
}

export interface Answered {
  /** Has the form of `data`. */
  readonly data: unknown
  /** The ids for the audit log. */
  readonly ids: readonly string[]
  /** The patients whose data left or changed. */
  readonly patient_ids: readonly string[]
  /** Its audit row is stored already: before the commit of what it changed. */
  readonly isRecorded?: true
}

type Defaulted = 'method' | 'key' | 'references' | 'becomes'

/** Writes an operation with the types of its record kept, and its defaults filled in. */
export function recordsOperation<R extends TObject>(
  written: Omit<RecordsOperation<R>, Defaulted> & Partial<Pick<RecordsOperation<R>, Defaulted>>,
): RecordsOperation {
  return { method: 'POST', key: ['id'], references: {}, becomes: 'created', ...written }
}
