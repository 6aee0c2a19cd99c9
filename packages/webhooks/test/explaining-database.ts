// Counts what a dispatcher's reads take from tables, and adds lanes that have nothing.
import { Database, type Statement, sql } from '@clinic-data/database'

interface Node {
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Relation Name'?: string
  Plans?: Node[]
}

/** Counts the rows that a dispatcher's read takes from tables. */
export class ExplainingDatabase extends Database {
  rowsRead = 0

  override async readAsDispatcher<R extends object>(
    ...[statement, planning]: Parameters<typeof Database.prototype.readAsDispatcher<R>>
  ): Promise<R[]> {
    const explained: Statement = sql`explain (analyze, format json) ${statement}`
    const [row] = await super.readAsDispatcher<{ 'QUERY PLAN': string | [{ Plan: Node }] }>(explained, planning)
    const told = row?.['QUERY PLAN'] ?? '[]'
    const [plan] = (typeof told === 'string' ? JSON.parse(told) : told) as [{ Plan: Node }]
    this.rowsRead = rowsOf(plan.Plan)
    return super.readAsDispatcher<R>(statement, planning)
  }
}

function rowsOf(node: Node): number {
  const read = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
  const below = (node.Plans ?? []).map(rowsOf).reduce((sum, rows) => sum + rows, 0)
  return below + (node['Relation Name'] === undefined ? 0 : read)
}

/** Adds subscriptions of the clinic for which nothing waits. */
export async function addIdleLanes(owner: Database, clinic_id: string, count: number): Promise<void> {
  await owner.query(sql`insert into subscription (clinic_id, id, url, event_types, secret, secret_last_characters, created_at)
    select ${clinic_id}, 'idle' || n, 'https://idle.example', '{}', '\\x00', 'abcd', now() from generate_series(1, ${count}::int) n`)
  await owner.query(sql`insert into lane (clinic_id, subscription_id)
    select clinic_id, id from subscription where clinic_id = ${clinic_id} on conflict do nothing`)
}
