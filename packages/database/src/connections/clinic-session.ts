// The clinic of a transaction, as settings for row level security and for the zone in which PostgreSQL prints instants.
//
// Each way of opening a transaction sets every setting that a policy reads. So what a statement may have set for its whole session opens
// nothing to those after it on the same connection.

import { hash } from 'node:crypto'
import type { RenderedStatement } from '../sql.ts'

export type ClinicSession = { readonly clinic_id: string; readonly time_zone: string }

/** For work that does not depend on the clinic's zone, or happens before it is known. */
export function utcSession(clinic_id: string): ClinicSession {
  return { clinic_id, time_zone: 'UTC' }
}

const CLINIC_ID = /^[a-z0-9][a-z0-9_-]{0,62}$/
const TIME_ZONE = /^[A-Za-z][A-Za-z0-9_+-]{0,31}(\/[A-Za-z][A-Za-z0-9_+-]{0,31}){0,2}$/
const KEY_HASH = /^[0-9a-f]{64}$/

/** Settings that hold for one transaction, by their names. */
export type Settings = Readonly<Record<string, string>>

/** Checks the characters of the values, because `setLocal` puts them between quotes. */
export function clinicSettings({ clinic_id, time_zone }: ClinicSession): Settings {
  if (!CLINIC_ID.test(clinic_id)) throw new TypeError('the clinic id of a session is malformed')
  if (!TIME_ZONE.test(time_zone)) throw new TypeError('the time zone of a session is malformed')
  return { ...opened({ clinic_id }), timezone: time_zone }
}

/** An empty one opens nothing. */
function opened({ clinic_id = '', key_hash = '', dispatcher = '' }): Settings {
  return { 'app.clinic_id': clinic_id, 'app.key_hash': key_hash, 'app.dispatcher': dispatcher }
}

/** For the only look-up before any clinic is known: shows the row of the key with this hash. */
export function keyHashSettings(hash: string): Settings {
  if (!KEY_HASH.test(hash)) throw new TypeError('the key hash of a session is malformed')
  return opened({ key_hash: hash })
}

/** For a dispatcher's work over all clinics: shows the queues' public columns, and to the owner the audit log. */
export const DISPATCHER_SETTINGS: Settings = opened({ dispatcher: 'on' })

/**
 * A cluster's workers do not learn with which settings a connection was opened, so each transaction sets this one anew. PostgreSQL compiles a
 * plan that it believes to be dear. That takes up to a second, and no statement of ours runs long enough to gain it back.
 */
export const WORKER_SETTINGS: Settings = { jit: 'off' }

/** As statements with literals: Citus forwards nothing else to its workers. */
export function setLocal(settings: Settings): string[] {
  return Object.entries(settings).map(([name, value]) => `set local ${name} to '${value}'`)
}

/** As one statement that a connection keeps prepared. */
export function setPrepared(settings: Settings): RenderedStatement {
  const names = Object.keys(settings)
  const key = names.join()
  let form = preparedForms.get(key)
  if (form === undefined) {
    const text = `select ${names.map((name, i) => `pg_catalog.set_config('${name}', $${i + 1}, true)`).join(', ')}`
    form = { name: hash('sha1', text, 'base64url'), text }
    preparedForms.set(key, form)
  }
  const { name, text } = form
  return { name, text, values: Object.values(settings) }
}

/** By the names of the settings, whose sets are few. */
const preparedForms = new Map<string, { name: string; text: string }>()

/** It forbids its transaction to write too. */
export function setForRead(settings: Settings): RenderedStatement {
  return setPrepared({ transaction_read_only: 'on', ...settings })
}
