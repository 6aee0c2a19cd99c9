// Makes two integrations one: what belongs to the other, and what is written down about it, moves to this one, and the other goes.
import { CONTACT, type Integration, NOTES } from '@clinic-data/console-contract/integration-operations'
import { faultProblem } from '@clinic-data/contract/fault-problem'
import { type ClinicDatabase, type ClinicSession, sql, type Transaction } from '@clinic-data/database'
import { notFound } from '@clinic-data/surface/not-found'
import { adoptWithin } from '@clinic-data/webhooks/integrations/adopt'
import { findIntegration } from './list-integrations.ts'
import { moveMembers } from './move-members.ts'
import { type Stopping, stopMembers, untilStopped } from './stop-integration.ts'

interface Row {
  id: string
  contact: string | null
  notes: string | null
  is_stopped: boolean
}

/**
 * If one of the two is stopped, all of both is, until somebody undoes that: nothing that was stopped goes on. Resolves when it is refused
 * everywhere.
 *
 * @param from the id of the other one.
 * @throws Problem 404, 422 for one that is none or the same, and for texts that are too long together.
 */
export async function mergeIntegrations(
  database: ClinicDatabase,
  clinic: ClinicSession,
  { id, from, now, wait, record }: Omit<Stopping, 'by'> & { readonly from: string },
): Promise<Integration> {
  const { clinic_id } = clinic
  const ids = await database.write(clinic, async (tx) => {
    await adoptWithin(tx, clinic_id)
    const { kept, other } = await bothOf(tx, clinic_id, { id, from })
    const contact = together([kept.contact, other.contact], ', ', CONTACT)
    const notes = together([kept.notes, other.notes], '\n\n', NOTES)
    const theirs = sql`integration_id = ${from}`
    await moveMembers(tx, clinic_id, { to: id, keys: theirs, webhooks: theirs })
    await tx.query(sql`update integration i set contact = ${contact}, notes = ${notes},
        stopped_at = coalesce(i.stopped_at, o.stopped_at), resumed_at = greatest(i.resumed_at, o.resumed_at),
        stopped_by = case when i.stopped_at is null then o.stopped_by else i.stopped_by end
      from integration o where i.clinic_id = ${clinic_id} and i.id = ${id} and o.clinic_id = ${clinic_id} and o.id = ${from}`)
    await tx.query(sql`delete from integration where clinic_id = ${clinic_id} and id = ${from}`)
    const isStopped = kept.is_stopped || other.is_stopped
    const stopped = isStopped ? await stopMembers(tx, clinic_id, [id], now) : null
    record(tx, [id, from])
    return stopped?.ids ?? null
  })
  if (ids !== null) await untilStopped(database, clinic, { integrations: [id], ids, now, wait })
  return findIntegration(database, clinic, id, now)
}

async function bothOf(tx: Transaction, clinic_id: string, { id, from }: { id: string; from: string }) {
  const { rows } =
    await tx.query<Row>(sql`select id, contact, notes, stopped_at is not null as is_stopped from integration
    where clinic_id = ${clinic_id} and id = any(${[id, from]}::text[])`)
  const [kept, other] = [id, from].map((wanted) => rows.find((row) => row.id === wanted))
  if (kept === undefined) throw notFound('integration', id)
  if (other !== undefined && other !== kept) return { kept, other }
  const detail = 'must be another integration of this clinic'
  throw faultProblem('unprocessable', [{ pointer: '#/from', code: 'unknown', detail }])
}

/** Each text once. */
function together(texts: readonly (string | null)[], between: string, longest: number): string | null {
  const joined = [...new Set(texts.filter((text) => text !== null))].join(between)
  if ([...joined].length <= longest) return joined || null
  const detail = `has texts that are too long together with those of this one: at most ${longest} characters. Shorten one of them first`
  throw faultProblem('unprocessable', [{ pointer: '#/from', code: 'too_long', detail }])
}
