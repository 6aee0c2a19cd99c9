// A person's answer to a device without a browser, which is named by the code that it shows.
import type { ShownAccess } from '@clinic-data/console-contract/connect-operations'
import { Problem, type Scope } from '@clinic-data/contract'
import type { Audience } from '@clinic-data/contract/grant'
import { type Database, sql } from '@clinic-data/database'
import type { App } from '../apps/app.ts'
import type { Apps } from '../apps/apps.ts'
import { readUserCode } from '../tokens/device-request.ts'
import { CODE_MS, later } from '../tokens/lifetimes.ts'
import { appOfRequest } from './app-of-request.ts'
import { shownAccess } from './consent.ts'
import { type Allowed, type Consenting, connect } from './new-connection.ts'
import { standingOf } from './standing.ts'
import type { WrongGuesses } from './wrong-guesses.ts'

export interface DeviceConsentParts {
  readonly apps: Pick<Apps, 'find'>
  /** The requests of devices belong to no clinic yet. */
  readonly database: Pick<Database, 'query'>
  readonly guesses: WrongGuesses
}

interface Waiting {
  readonly app: App
  readonly user_code: string
  readonly scopes: readonly Scope[]
  readonly audience: Audience | null
}

/** @throws Problem 404 for an unknown or expired code, 429 after too many of them. */
export async function lookAtDevice(parts: DeviceConsentParts, person: Consenting, typed: string): Promise<ShownAccess> {
  const found = await waiting(parts, person, typed)
  return shownAccess(found, await standingOf(person.database, person.clinic, found.app))
}

/** @throws Problem as `lookAtDevice`, 422 for scopes that were not asked for, 403 for an app that the clinic does not allow, 409 when it was answered before. */
export async function allowDevice(
  parts: DeviceConsentParts,
  person: Consenting,
  typed: string,
  allowed: Allowed,
): Promise<void> {
  const { app, audience, scopes: requested, user_code } = await waiting(parts, person, typed)
  const { now, clinic } = person
  await connect(person, {
    app,
    audience,
    place: 'device',
    requested,
    allowed,
    store: async (tx, id) => {
      const { rows } = await tx.query<{ device_hash: string }>(sql`update device_request set state = 'allowed'
        where user_code = ${user_code} and state = 'waiting' and expires_at > ${now} returning device_hash`)
      const [row] = rows
      if (row === undefined) throw unknownCode()
      // The device asks every few seconds: it has as long as an app has for its code.
      tx.send(sql`insert into connection_token (clinic_id, token_hash, kind, connection_id, created_at, expires_at)
        values (${clinic.clinic_id}, ${row.device_hash}, 'device', ${id}, ${now}, ${later(now, CODE_MS)})`)
    },
  })
}

/** @throws Problem as `lookAtDevice`. */
export async function refuseDevice(parts: DeviceConsentParts, person: Consenting, typed: string): Promise<void> {
  const { user_code } = await waiting(parts, person, typed)
  await person.database.write(person.clinic, async (tx) => {
    await tx.query(
      sql`update device_request set state = 'refused' where user_code = ${user_code} and state = 'waiting'`,
    )
    person.record(tx, [])
  })
}

async function waiting(
  { apps, database, guesses }: DeviceConsentParts,
  { clinic: { clinic_id }, administrator_id, now }: Consenting,
  typed: string,
): Promise<Waiting> {
  const who = `${clinic_id} ${administrator_id}`
  guesses.refuseTooMany(who, now)
  const user_code = readUserCode(typed)
  const { rows } = await database.query<{ app_id: string; scopes: Scope[]; audience: Audience | null }>(sql`
    update device_request set looked_at = ${now}
    where user_code = ${user_code} and state = 'waiting' and expires_at > ${now} returning app_id, scopes, audience`)
  const [row] = rows
  const app = row === undefined ? null : await appOfRequest(apps, { clinic_id, id: row.app_id }, '#/user_code')
  if (row === undefined || app === null || user_code === null) {
    guesses.count(who, now)
    throw unknownCode()
  }
  const { scopes, audience } = row
  return { app, user_code, scopes, audience }
}

function unknownCode(): Problem {
  return new Problem(
    'not-found',
    'No device waits with this code. Codes last ten minutes: ask the device for a new one.',
  )
}
