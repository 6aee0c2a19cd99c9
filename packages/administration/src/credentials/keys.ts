// API keys, as the operator and the console mint, list and revoke them. A key's plaintext leaves this package once and is stored nowhere.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { allScopes, KEY_CACHE_MS, type Scope } from '@clinic-data/contract'
import { formats } from '@clinic-data/contract/formats'
import { requireName } from '@clinic-data/contract/given-name'
import { hashKey, makeKey } from '@clinic-data/contract/key'
import { NETWORKS, readNetwork, spelledNetworks } from '@clinic-data/contract/network'
import {
  type ClinicDatabase,
  type Statement,
  sql,
  type Transaction,
  utcSession,
  withInstants,
} from '@clinic-data/database'
import { type IntegrationChoice, integrationFor } from '@clinic-data/webhooks/integrations/integration'
import {
  type CredentialKind,
  type InSameTransaction,
  listCredentials,
  mintCredential,
  NOTHING_ELSE,
  revokeCredential,
} from './credentials.ts'

export interface NewKey extends IntegrationChoice {
  clinic_id: string
  /** The purpose of the key. */
  name: string
  scopes: readonly Scope[]
  expires_at: Date | null
  /** Requests per window, instead of the default. */
  rate_limit: number | null
  /** The addresses and CIDR blocks from which alone it may be used. Default: from anywhere. */
  networks?: readonly string[] | null
  now: Date
  /** The administrator who mints it in the console. Default: the operator. */
  made_by?: string | null
  /** The request's `Idempotency-Key`: it mints once in the clinic. */
  mint_request?: string | null
  /** Runs in the same transaction, first. */
  before?: (tx: Transaction) => Promise<void>
}

export interface ListedKey {
  id: string
  name: string
  first_characters: string
  last_characters: string
  scopes: Scope[]
  rate_limit: number | null
  networks: string[] | null
  created_at: string
  last_used_at: string | null
  expires_at: string | null
  revoked_at: string | null
  /** Its integration is stopped. */
  stopped_at: string | null
}

export interface MintedKey extends ListedKey {
  /** The plaintext, shown once. */
  key: string
}

const HIGHEST_RATE_LIMIT = 1_000_000

const KEYS: CredentialKind<ListedKey> = {
  noun: 'key',
  table: sql`api_key`,
  listedColumns: sql`id, name, first_characters, last_characters, scopes, rate_limit, networks, created_at, last_used_at, expires_at, revoked_at,
    stopped_at`,
  isOne: isNoConnection(sql`id`),
  listed: (row) => withInstants(row, 'created_at', 'last_used_at', 'expires_at', 'revoked_at', 'stopped_at'),
}

/**
 * A connection of an app has a row among the keys, and is neither listed nor revoked as one. By the form of its id: on a cluster an update
 * with a look into another table would hold up all clinics.
 */
export function isNoConnection(id: Statement): Statement {
  return sql`left(${id}, 4) <> 'con_'`
}

/**
 * Mints a key.
 *
 * @param owner a database opened as the owner of the tables.
 * @param beside runs in the same transaction, last.
 * @throws Error with a line for the operator when a value is refused or there is no such clinic.
 * @throws AlreadyMinted
 */
export async function mintKey(
  owner: ClinicDatabase,
  minted: NewKey,
  beside: InSameTransaction = NOTHING_ELSE,
): Promise<MintedKey> {
  refuseUnsuitable(minted)
  const { clinic_id, name, rate_limit, expires_at, made_by = null, mint_request = null, now } = minted
  const id = `key_${randomUUID()}`
  const networks = spelledNetworks(minted.networks ?? null)
  const key = makeKey()
  const scopes = allScopes.filter((scope) => minted.scopes.includes(scope))
  const listed = await mintCredential(
    owner,
    KEYS,
    {
      ...minted,
      id,
      secret: key,
      made_by,
      mint_request,
      own: async (tx) => {
        await minted.before?.(tx)
        const { integration_id: chosen, integration_name } = minted
        const member = { clinic_id, id, name, integration_id: chosen, integration_name, mint_request, now }
        const integration_id = await integrationFor(tx, member)
        return [
          sql`name, scopes, rate_limit, networks, expires_at, integration_id`,
          sql`${name}, ${scopes}, ${rate_limit}, ${networks}, ${expires_at}, ${integration_id}`,
        ]
      },
    },
    beside,
  )
  return { ...listed, key }
}

/** The keys of a clinic, newest first, including revoked and expired ones. */
export function listKeys(owner: ClinicDatabase, clinic_id: string): Promise<ListedKey[]> {
  return listCredentials(owner, KEYS, clinic_id)
}

/** Whether a key is one of the clinic, neither revoked nor expired. */
export async function isUsable(
  owner: ClinicDatabase,
  { clinic_id, key, now }: { clinic_id: string; key: string; now: Date },
): Promise<boolean> {
  const statement = sql`select id from api_key where clinic_id = ${clinic_id} and key_hash = ${hashKey(key)}
    and ${isNoConnection(sql`id`)} and revoked_at is null and stopped_at is null and (expires_at is null or expires_at > ${now})`
  return (await owner.read(utcSession(clinic_id), statement)).length > 0
}

/**
 * Revokes a key. Resolves once it is refused everywhere, and what it was writing is stored or undone: a cached positive answer about
 * it is used for at most `KEY_CACHE_MS` after the commit. Revoking it again changes nothing.
 *
 * @param wait waits that long.
 * @param beside runs in the same transaction, last.
 * @throws Error with a line for the operator when there is no such key.
 */
export async function revokeKey(
  owner: ClinicDatabase,
  { clinic_id, id, now }: { clinic_id: string; id: string; now: Date },
  wait: (ms: number) => Promise<unknown> = delay,
  beside: InSameTransaction = NOTHING_ELSE,
): Promise<ListedKey> {
  const revoked = await revokeCredential(owner, KEYS, { clinic_id, id, now }, beside)
  await wait(KEY_CACHE_MS)
  return revoked
}

function refuseUnsuitable({ name, scopes, expires_at, rate_limit, networks, now }: NewKey): void {
  const refuse = (line: string) => {
    throw new Error(line)
  }
  requireName(name, "a key's")
  const unknown = scopes.filter((scope) => !allScopes.includes(scope))
  if (unknown.length > 0) refuse(`there is no scope ${unknown.join(', ')}`)
  if (expires_at !== null && !(expires_at > now)) refuse('a key must expire in the future')
  const [wrong] = (networks ?? []).filter((network) => readNetwork(network) === null)
  if (wrong !== undefined) refuse(`${wrong} ${formats.network?.hint}`)
  const isCount = networks === undefined || networks === null || (networks.length > 0 && networks.length <= NETWORKS)
  if (!isCount) refuse(`a key is bound to 1 to ${NETWORKS} networks`)
  const isRate = Number.isInteger(rate_limit) && Number(rate_limit) >= 1 && Number(rate_limit) <= HIGHEST_RATE_LIMIT
  if (rate_limit !== null && !isRate) refuse(`a key's rate limit is a whole number from 1 to ${HIGHEST_RATE_LIMIT}`)
}
