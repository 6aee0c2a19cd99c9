// Takes in a body of records: parses it, checks it, stores it with its events, and reports the outcomes.

import { holderOf } from '@clinic-data/administration/credentials/ingest-tokens'
import { RefusedRows } from '@clinic-data/changes/writing/refused-rows'
import { type Changed, type ChangeParts, writeChanges } from '@clinic-data/changes/writing/write-changes'
import { Problem } from '@clinic-data/contract'
import { parseJson } from '@clinic-data/contract/json-text'
import type { Transaction } from '@clinic-data/database'
import { tellingOutages } from '@clinic-data/surface/outage'
import { tokenStillValid } from '@clinic-data/surface/still-valid'
import {
  type Answered,
  isWithoutChange,
  type RecordOutcome,
  type RecordsOperation,
} from '../ingest/ingest-operation.ts'
import { recordsOperations } from '../ingest/operations.ts'
import { type Asking, audit } from './admission.ts'
import { patientsOfBatch } from './batch-patients.ts'
import { besideErased } from './erased.ts'
import { requireReferences } from './references.ts'
import { recordsReader, refused } from './sent-records.ts'

/** A large body takes seconds of CPU time, so where requests are served a separate thread takes it in. */
export interface Intake {
  /** Its answer has its audit row already. @throws Problem */
  take(asking: Asking, body: Uint8Array): Promise<Answered>
}

/** In 16 MiB, 17 bytes per value: a transcript's segments of a few words have more. This limits the memory for a parsed body. */
const BODY_VALUES = 1_000_000

/** Runs in the caller's thread. */
export function intake(parts: ChangeParts): Intake {
  const takers = new Map(recordsOperations.map((operation) => [operation.id, taking(parts, operation)]))
  return {
    take: async (asking, body) => {
      const take = takers.get(asking.operation)
      if (take === undefined) throw new Problem('not-found', 'There is no such operation.')
      return take(asking, body)
    },
  }
}

interface Batch {
  outcomes: readonly RecordOutcome[]
  patient_ids: readonly string[]
}

function taking(parts: ChangeParts, operation: RecordsOperation) {
  const readRecords = recordsReader(operation)
  const store = tellingOutages(async (asking: Asking, records: readonly Record<string, unknown>[]) => {
    const { principal } = asking
    const { clinic } = principal
    const work = async (tx: Transaction, now: Date): Promise<Changed<Batch>> => {
      const { answer: outcomes, ...changed } = await besideErased(tx, clinic, operation, records, async (living) => {
        await requireReferences(tx, clinic, operation, living)
        return operation.apply(tx, clinic, living, now)
      })
      const patient_ids = await patientsOfBatch(tx, clinic, operation, { records, outcomes, changes: changed.changes })
      // Before the commit: no change is without its row, and the repetition of a change that was undone has one, too.
      await audit(parts, asking, { status: 200, ids: outcomes.map(({ id }) => id), patient_ids })
      // An unchanged repetition leaves everything as it was, even the clinic's latest time of a change.
      return {
        ...changed,
        answer: { outcomes, patient_ids },
        ...(outcomes.every(isWithoutChange) && { isUndated: true }),
      }
    }
    return writeChanges(parts, clinic, work, tokenStillValid(holderOf(principal)))
  })
  return async (asking: Asking, body: Uint8Array): Promise<Answered> => {
    const sent = readRecords(parseJson(body, { values: BODY_VALUES }), asking.principal.clinic)
    try {
      const { outcomes, patient_ids } = await store(asking, sent.records)
      const ids = outcomes.map(({ id }) => id)
      return { data: sent.isBatch ? outcomes : outcomes[0], ids, patient_ids, isRecorded: true }
    } catch (error) {
      throw error instanceof RefusedRows ? refused(error.rows, sent) : error
    }
  }
}
