// Looks for a text in every table, for tests that it is stored nowhere. Other files' tests have tables of their own in the shared
// database, which come and go.

import { tables } from '@clinic-data/backend/migrations'
import { type Database, sql } from '@clinic-data/database'

/** The tables with a row of this clinic, or of none, in which one of these texts stands. */
export async function tablesThatHold(owner: Database, clinic_id: string, texts: readonly string[]): Promise<string[]> {
  const holding: string[] = []
  for (const { table } of tables) {
    const { rows } = await owner.query<{ row: string }>(
      sql`select t::text as row from ${sql.identifier(table)} t
        where coalesce(to_jsonb(t) ->> 'clinic_id', ${clinic_id}) = ${clinic_id}`,
    )
    if (rows.some(({ row }) => texts.some((text) => row.includes(text)))) holding.push(table)
  }
  return holding
}
