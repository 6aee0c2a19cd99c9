// A kind of record as one value: its form, its table, its rules, and how it is stored. The ingest API and the import of files are
// projections of it.
import type { Clinic } from '@clinic-data/contract'
import type { TObject } from '@clinic-data/contract/schema'
import type { Finding } from '@clinic-data/contract/validator'
import type { Transaction } from '@clinic-data/database'
import type { Stored } from './record-table.ts'

/** A table whose ids the fields of a record name. */
export type ReferencedTable =
  | 'appointment'
  | 'appointment_status'
  | 'appointment_type'
  | 'billing_account'
  | 'branch'
  | 'call'
  | 'catalog_treatment'
  | 'chat_conversation'
  | 'file'
  | 'lead'
  | 'patient'
  | 'patient_status'
  | 'payment'
  | 'provider'
  | 'treatment'
  | 'treatment_category'
  | 'treatment_plan'

/** The items of a list within a record, which are rows of a table of their own. */
export interface ListRules {
  /** Default: the record's table and the field: `patient_contact`. */
  readonly table?: string
  /** The column that names the record. Default: `patient_id`. */
  readonly parent?: string
  /** The fields that together identify an item. Default: none do. */
  readonly key?: readonly string[]
  readonly unique?: RecordKind['unique']
}

export interface RecordKind<R extends object = object> {
  readonly record: TObject
  readonly table: string
  /** The fields that together identify a record. */
  readonly key: readonly string[]
  /**
   * Fields that hold the id of a row of the clinic, or a list of ids. A field inside objects and lists has a path
   * (`windows.branch_id`).
   */
  readonly references: Readonly<Record<string, ReferencedTable>>
  /** Fields whose values together are unique in the clinic, unless one is null. */
  readonly unique: readonly (readonly string[])[]
  /** The rules of lists, by their fields. */
  readonly lists: Readonly<Record<string, ListRules>>
  /** The faults of a record: of its form first, then against the rules of the kind and of the clinic. Takes records of this kind alone. */
  check(record: R, clinic: Clinic): Finding[]
  store(tx: Transaction, clinic: Clinic, records: readonly R[]): Promise<Stored>
}

type Defaulted = 'key' | 'references' | 'unique' | 'lists'

/** Writes a kind with its defaults filled in. */
export function recordKind<R extends object>(
  written: Omit<RecordKind<R>, Defaulted> & Partial<Pick<RecordKind<R>, Defaulted>>,
): RecordKind<R> {
  return { key: ['id'], references: {}, unique: [], lists: {}, ...written }
}

/** A record's own faults, and those for this clinic of a record that has none. */
export function sound<R>(check: (record: R) => Finding[], forClinic: (record: R, clinic: Clinic) => Finding[]) {
  return (record: R, clinic: Clinic): Finding[] => {
    const findings = check(record)
    return findings.length > 0 ? findings : forClinic(record, clinic)
  }
}
