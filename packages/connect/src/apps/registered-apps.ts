// The apps that the operator registers, and those that the operator disables.
import { requireName } from '@clinic-data/contract/given-name'
import { hashKey, makeKey } from '@clinic-data/contract/key'
import { newId } from '@clinic-data/contract/new-id'
import { type Database, sql, withInstants } from '@clinic-data/database'
import type { JsonObject } from '../json-object.ts'
import type { AppAuthentication } from './app.ts'
import { isBuiltIn } from './apps.ts'
import { jwksFault } from './assertion-keys.ts'
import { redirectFault } from './redirects.ts'

export interface NewApp {
  readonly name: string
  readonly redirect_uris: readonly string[]
  readonly authentication: AppAuthentication
  /** For `private_key_jwt`. */
  readonly jwks: JsonObject | null
  readonly now: Date
}

export interface ListedApp {
  id: string
  kind: 'registered' | 'self_registered' | 'document'
  name: string
  authentication: AppAuthentication
  redirect_uris: string[]
  former_secret_until: string | null
  created_at: string
  last_used_at: string | null
  disabled_at: string | null
}

export interface AppWithSecret extends ListedApp {
  /** The plaintext, shown once. Null: the app has none. */
  secret: string | null
}

type Owner = Pick<Database, 'query'>

/** An app's servers take its new secret one after the other. */
const FORMER_SECRET_MS = 24 * 60 * 60_000

const listedColumns = sql`id, kind, name, authentication, redirect_uris, former_secret_until, created_at, last_used_at, disabled_at`
const listed = (row: ListedApp) => withInstants(row, 'former_secret_until', 'created_at', 'last_used_at', 'disabled_at')

/** @throws Error with a line for the operator that says everything that is wrong. */
export async function createApp(owner: Owner, app: NewApp): Promise<AppWithSecret> {
  const { name, redirect_uris, authentication, jwks, now } = app
  requireName(name, "an app's")
  const faults = redirect_uris.flatMap((uri) => {
    const fault = redirectFault(uri)
    return fault === null ? [] : [`the redirect ${uri} ${fault}`]
  })
  const keyFault = authentication === 'private_key_jwt' ? jwksFault(jwks) : null
  if (keyFault !== null) faults.push(`the file of keys ${keyFault}`)
  if (faults.length > 0) throw new Error(faults.join('; '))
  const secret = authentication === 'client_secret' ? makeKey('oas_live_') : null
  const { rows } = await owner.query<ListedApp>(sql`
    insert into app (id, kind, name, redirect_uris, authentication, secret_hash, jwks, created_at)
    values (${newId('app', now)}, 'registered', ${name}, ${redirect_uris}, ${authentication},
      ${secret === null ? null : hashKey(secret)}, ${jwks === null ? null : JSON.stringify(jwks)}::jsonb, ${now})
    returning ${listedColumns}`)
  return { ...only(rows, name), secret }
}

/** Newest first, also disabled ones. */
export async function listApps(owner: Owner): Promise<ListedApp[]> {
  const { rows } = await owner.query<ListedApp>(sql`select ${listedColumns} from app order by created_at desc, id`)
  return rows.map(listed)
}

/** @throws Error with a line for the operator when there is none. */
export async function showApp(owner: Owner, id: string): Promise<ListedApp> {
  const { rows } = await owner.query<ListedApp>(sql`select ${listedColumns} from app where id = ${id}`)
  return only(rows, id)
}

/** Gives an app another secret. The one before is good for a day, and any older one no longer. */
export async function rotateAppSecret(owner: Owner, id: string, now: Date): Promise<AppWithSecret> {
  const { authentication, disabled_at } = await showApp(owner, id)
  if (authentication !== 'client_secret') throw new Error(`the app ${id} has no secret`)
  if (disabled_at !== null) throw new Error(`the app ${id} was disabled at ${disabled_at}`)
  const secret = makeKey('oas_live_')
  const { rows } = await owner.query<ListedApp>(sql`
    update app set former_secret_hash = secret_hash, former_secret_until = ${new Date(now.getTime() + FORMER_SECRET_MS)},
      secret_hash = ${hashKey(secret)}
    where id = ${id} and authentication = 'client_secret' and disabled_at is null returning ${listedColumns}`)
  return { ...only(rows, id), secret }
}

/** Disables an app for good. One that is known by its document gets a row of that. Its connections are ended by `endConnectionsOfApp`. */
export async function disableApp(owner: Owner, id: string, now: Date): Promise<ListedApp> {
  if (isBuiltIn(id)) throw new Error(`${id} is a part of this product, and is not disabled`)
  if (id.startsWith('https://') && URL.canParse(id)) {
    await owner.query(sql`insert into app (id, kind, name, redirect_uris, authentication, created_at)
      values (${id}, 'document', ${new URL(id).hostname.slice(0, 200)}, '{}', 'none', ${now}) on conflict (id) do nothing`)
  }
  const { rows } = await owner.query<ListedApp>(sql`
    update app set disabled_at = coalesce(disabled_at, ${now}) where id = ${id} returning ${listedColumns}`)
  return only(rows, id)
}

function only(rows: readonly ListedApp[], id: string): ListedApp {
  const [row] = rows
  if (row === undefined) throw new Error(`there is no app ${id}; clinicd apps list shows all`)
  return listed(row)
}
