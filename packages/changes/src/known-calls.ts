// Reports about known calls after their end: which of them change their call, and the events of the changes.
import type { Clinic, EventType } from '@clinic-data/contract'
import { Call } from '@clinic-data/contract/resources/call'
import { serializerOf } from '@clinic-data/contract/serializer'
import { sql, type Transaction } from '@clinic-data/database'
import { type CallRow, callResource, callsWhere } from '@clinic-data/records/resources/call'
import type { Stored } from '@clinic-data/records/storing/record-table'
import { updatedOf } from '@clinic-data/records/storing/store-rows'
import { type RefusedRow, RefusedRows } from './writing/refused-rows.ts'
import { ResourceChanges } from './writing/resource-changes.ts'
import type { Changed } from './writing/write-changes.ts'

const serialize = serializerOf(Call)

/** The stored parts of a call that decide about a report. Without the transcript's segments, which are large. */
export type KnownCall = Pick<
  CallRow,
  | 'id'
  | 'status'
  | 'duration_seconds'
  | 'note'
  | 'recording_seconds'
  | 'transcript_status'
  | 'transcript_language'
  | 'transcript_summary'
> & { is_recorded: boolean; recording_file_id: string | null }

export const callChanges = new ResourceChanges<KnownCall, CallRow>({
  table: 'call',
  decisive: sql`status, duration_seconds, note, is_recorded, recording_file_id, recording_seconds, transcript_status,
    transcript_language, transcript_summary`,
  read: async (tx, clinic, ids) => {
    const { rows } = await tx.query<CallRow>(callsWhere(clinic, sql`c.id = any(${ids}::text[]) order by c.id`))
    return rows
  },
  serialize: (row) => serialize(callResource.render(row)),
})

/** A report's fault, without its place among the others. */
export type Fault = Omit<RefusedRow, 'index'>

/**
 * Returns the reports that change their call. The others repeat what is stored. A report of an unknown call is refused:
 * `call.completed` is the first event of a call (specification, Ordering rules), so its source must send it again later.
 *
 * @throws RefusedRows naming the faults of all reports.
 */
export function changing<R extends { id: string }>(
  reports: readonly R[],
  known: ReadonlyMap<string, KnownCall>,
  judge: (report: R, call: KnownCall) => 'changes' | 'repeats' | Fault,
): R[] {
  const refused: RefusedRow[] = []
  const changes = reports.filter((report, index) => {
    const call = known.get(report.id)
    const verdict = call === undefined ? UNKNOWN : judge(report, call)
    if (typeof verdict === 'object') refused.push({ index, ...verdict })
    return verdict === 'changes'
  })
  if (refused.length > 0) throw new RefusedRows(refused)
  return changes
}

const UNKNOWN: Fault = {
  place: '/id',
  code: 'unknown_id',
  detail: 'must be the id of a call that is stored: send this again once the call is',
}

interface Reported<R> {
  readonly reports: readonly R[]
  readonly changed: readonly R[]
  readonly type: (report: R) => EventType
}

/** The outcomes of the reports, and the changed calls as events, each whole. */
export async function callChangesOf<R extends { id: string }>(
  tx: Transaction,
  clinic: Clinic,
  { reports, changed, type }: Reported<R>,
): Promise<Changed<Stored>> {
  const types = new Map(changed.map((report) => [report.id, type(report)]))
  const changes = await callChanges.changesOf(tx, clinic, types.keys(), ({ id }) => types.get(id) ?? null)
  return { answer: updatedOf(reports, new Set(types.keys())), changes }
}
