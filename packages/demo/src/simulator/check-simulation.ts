// Checks a clinic after a simulation: sent again, every record must be unchanged, and each change must have been one event.
import type { EventType } from '@clinic-data/contract'
import { type Database, sql, utcSession } from '@clinic-data/database'
import type { LivingClinic } from './living-clinic.ts'

export interface Verdict {
  /** The number of compared records. */
  compared: number
  /** The differences, worded for the operator. Empty when there are none. */
  faults: string[]
}

/** The position of a clinic's last event. */
export async function lastPosition(owner: Database, clinic_id: string): Promise<number> {
  const rows = await owner.read<{ last_position: number }>(
    utcSession(clinic_id),
    sql`select last_position from event_counter where clinic_id = ${clinic_id}`,
  )
  return rows[0]?.last_position ?? 0
}

/** @param since the position of the last event before the simulation. */
export async function checkSimulation(
  owner: Database,
  clinic_id: string,
  clinic: LivingClinic,
  since: number,
): Promise<Verdict> {
  const faults: string[] = []
  const before = await lastPosition(owner, clinic_id)
  let compared = 0
  for (const [path, records] of clinic.sent) {
    const outcomes = await clinic.ingest.sendAll(path, records.all())
    compared += outcomes.length
    for (const { id, outcome } of outcomes) if (outcome !== 'unchanged') faults.push(`${path} ${id} was ${outcome}`)
  }
  const after = await lastPosition(owner, clinic_id)
  if (after !== before) faults.push(`${after - before} events came from records that had not changed`)

  const rows = await owner.read<{ type: EventType; events: number; positions: number }>(
    utcSession(clinic_id),
    sql`select type, count(*)::int as events, count(distinct position)::int as positions from event
      where clinic_id = ${clinic_id} and position > ${since} and position <= ${before} group by type`,
  )
  const counted = new Map(rows.map(({ type, events }) => [type, events]))
  for (const type of new Set([...counted.keys(), ...clinic.expected.keys()])) {
    const [is, should] = [counted.get(type) ?? 0, clinic.expected.get(type) ?? 0]
    if (is !== should) faults.push(`${type}: ${should} changes, ${is} events`)
  }
  const total = rows.reduce((sum, { events }) => sum + events, 0)
  if (total !== before - since) faults.push(`the feed counts ${before - since} events, there are ${total}`)
  if (rows.some(({ events, positions }) => events !== positions)) faults.push('two events have one place in the feed')
  return { compared, faults }
}
