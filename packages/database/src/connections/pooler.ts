// A pooler such as PgBouncer between us and PostgreSQL. It may refuse the settings of a greeting, so they are set by a statement. Then each
// connection must keep its session: where every transaction may get another one, settings and notices are lost.

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Client } from 'pg'
import { UnfitPooler } from './database-failure.ts'

/** A notice takes milliseconds. */
const HEARD_MS = 5_000

/**
 * A connection that says nothing hears what another one says, if its session is still its own.
 * @throws UnfitPooler when it does not, or when the other one hears it.
 */
export async function requireSessions(listening: Client, telling: Client): Promise<void> {
  const channel = `session_${randomBytes(8).toString('hex')}`
  const signal = AbortSignal.timeout(HEARD_MS)
  const heard = (client: Client) => once(client, 'notification', { signal }).then(() => client, unheard)
  const [isHeard, sending] = [Promise.race([heard(listening), heard(telling)]), tell()]
  const [by] = await Promise.all([isHeard, sending])
  if (by !== listening) throw new UnfitPooler('the database gives a connection another session for each transaction')

  async function tell(): Promise<void> {
    await listening.query(`listen ${channel}`)
    await telling.query(`notify ${channel}`)
  }
}

/** A connection that broke is no answer. */
function unheard(error: Error): null {
  if (error.name !== 'AbortError') throw error
  return null
}

/** Sets them for the session. @returns whether the server is a standby, which a pooler does not tell with its greeting. */
export async function setInSession(client: Client, settings: Readonly<Record<string, string>>): Promise<boolean> {
  const { rows } = await client.query<{ is_standby: boolean }>(
    `select pg_is_in_recovery() as is_standby, count(set_config(name, value, false))
     from unnest($1::text[], $2::text[]) as input (name, value)`,
    [Object.keys(settings), Object.values(settings)],
  )
  return rows[0]?.is_standby === true
}
