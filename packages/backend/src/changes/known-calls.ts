// What comes after a call's end is told of a call that is known: which reports change their call, and what is told of those.
import type { Clinic, EventType } from '@clinic-data/contract'
import { Call } from '@clinic-data/contract/resources/call'
import { serializerOf } from '@clinic-data/contract/serializer'
import { sql, type Transaction } from '@clinic-data/database'
import type { Change } from '@clinic-data/webhooks'
import type { Stored } from '../records/record-table.ts'
import { type CallRow, callsWhere, renderCall } from '../resources/call.ts'
import { type RefusedRow, RefusedRows } from './refused-rows.ts'
import type { Changed } from './write-changes.ts'

const serialize = serializerOf(Call)

/** What is stored of a call and decides about a report. The transcript's segments are large: see who needs them. */
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

/** Locked, so that what was read stays true. */
export async function lockedCalls(
  tx: Transaction,
  { clinic_id }: Clinic,
  reports: readonly { id: string }[],
): Promise<Map<string, KnownCall>> {
  const ids = reports.map(({ id }) => id)
  const { rows } = await tx.query<KnownCall>(sql`
    select id, status, duration_seconds, note, is_recorded, recording_file_id, recording_seconds, transcript_status,
      transcript_language, transcript_summary
    from call where clinic_id = ${clinic_id} and id = any(${ids}::text[]) order by id for update`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** A fault of a report, whichever it is of those that came together. */
export type Fault = Omit<RefusedRow, 'index'>

/**
 * The reports that change their call; the others say again what is stored. A report of an unknown call is refused:
 * `call.completed` is the first event of a call (specification, Ordering rules), so its source sends it again later.
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

/** What became of the reports, and the calls that some of them have changed, each told whole. */
export async function toldChanges<R extends { id: string }>(
  tx: Transaction,
  clinic: Clinic,
  { reports, changed, type }: { reports: readonly R[]; changed: readonly R[]; type: (report: R) => EventType },
): Promise<Changed<Stored>> {
  const types = new Map(changed.map((report) => [report.id, type(report)]))
  const answer = { inserted: new Set<string>(), updated: new Set(types.keys()), unchanged: reports.length - types.size }
  return { answer, changes: await callChanges(tx, clinic, types) }
}

/** The calls with their events' types, as everybody reads them at the commit, in the order of their ids. */
export async function callChanges(
  tx: Transaction,
  clinic: Clinic,
  types: ReadonlyMap<string, EventType>,
): Promise<Change[]> {
  if (types.size === 0) return []
  const ids = [...types.keys()]
  const { rows } = await tx.query<CallRow>(callsWhere(clinic, sql`c.id = any(${ids}::text[]) order by c.id`))
  return rows.flatMap((row) => {
    const type = types.get(row.id)
    return type === undefined ? [] : [{ type, data: serialize(renderCall(row)) }]
  })
}
