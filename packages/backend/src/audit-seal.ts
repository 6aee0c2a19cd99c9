// The chain over a clinic's audit rows: each seal's hash covers its rows and the seal before it, so that a row that was
// changed, removed or slipped in later is found.
//
// Only rows older than a minute are sealed. `stored_at` is the start of the insert (a policy refuses any that is half a
// minute older), which is one statement that commits by itself and which the server cancels after 7 s. So no row with an
// earlier `stored_at` than these can still appear behind the seal, although rows do not become visible in the order of
// their numbers.
//
// A seal never reaches over the end of a UTC day: the retention drops whole days, and with them whole seals' rows.
import { hash } from 'node:crypto'
import { type ClinicSession, type Database, sql, type Transaction } from '@clinic-data/database'

const SETTLED = '60 seconds'

/** Bounds the memory of sealing and of verifying. */
const MOST_ROWS = 10_000

interface Seal {
  number: number
  last_stored_at: string
  last_id: number
  row_count: number
  hash: string
}

interface SealedRow {
  stored_at: string
  id: number
  content: string
}

export type AuditVerdict =
  | { sound: true; seals: number; rows: number; hash: string | null }
  | { sound: false; number: number; reason: string }

const BEGINNING = { number: 0, last_stored_at: '-infinity', last_id: 0, hash: '' }

/**
 * Seals what has settled of one clinic's rows.
 *
 * @returns how many rows were sealed.
 */
export async function sealAudit(database: Database, clinic_id: string, now: Date): Promise<number> {
  let sealed = 0
  for (;;) {
    const rows = await database.write(session(clinic_id), (tx) => sealNext(tx, clinic_id, now))
    if (rows === null) return sealed
    sealed += rows
  }
}

/**
 * Computes a clinic's chain anew.
 *
 * @param retainedSince rows stored before it may have been dropped by the retention; their seals are taken as they stand.
 * @returns the first seal that does not fit, if there is one.
 */
export async function verifyAudit(
  database: Database,
  clinic_id: string,
  retainedSince: Date | null,
): Promise<AuditVerdict> {
  let before: Omit<Seal, 'row_count'> = BEGINNING
  let total = 0
  for (;;) {
    const [seal] = await database.read<Seal>(
      session(clinic_id),
      sql`select number, last_stored_at, last_id, row_count, hash from audit_seal
        where clinic_id = ${clinic_id} and number > ${before.number} order by number limit 1`,
    )
    if (seal === undefined) return { sound: true, seals: before.number, rows: total, hash: before.hash || null }
    const broken = (reason: string) => ({ sound: false as const, number: before.number + 1, reason })
    if (seal.number !== before.number + 1) return broken('the seal is missing')
    const mayBeDropped = retainedSince !== null && new Date(endOfDay(seal.last_stored_at)) <= retainedSince
    const rows = await database.read<SealedRow>(
      session(clinic_id),
      sql`${rowsBehind(clinic_id, before)} and (stored_at, id) <= (${seal.last_stored_at}, ${seal.last_id})
        order by stored_at, id limit ${MOST_ROWS + 1}`,
    )
    if (!(mayBeDropped && rows.length === 0)) {
      if (rows.length !== seal.row_count) return broken(`it covers ${seal.row_count} rows, ${rows.length} are there`)
      if (sealHash(before.hash, seal.number, rows) !== seal.hash) return broken('its rows or the seal were changed')
    }
    total += rows.length
    before = seal
  }
}

/** Null when nothing is left to seal. */
async function sealNext(tx: Transaction, clinic_id: string, now: Date): Promise<number | null> {
  const { rows: seals } = await tx.query<Seal>(sql`select number, last_stored_at, last_id, row_count, hash
    from audit_seal where clinic_id = ${clinic_id} order by number desc limit 1`)
  const before = seals[0] ?? BEGINNING
  const { rows: settled } = await tx.query<SealedRow>(sql`${rowsBehind(clinic_id, before)}
    and stored_at < least(${now}::timestamptz, now()) - ${SETTLED}::interval order by stored_at, id limit ${MOST_ROWS}`)
  const day = settled[0]?.stored_at.slice(0, 10)
  const rows = settled.filter(({ stored_at }) => stored_at.slice(0, 10) === day)
  const last = rows.at(-1)
  if (last === undefined) return null
  const number = before.number + 1
  // Of two who seal at once the later one finds the number taken, and looks again.
  const { rowCount } = await tx.query(sql`insert into audit_seal
    (clinic_id, number, last_stored_at, last_id, row_count, hash, sealed_at)
    values (${clinic_id}, ${number}, ${last.stored_at}, ${last.id}, ${rows.length},
      ${sealHash(before.hash, number, rows)}, ${now})
    on conflict (clinic_id, number) do nothing`)
  return rowCount === 0 ? 0 : rows.length
}

/** The rows after a seal's last one, with everything they hold as one text. */
function rowsBehind(clinic_id: string, { last_stored_at, last_id }: Pick<Seal, 'last_stored_at' | 'last_id'>) {
  return sql`select stored_at, id, json_build_array(stored_at, id, at, key_id, operation, surface, resource_ids, count,
      status, request_id, address)::text as content
    from audit where clinic_id = ${clinic_id} and (stored_at, id) > (${last_stored_at}, ${last_id})`
}

function sealHash(before: string, number: number, rows: readonly SealedRow[]): string {
  return hash('sha256', [before, number, ...rows.map(({ content }) => content)].join('\n'))
}

function endOfDay(stored_at: string): string {
  return `${stored_at.slice(0, 10)}T24:00:00Z`
}

/** The zone decides how rows are printed, and with it their hash. */
function session(clinic_id: string): ClinicSession {
  return { clinic_id, time_zone: 'UTC' }
}
