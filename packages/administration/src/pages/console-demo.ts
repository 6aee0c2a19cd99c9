// Serves the paths that only the demo clinic has: letting something happen, and the events that follow. Every other clinic has no such
// paths.

import { type DemoAction, WATCHED_EVENTS, type WatchedEvent } from '@clinic-data/console-contract/clinic-operations'
import { Problem } from '@clinic-data/contract'
import { type ClinicDatabase, sql, type Transaction, withInstants } from '@clinic-data/database'
import type { ActiveSession } from '../sessions/sessions.ts'
import type { ConsoleParts, DemoPart } from '../sign-in/console-parts.ts'

type DemoParts = Pick<ConsoleParts, 'demo'> & { consoleDatabase: ClinicDatabase }

/** @throws Problem 404 unless this is the demo clinic. */
function demoOf({ demo }: DemoParts, { clinic }: ActiveSession): DemoPart {
  if (demo?.clinic_id !== clinic.clinic_id) throw new Problem('not-found', 'The console has no such path.')
  return demo
}

/** Its audit row is stored first: nothing happens without it. @throws Problem 404 */
export async function actInDemo(
  parts: DemoParts,
  session: ActiveSession,
  { action, beside }: { action: DemoAction; beside: (tx: Transaction) => void },
): Promise<void> {
  const demo = demoOf(parts, session)
  await parts.consoleDatabase.write(session.clinic, async (tx) => beside(tx))
  await demo.act(action)
}

/** The latest events, without their bodies. @throws Problem 404 */
export async function watchDemo(parts: DemoParts, session: ActiveSession): Promise<WatchedEvent[]> {
  const { clinic_id } = demoOf(parts, session)
  const rows = await parts.consoleDatabase.read<WatchedEvent>(
    session.clinic,
    sql`select id, type, created_at from event where clinic_id = ${clinic_id} order by position desc limit ${WATCHED_EVENTS}`,
  )
  return rows.map((row) => withInstants(row, 'created_at'))
}
