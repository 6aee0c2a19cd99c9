// Looks for a text in every table, for tests that it is stored nowhere.
import assert from 'node:assert/strict'
import { type Database, sql } from '@clinic-data/database'

/** The tables with a row of this clinic, or of no clinic, in which one of these texts stands. */
export async function tablesThatHold(owner: Database, clinic_id: string, texts: readonly string[]): Promise<string[]> {
  const { rows: tables } = await owner.query<{ name: string; of_clinics: boolean }>(sql`
    select c.relname as name, exists (select from pg_attribute where attrelid = c.oid and attname = 'clinic_id') as of_clinics
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition`)
  assert.ok(tables.length > 30)
  const holding: string[] = []
  for (const { name, of_clinics } of tables) {
    const own = of_clinics ? sql`where clinic_id = ${clinic_id}` : sql``
    const { rows } = await owner.query<{ row: string }>(
      sql`select t::text as row from ${sql.identifier(name)} t ${own}`,
    )
    if (rows.some(({ row }) => texts.some((text) => row.includes(text)))) holding.push(name)
  }
  return holding
}
