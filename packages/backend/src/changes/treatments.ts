// Changes of recorded treatments: stored or removed, and told as recorded, changed or cancelled.
import type { Clinic, EventType } from '@clinic-data/contract'
import { Treatment } from '@clinic-data/contract/resources/treatment'
import { serializerOf } from '@clinic-data/contract/serializer'
import { sql, type Transaction } from '@clinic-data/database'
import type { Change } from '@clinic-data/webhooks'
import type { Stored } from '../records/record-table.ts'
import { risenUpdatedAt } from '../records/risen-updated-at.ts'
import { storeTreatments, type TreatmentRecord } from '../records/treatments.ts'
import { renderTreatment, type TreatmentRow, treatmentsWhere } from '../resources/treatment.ts'
import { RefusedRows } from './refused-rows.ts'
import { type Changed, Overtaken } from './write-changes.ts'

const serialize = serializerOf(Treatment)

type Before = { id: string; updated_at: string; is_removed: boolean }

/**
 * Stores treatments; a change of nothing but what no form of the resource shows (its branch, its discount) is told to nobody.
 *
 * @throws RefusedRows when one was removed: it stays removed.
 */
export async function changeTreatments(
  tx: Transaction,
  clinic: Clinic,
  records: readonly TreatmentRecord[],
): Promise<Changed<Stored>> {
  const before = await storedBefore(tx, clinic, records)
  refuseRemoved(records, before)
  const stored = await storeTreatments(tx, clinic, records)
  if ([...stored.updated].some((id) => !before.has(id))) throw new Overtaken('a treatment was stored meanwhile')

  const eventType = ({ id, updated_at }: TreatmentRow): EventType | null => {
    if (stored.inserted.has(id)) return 'treatment.created'
    return before.get(id)?.updated_at === updated_at ? null : 'treatment.updated'
  }
  return { answer: stored, changes: await treatmentChanges(tx, clinic, stored, eventType) }
}

export interface Removal {
  readonly id: string
  /** Default: now. */
  readonly removed_at: string | null
}

/** Removes treatments that there are; one that was removed before stays as it is. */
export async function removeTreatments(
  tx: Transaction,
  clinic: Clinic,
  removals: readonly Removal[],
  now: Date,
): Promise<Changed<Stored>> {
  const { clinic_id } = clinic
  const { rows } = await tx.query<{ id: string }>(sql`update treatment as stored set
      removed_at = coalesce(given.removed_at, ${risenUpdatedAt(now)}), updated_at = ${risenUpdatedAt(now)}
    from ${sql.given(removals, { text: ['id'], timestamptz: ['removed_at'] })}
    where stored.clinic_id = ${clinic_id} and stored.id = given.id and stored.removed_at is null
    returning stored.id`)
  const updated = new Set(rows.map(({ id }) => id))
  const stored = { inserted: new Set<string>(), updated, unchanged: removals.length - updated.size }
  return { answer: stored, changes: await treatmentChanges(tx, clinic, stored, () => 'treatment.cancelled') }
}

/** Locked, so that what was read stays true. */
async function storedBefore(
  tx: Transaction,
  { clinic_id }: Clinic,
  records: readonly { id: string }[],
): Promise<Map<string, Before>> {
  const ids = records.map(({ id }) => id)
  const { rows } = await tx.query<Before>(sql`
    select id, updated_at, removed_at is not null as is_removed from treatment
    where clinic_id = ${clinic_id} and id = any(${ids}::text[]) order by id for update`)
  return new Map(rows.map((row) => [row.id, row]))
}

function refuseRemoved(records: readonly { id: string }[], before: ReadonlyMap<string, Before>): void {
  const detail = 'must be the id of another treatment: this one was removed, and stays removed'
  const refused = records.flatMap(({ id }, index) =>
    before.get(id)?.is_removed ? [{ index, place: '/id', code: 'removed', detail }] : [],
  )
  if (refused.length > 0) throw new RefusedRows(refused)
}

/** In the order of their ids. */
async function treatmentChanges(
  tx: Transaction,
  clinic: Clinic,
  { inserted, updated }: Stored,
  eventType: (row: TreatmentRow) => EventType | null,
): Promise<Change[]> {
  const ids = [...inserted, ...updated]
  if (ids.length === 0) return []
  const { rows } = await tx.query<TreatmentRow>(treatmentsWhere(clinic, sql`t.id = any(${ids}::text[]) order by t.id`))
  return rows.flatMap((row) => {
    const type = eventType(row)
    return type === null ? [] : [{ type, data: serialize(renderTreatment(row)) }]
  })
}
