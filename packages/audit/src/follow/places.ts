// How far the continuous export of each clinic's audit log has come: the last seal that its destination has acknowledged.
import { type Database, sql, type Transaction } from '@clinic-data/database'

export interface Place {
  clinic_id: string
  /** 0: no seal yet. */
  number: number
  /** Where that was, without secrets. */
  destination: string
}

/** A clinic with seals behind its place. */
export interface Behind {
  clinic_id: string
  /** When the next seal was made. Null: that seal is missing. */
  since: string | null
}

/** The lock under which places are made. */
const PLACING = 7_205_114

/** @param owner a database opened as the owner of the tables. */
export function clinicsBehind(owner: Database): Promise<Behind[]> {
  return owner.readAsDispatcher<Behind>(sql`
    select place.clinic_id, next.sealed_at as since
    from audit_export_place place join audit_head head on head.clinic_id = place.clinic_id
      left join audit_seal next on next.clinic_id = place.clinic_id and next.number = place.number + 1
    where head.number > place.number order by place.clinic_id`)
}

export interface NewPlaces {
  destination: string
  now: Date
  /** When the export was started. A log that was begun since is new, and is exported from its first row. */
  startedAt: Date
  /** Stores the audit row of a place beside it. */
  audit: (tx: Transaction, place: Place) => void
}

/**
 * Gives each clinic a place that has none. The first time that is the end of its chain: what was before is exported by command. A clinic
 * that has none later is new, and is exported from its first row.
 *
 * @param owner a database opened as the owner of the tables.
 */
export async function placeClinics(
  owner: Database,
  clinics: readonly { clinic_id: string }[],
  { destination, now, startedAt, audit }: NewPlaces,
): Promise<void> {
  const known = await owner.readAsDispatcher<{ clinic_id: string }>(sql`select clinic_id from audit_export_place`)
  const ids = new Set(known.map(({ clinic_id }) => clinic_id))
  if (clinics.every(({ clinic_id }) => ids.has(clinic_id))) return
  // In one transaction: one that is broken off must not make the other clinics look new.
  await owner.maintainAsDispatcher(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${PLACING})`)
    const { rows } = await tx.query<{ clinic_id: string }>(sql`select clinic_id from audit_export_place`)
    const placed = new Set(rows.map(({ clinic_id }) => clinic_id))
    for (const { clinic_id } of clinics) {
      if (placed.has(clinic_id)) continue
      const number = placed.size === 0 ? await endOf(tx, clinic_id, startedAt) : 0
      await openFor(tx, clinic_id)
      await tx.query(sql`insert into audit_export_place (clinic_id, number, destination, exported_at)
        values (${clinic_id}, ${number}, ${destination}, ${now})`)
      audit(tx, { clinic_id, number, destination })
    }
  })
}

/** 0 for a chain that was begun since `startedAt`. */
async function endOf(tx: Transaction, clinic_id: string, startedAt: Date): Promise<number> {
  const { rows } = await tx.query<{ number: number }>(sql`select number from audit_head where clinic_id = ${clinic_id}
    and exists (select from audit_seal where clinic_id = ${clinic_id} and number = 1 and sealed_at < ${startedAt})`)
  return rows[0]?.number ?? 0
}

/**
 * Runs work while nobody else exports the clinic's log, and stores the place that it returns. The row of the place is the lock: a dispatcher
 * that dies leaves none behind. Nothing else is locked meanwhile.
 *
 * @returns false when another one has it.
 */
export function withPlace(
  owner: Database,
  clinic_id: string,
  work: (tx: Transaction, place: Place) => Promise<Omit<Place, 'clinic_id'> | null>,
  now: () => Date,
): Promise<boolean> {
  return owner.maintain(async (tx) => {
    await openFor(tx, clinic_id)
    const { rows } = await tx.query<Place>(sql`select clinic_id, number, destination from audit_export_place
      where clinic_id = ${clinic_id} for update skip locked`)
    const [place] = rows
    if (place === undefined) return false
    const next = await work(tx, place)
    if (next === null) return true
    await tx.query(sql`update audit_export_place
      set number = ${next.number}, destination = ${next.destination}, exported_at = ${now()}
      where clinic_id = ${clinic_id}`)
    return true
  })
}

/** Shows a transaction the rows of this clinic. */
function openFor(tx: Transaction, clinic_id: string): Promise<unknown> {
  return tx.query(sql`select set_config('app.clinic_id', ${clinic_id}, true)`)
}
