// The clinic of a transaction, as settings for row level security and for the zone in which PostgreSQL prints instants.
//
// Each way of opening a transaction sets every setting that a policy reads. So what a statement may have set for its whole session opens
// nothing to those after it on the same connection.

export type ClinicSession = { readonly clinic_id: string; readonly time_zone: string }

/** For work that does not depend on the clinic's zone, or happens before it is known. */
export function utcSession(clinic_id: string): ClinicSession {
  return { clinic_id, time_zone: 'UTC' }
}

const CLINIC_ID = /^[a-z0-9][a-z0-9_-]{0,62}$/
const TIME_ZONE = /^[A-Za-z][A-Za-z0-9_+-]{0,31}(\/[A-Za-z][A-Za-z0-9_+-]{0,31}){0,2}$/
const KEY_HASH = /^[0-9a-f]{64}$/

/**
 * Uses `set local` with literals, because Citus forwards nothing else to its workers. So this function checks which characters may
 * be between the quotes.
 */
export function clinicSettings({ clinic_id, time_zone }: ClinicSession): string[] {
  if (!CLINIC_ID.test(clinic_id)) throw new TypeError('the clinic id of a session is malformed')
  if (!TIME_ZONE.test(time_zone)) throw new TypeError('the time zone of a session is malformed')
  return [...opened({ clinic_id }), `set local timezone to '${time_zone}'`]
}

/** An empty one opens nothing. */
function opened({ clinic_id = '', key_hash = '', dispatcher = '' }): string[] {
  return Object.entries({ clinic_id, key_hash, dispatcher }).map(
    ([name, value]) => `set local app.${name} to '${value}'`,
  )
}

/** For the only look-up before any clinic is known: shows the row of the key with this hash. */
export function keyHashSettings(hash: string): string[] {
  if (!KEY_HASH.test(hash)) throw new TypeError('the key hash of a session is malformed')
  return opened({ key_hash: hash })
}

/** For a dispatcher's work over all clinics: shows the queues' public columns, and to the owner the audit log. */
export const DISPATCHER_SETTINGS: readonly string[] = opened({ dispatcher: 'on' })

/**
 * A cluster's workers do not learn with which settings a connection was opened, so each transaction sets this one anew. PostgreSQL compiles a
 * plan that it believes to be dear. That takes up to a second, and no statement of ours runs long enough to gain it back.
 */
export const WORKER_SETTINGS: readonly string[] = ['set local jit to off']
