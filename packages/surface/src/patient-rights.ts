// The owners of a clinic ask for everything that is held of one patient, as an archive, and for the erasure. The service that has the console
// carries both out as the owner of the tables (docs/decisions/0124).
import type { Clinic } from '@clinic-data/contract'
import type { Transaction } from '@clinic-data/database'

type Counts = Readonly<Partial<Record<string, number>>>

/** Counts by kind: an erasure that is looked at, or was done. */
export interface ErasureCounts {
  readonly removed: Counts
  readonly made_anonymous: Counts
  /** May be another person's, and stays. */
  readonly doubtful: Counts
  readonly waiting_messages: number
  /** When the patient was erased last. Null: never. Then the counts are of what has come back. */
  readonly erased_before: string | null
}

export interface AboutPatient {
  readonly patient_id: string
  /** Also what may be another person's, because somebody has looked at it. */
  readonly withDoubtful: boolean
}

export interface PatientArchiveParts extends AboutPatient {
  readonly now: Date
  /** Stores the audit row, before the first byte. */
  readonly audit: () => Promise<void>
  /** Asked before each file. @throws Problem when whoever asked may no longer have it */
  readonly stillMay: () => Promise<void>
}

export interface EraseParts extends AboutPatient {
  readonly now: Date
  /** Runs in the transaction, last. It may run again when the transaction does. */
  readonly beside: (tx: Transaction) => Promise<void>
}

export interface PatientRights {
  /** The bytes of a ZIP. @throws (at the first byte) Problem 404 when the clinic has no such patient. */
  archiveOf(clinic: Clinic, parts: PatientArchiveParts): AsyncIterable<Uint8Array>
  /** Null: the clinic has no such patient. */
  lookAtErasure(clinic: Clinic, about: AboutPatient): Promise<ErasureCounts | null>
  /**
   * Null: the clinic has no such patient. Where nothing has come back of an erased one, nothing is changed and `beside` does not run.
   *
   * @throws Problem 409 while a message to the patient is being sent
   */
  erase(clinic: Clinic, parts: EraseParts): Promise<ErasureCounts | null>
  /** When the last backup was made that is known here. Null: none is. */
  lastBackupAt(): Date | null
}
