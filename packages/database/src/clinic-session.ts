// The clinic of a transaction, as the settings that row level security and PostgreSQL's printing of instants follow.

export type ClinicSession = { readonly clinic_id: string; readonly time_zone: string }

const CLINIC_ID = /^[a-z0-9][a-z0-9_-]{0,62}$/
const TIME_ZONE = /^[A-Za-z][A-Za-z0-9_+-]{0,31}(\/[A-Za-z][A-Za-z0-9_+-]{0,31}){0,2}$/
const KEY_HASH = /^[0-9a-f]{64}$/

/**
 * As `set local` with literals, because Citus sends nothing else on to its workers; so what may stand between the quotes
 * is decided here, where the text is built.
 */
export function clinicSettings({ clinic_id, time_zone }: ClinicSession): string {
  if (!CLINIC_ID.test(clinic_id)) throw new TypeError('the clinic id of a session is malformed')
  if (!TIME_ZONE.test(time_zone)) throw new TypeError('the time zone of a session is malformed')
  return `set local app.clinic_id to '${clinic_id}'; set local timezone to '${time_zone}'`
}

/** For the one look-up that comes before any clinic is known: the row of the key with this hash. */
export function keyHashSetting(hash: string): string {
  if (!KEY_HASH.test(hash)) throw new TypeError('the key hash of a session is malformed')
  return `set local app.key_hash to '${hash}'`
}

/** For a dispatcher's look over all clinics: visible is what their queues show of themselves. */
export const DISPATCHER_SETTING = "set local app.dispatcher to 'on'"
