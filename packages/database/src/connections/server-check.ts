// Checks a server and a login before any other request.

import { type Statement, sql } from '../sql.ts'
import { POOLER_ADVICE } from './database-failure.ts'
import type { StatementResult } from './transaction.ts'

export type ServerFacts = { isCluster: boolean }

/** Runs one statement as the login under test. */
export type Ask = <R extends object>(statement: Statement) => Promise<StatementResult<R>>

/**
 * @param servesRequests whether row level security must bind the login, under every role that it can set.
 * @throws Error with a line for the operator when the server or the login does not fit.
 */
export async function checkServer(ask: Ask, servesRequests: boolean): Promise<ServerFacts> {
  const { rows } = await ask<{
    version: number
    encoding: string
    login: string
    propagation: string | null
    is_cluster: boolean
  }>(sql`
    select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
      session_user::text as login, current_setting('citus.propagate_set_commands', true) as propagation, exists (select from pg_extension where extname = 'citus') as is_cluster`)
  const [found] = rows
  if (found === undefined) throw new Error('the database did not tell its version')
  if (found.version < 150_000) throw new Error(`PostgreSQL 15 or later is needed, this one is ${found.version}`)
  if (found.encoding !== 'UTF8') throw new Error(`the database's encoding must be UTF8, it is ${found.encoding}`)
  // One of the settings with which each connection is opened.
  if (found.propagation !== 'local') throw new Error(`the database drops the settings of connections: ${POOLER_ADVICE}`)
  if (servesRequests) await requireBound(ask, found.login)
  return { isCluster: found.is_cluster }
}

/** PostgreSQL's own roles that see every row or the server's files. */
const POWERFUL = [
  ...['pg_read_all_data', 'pg_write_all_data'],
  ...['pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program'],
]

/** Checks the login itself and every role that it is a member of: it could become each of them. */
async function requireBound(ask: Ask, login: string): Promise<void> {
  const { rows } = await ask<{ name: string }>(sql`
    select rolname::text as name from pg_roles
    where pg_has_role(session_user, oid, 'member') and (rolsuper or rolbypassrls or rolcreaterole or rolreplication
      or rolname = any(${POWERFUL}::text[])
      or oid in (select relowner from pg_class where relrowsecurity)
      or oid in (select nspowner from pg_namespace where nspname = 'public'))
    order by rolname <> session_user, 1 limit 1`)
  const [found] = rows
  if (found === undefined) return
  const why = found.name === login ? '' : `: it is a member of ${found.name}`
  throw new Error(`the login ${login} is not bound by row level security${why}; requests are served as another`)
}
