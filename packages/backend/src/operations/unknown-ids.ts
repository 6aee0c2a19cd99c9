// Says of an empty list which of its filters name an id that the clinic does not have. A list with rows asks nothing more.
import type { AnyHandler, Clinic, Operation } from '@clinic-data/contract'
import { type Database, type Statement, sql } from '@clinic-data/database'

/** The table of each filter by an id. */
const TABLES: Readonly<Record<string, Statement>> = {
  appointment_id: sql`appointment`,
  branch_id: sql`branch`,
  conversation_id: sql`chat_conversation`,
  patient_id: sql`patient`,
  provider_id: sql`provider`,
  status_id: sql`appointment_status`,
}

/** Adds `unknown_ids` to an operation's empty lists. */
export function tellingUnknownIds(database: Database, operation: Operation, handler: AnyHandler): AnyHandler {
  if (operation.shape !== 'page' && operation.shape !== 'bounded') return handler
  const filters = Object.entries(operation.unknownIds).flatMap(([name, answer]) =>
    answer === 'empty' ? [[name, tableOf(name)] as const] : [],
  )
  if (filters.length === 0) return handler
  return async (grant, input, context) => {
    const answer = await handler(grant, input, context)
    if (!answer || !Array.isArray(answer.data) || answer.data.length > 0) return answer
    const query = input.query as Readonly<Record<string, unknown>>
    const unknown_ids: string[] = []
    for (const [name, table] of filters) {
      const id = query[name]
      if (typeof id === 'string' && !(await isKnown(database, grant.clinic, table, id))) unknown_ids.push(name)
    }
    return unknown_ids.length === 0 ? answer : { ...answer, unknown_ids }
  }
}

function tableOf(name: string): Statement {
  const table = TABLES[name]
  if (table === undefined) throw new Error(`no table has the ids of ${name}`)
  return table
}

async function isKnown(database: Database, clinic: Clinic, table: Statement, id: string): Promise<boolean> {
  const rows = await database.read(
    clinic,
    sql`select from ${table} where clinic_id = ${clinic.clinic_id} and id = ${id}`,
  )
  return rows.length > 0
}
