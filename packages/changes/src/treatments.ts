// Changes of recorded treatments: stores or removes them and emits recorded, changed and cancelled events.
import type { Clinic } from '@clinic-data/contract'
import { Treatment } from '@clinic-data/contract/resources/treatment'
import { serializerOf } from '@clinic-data/contract/serializer'
import { sql, type Transaction } from '@clinic-data/database'
import { type TreatmentRow, treatmentResource, treatmentsWhere } from '@clinic-data/records/resources/treatment'
import type { Stored } from '@clinic-data/records/storing/record-table'
import { risenUpdatedAt } from '@clinic-data/records/storing/risen-updated-at'
import { updatedOf } from '@clinic-data/records/storing/store-rows'
import { storeTreatments, type TreatmentRecord } from '@clinic-data/records/treatments'
import { RefusedRows } from './writing/refused-rows.ts'
import { ResourceChanges } from './writing/resource-changes.ts'
import type { Changed } from './writing/write-changes.ts'

const serialize = serializerOf(Treatment)

interface Before {
  id: string
  updated_at: string
  is_removed: boolean
}

const treatments = new ResourceChanges<Before, TreatmentRow>({
  table: 'treatment',
  decisive: sql`updated_at, removed_at is not null as is_removed`,
  read: async (tx, clinic, ids) => {
    const those = sql`t.id = any(${ids}::text[]) order by t.id`
    return (await tx.query<TreatmentRow>(treatmentsWhere(clinic, those))).rows
  },
  serialize: (row) => serialize(treatmentResource.render(row)),
})

/**
 * Stores treatments. A change of only the branch or the discount, which no form of the resource shows, is no event.
 *
 * @throws RefusedRows when one was removed: it stays removed.
 */
export function changeTreatments(
  tx: Transaction,
  clinic: Clinic,
  records: readonly TreatmentRecord[],
): Promise<Changed<Stored>> {
  return treatments.change(tx, clinic, records, {
    store: (before) => {
      refuseRemoved(records, before)
      return storeTreatments(tx, clinic, records)
    },
    type: (_, isNew) => (isNew ? 'treatment.created' : 'treatment.updated'),
    isShown: (row, before) => before?.updated_at !== row.updated_at,
  })
}

export interface Removal {
  readonly id: string
  /** Default: now. */
  readonly removed_at: string | null
}

/** Removes existing treatments. Leaves removed ones as they are. */
export async function removeTreatments(
  tx: Transaction,
  clinic: Clinic,
  removals: readonly Removal[],
  now: Date,
): Promise<Changed<Stored>> {
  const { clinic_id } = clinic
  const { rows } = await tx.query<{ id: string }>(sql`update treatment as stored set
      removed_at = coalesce(input.removed_at, ${risenUpdatedAt(now)}), updated_at = ${risenUpdatedAt(now)}
    from ${sql.input(removals, { text: ['id'], timestamptz: ['removed_at'] })}
    where stored.clinic_id = ${clinic_id} and stored.id = input.id and stored.removed_at is null
    returning stored.id`)
  const updated = new Set(rows.map(({ id }) => id))
  const changes = await treatments.changesOf(tx, clinic, updated, () => 'treatment.cancelled')
  return { answer: updatedOf(removals, updated), changes }
}

function refuseRemoved(records: readonly { id: string }[], before: ReadonlyMap<string, Before>): void {
  const detail = 'must be the id of another treatment: this one was removed, and stays removed'
  const refused = records.flatMap(({ id }, index) =>
    before.get(id)?.is_removed ? [{ index, place: '/id', code: 'removed', detail }] : [],
  )
  if (refused.length > 0) throw new RefusedRows(refused)
}
