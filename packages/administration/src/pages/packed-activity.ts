// The rows of a clinic's audit log that are packed in segments, as the search of its activity finds them.
import type { LogRow } from '@clinic-data/audit/log-row'
import { searchSegments } from '@clinic-data/audit/read-segments'
import { isPatientNamed, isRecordNamed, type SoughtPatient } from '@clinic-data/audit/stored-ids'
import { type ActivityQuery, INTEGRATIONS, SURFACES } from '@clinic-data/console-contract/console-activity'
import type { Static } from '@clinic-data/contract/schema'
import type { Transaction } from '@clinic-data/database'

type Filters = Omit<Static<typeof ActivityQuery>, 'limit' | 'cursor' | 'from' | 'to' | 'integration'>

export interface PackedSearch {
  filters: Filters
  /** Null: whoever is named. */
  patient: SoughtPatient | null
  /** The ids of the integration that is asked for. Null: of whomever. */
  members: readonly string[] | null
  /** Only rows with numbers between these. */
  after: number
  before: number
  since: number | null
  until: number | null
  limit: number
}

/** The first digits of statuses. */
const CLASSES = { done: [1, 2, 3], refused: [4], failed: [5, 6, 7, 8, 9] }

/** The latest first. */
export function packedActivity(
  tx: Transaction,
  clinic_id: string,
  { filters, patient, members, after, before, since, until, limit }: PackedSearch,
): Promise<LogRow[]> {
  const { actor, operation, surface, resource_id, outcome } = filters
  return searchSegments(tx, clinic_id, {
    after,
    before,
    limit,
    sinceMs: since,
    untilMs: until,
    kinds: {
      key_ids: actor === undefined ? (members ?? undefined) : [actor].filter((id) => members?.includes(id) ?? true),
      operations: operation === undefined ? undefined : [operation],
      surfaces: surface === INTEGRATIONS ? SURFACES.filter((one) => one !== 'console') : surface && [surface],
      statusClasses: outcome && CLASSES[outcome],
    },
    names: [
      ...(resource_id === undefined ? [] : [[resource_id]]),
      ...(patient === null ? [] : [[...new Set([patient.patient_id, ...Object.values(patient.records).flat()])]]),
    ],
    isWanted: (row) =>
      (resource_id === undefined || isRecordNamed(row, resource_id)) &&
      (patient === null || isPatientNamed(row, patient)),
  })
}
