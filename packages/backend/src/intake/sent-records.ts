// The records of a request: one, or a batch. Reports every fault at once, with its place.

import type { RefusedRow } from '@clinic-data/changes/writing/refused-rows'
import type { Clinic, Problem } from '@clinic-data/contract'
import { faultProblem } from '@clinic-data/contract/fault-problem'
import { bodyFault, memberPlace } from '@clinic-data/contract/findings'
import { list, strictObject, type TSchema } from '@clinic-data/contract/schema'
import { type Finding, validatorOf } from '@clinic-data/contract/validator'
import { MAX_RECORDS, type RecordsOperation } from '../ingest/ingest-operation.ts'

export interface SentRecords {
  readonly records: readonly Record<string, unknown>[]
  /** Whether they came in a batch: places then begin with the index. */
  readonly isBatch: boolean
}

const batches = new Map<TSchema, TSchema>()

/** The body of a batch: one schema for the same records, so that it is compiled once. */
export function batchOf(record: TSchema): TSchema {
  const known = batches.get(record)
  const batch = known ?? strictObject({ records: list(record, MAX_RECORDS, { minItems: 1 }) })
  batches.set(record, batch)
  return batch
}

/** Compiles the reader of one operation. @throws Problem 400 naming every fault, at most 50. */
export function recordsReader({ record, key }: RecordsOperation): (body: unknown, clinic: Clinic) => SentRecords {
  const checks = { single: validatorOf(record), batch: validatorOf(batchOf(record)) }
  return (body, { country }) => {
    const isBatch = typeof body === 'object' && body !== null && 'records' in body
    const findings = (isBatch ? checks.batch : checks.single)(body, { country })
    if (findings.length > 0) throw invalid(findings)
    const records = (isBatch ? body.records : [body]) as Record<string, unknown>[]
    const repeated = repetitions(records, key)
    if (repeated.length > 0) throw invalid(repeated)
    return { records, isBatch }
  }
}

const NOTHING_STORED = 'Nothing was stored.'

/** The public faults of rows that a rule has refused. @returns Problem 422 */
export function refused(rows: readonly RefusedRow[], { isBatch }: SentRecords): Problem {
  const errors = rows.map(({ index, place, code, detail }) =>
    bodyFault({ place: isBatch ? `/records/${index}${place}` : place, code, detail }),
  )
  return faultProblem('unprocessable', errors, NOTHING_STORED)
}

/** @returns Problem 400 */
export function invalid(findings: readonly Finding[]): Problem {
  return faultProblem('invalid-request', findings.map(bodyFault), NOTHING_STORED)
}

/** Two records with the same key contradict each other. */
function repetitions(records: readonly Record<string, unknown>[], key: readonly string[]): Finding[] {
  const [field] = key
  if (field === undefined) return []
  const seen = new Set<string>()
  return records.flatMap((record, index) => {
    const name = JSON.stringify(key.map((part) => record[part]))
    if (!seen.has(name)) {
      seen.add(name)
      return []
    }
    const place = memberPlace(`/records/${index}`, field)
    return [{ place, code: 'duplicate', detail: 'names a record that is in this batch already' }]
  })
}
