// Takes in a body of records: parses it, checks it, stores it with its events, and reports the outcomes.
import { Problem } from '@clinic-data/contract'
import { parseJson } from '@clinic-data/contract/json-text'
import type { Transaction } from '@clinic-data/database'
import { RefusedRows } from '../changes/refused-rows.ts'
import { type Changed, type ChangeParts, writeChanges } from '../changes/write-changes.ts'
import { tellingOutages } from '../outage.ts'
import { tokenStillValid } from '../still-valid.ts'
import { patientsOfBatch } from './batch-patients.ts'
import type { Answered, RecordOutcome, RecordsOperation } from './ingest-operation.ts'
import { holderOf, type IngestPrincipal } from './ingest-tokens.ts'
import { recordsOperations } from './operations.ts'
import { requireReferences } from './references.ts'
import { recordsReader, refused } from './sent-records.ts'

/** A large body takes seconds of CPU time, so where requests are served a separate thread takes it in. */
export interface Intake {
  /** @throws Problem */
  take(operation_id: string, principal: IngestPrincipal, body: Uint8Array): Promise<Answered>
}

/** In 16 MiB, 17 bytes per value: a transcript's segments of a few words have more. This limits the memory for a parsed body. */
const BODY_VALUES = 1_000_000

/** Runs in the caller's thread. */
export function intake(parts: ChangeParts): Intake {
  const takers = new Map(recordsOperations.map((operation) => [operation.id, taking(parts, operation)]))
  return {
    take: async (operation_id, principal, body) => {
      const take = takers.get(operation_id)
      if (take === undefined) throw new Problem('not-found', 'There is no such operation.')
      return take(principal, body)
    },
  }
}

interface Batch {
  outcomes: readonly RecordOutcome[]
  patient_ids: readonly string[]
}

function taking(parts: ChangeParts, operation: RecordsOperation) {
  const readRecords = recordsReader(operation)
  const store = tellingOutages(async (principal: IngestPrincipal, records: readonly Record<string, unknown>[]) => {
    const { clinic } = principal
    const work = async (tx: Transaction, now: Date): Promise<Changed<Batch>> => {
      await requireReferences(tx, clinic, operation, records)
      const { answer: outcomes, ...changed } = await operation.apply(tx, clinic, records, now)
      const patient_ids = await patientsOfBatch(tx, clinic, operation, { records, outcomes, changes: changed.changes })
      return { ...changed, answer: { outcomes, patient_ids }, ...(isUnchanged(outcomes) && { isUndated: true }) }
    }
    return writeChanges(parts, clinic, work, tokenStillValid(holderOf(principal)))
  })
  return async (principal: IngestPrincipal, body: Uint8Array): Promise<Answered> => {
    const sent = readRecords(parseJson(body, { values: BODY_VALUES }), principal.clinic)
    try {
      const { outcomes, patient_ids } = await store(principal, sent.records)
      return { data: sent.isBatch ? outcomes : outcomes[0], ids: outcomes.map(({ id }) => id), patient_ids }
    } catch (error) {
      throw error instanceof RefusedRows ? refused(error.rows, sent) : error
    }
  }
}

/** An unchanged repetition leaves everything as it was, even the clinic's latest time of a change. */
function isUnchanged(outcomes: readonly { outcome: string }[]): boolean {
  return outcomes.every(({ outcome }) => outcome === 'unchanged')
}
