// What becomes of a body of records: parsed, checked, stored with its events, and told apart.
import { type Clinic, Problem } from '@clinic-data/contract'
import { parseJson } from '@clinic-data/contract/json-text'
import { RefusedRows } from '../changes/refused-rows.ts'
import { type ChangeParts, writeChanges } from '../changes/write-changes.ts'
import { tellingOutages } from '../outage.ts'
import type { Answered, RecordsOperation } from './ingest-operation.ts'
import { recordsOperations } from './operations.ts'
import { requireReferences } from './references.ts'
import { recordsReader, refused } from './sent-records.ts'

/** A large body takes seconds of a processor: where requests are served, it is taken in by a thread of its own. */
export interface Intake {
  /**
   * @param door the id of an operation.
   * @throws Problem
   */
  take(door: string, clinic: Clinic, body: Uint8Array): Promise<Answered>
}

/** In 16 MiB, 17 bytes a value: a transcript's segments of a few words take more. It bounds the memory that a body becomes. */
const BODY_VALUES = 1_000_000

/** In the thread of the caller. */
export function intake(parts: ChangeParts): Intake {
  const doors = new Map(recordsOperations.map((operation) => [operation.id, taking(parts, operation)]))
  return {
    take: async (door, clinic, body) => {
      const take = doors.get(door)
      if (take === undefined) throw new Problem('not-found', 'There is no such door.')
      return take(clinic, body)
    },
  }
}

function taking(parts: ChangeParts, operation: RecordsOperation) {
  const readRecords = recordsReader(operation)
  const store = tellingOutages(async (clinic: Clinic, records: readonly Record<string, unknown>[]) =>
    writeChanges(parts, clinic, async (tx, now) => {
      await requireReferences(tx, clinic, operation, records)
      const changed = await operation.apply(tx, clinic, records, now)
      return isUnchanged(changed.answer) ? { ...changed, isUndated: true } : changed
    }),
  )
  return async (clinic: Clinic, body: Uint8Array): Promise<Answered> => {
    const sent = readRecords(parseJson(body, { values: BODY_VALUES }), clinic)
    try {
      const outcomes = await store(clinic, sent.records)
      return { data: sent.isBatch ? outcomes : outcomes[0], ids: outcomes.map(({ id }) => id) }
    } catch (error) {
      throw error instanceof RefusedRows ? refused(error.rows, sent) : error
    }
  }
}

/** What was sent again as it is leaves everything as it was, the clinic's latest time of a change too. */
function isUnchanged(outcomes: readonly { outcome: string }[]): boolean {
  return outcomes.every(({ outcome }) => outcome === 'unchanged')
}
