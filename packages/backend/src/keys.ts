// API keys, as the operator and the console mint, list and revoke them. A key's plaintext leaves this package once and is stored nowhere.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { allScopes, KEY_CACHE_MS, type Scope } from '@clinic-data/contract'
import { requireName } from '@clinic-data/contract/given-name'
import { hashKey, makeKey } from '@clinic-data/contract/key'
import { type ClinicDatabase, sql, type Transaction, utcSession, violates, withInstants } from '@clinic-data/database'
import { untilWritesEnd } from './still-valid.ts'

export interface NewKey {
  clinic_id: string
  /** The purpose of the key. */
  name: string
  scopes: readonly Scope[]
  expires_at: Date | null
  /** Requests per window, instead of the default. */
  rate_limit: number | null
  now: Date
  /** The administrator who mints it in the console. Default: the operator. */
  made_by?: string | null
  /** The request's `Idempotency-Key`: it mints once in the clinic. */
  mint_request?: string | null
}

/** The key of this `mint_request` was minted already, and its plaintext shown. */
export class AlreadyMinted extends Error {
  override readonly name = 'AlreadyMinted'
}

/** Runs in the transaction of a change, with the id of what changed: a key, a token, a passkey. */
export type InSameTransaction = (tx: Transaction, id: string) => void

const NOTHING_ELSE: InSameTransaction = () => undefined

export interface ListedKey {
  id: string
  name: string
  first_characters: string
  last_characters: string
  scopes: Scope[]
  rate_limit: number | null
  created_at: string
  last_used_at: string | null
  expires_at: string | null
  revoked_at: string | null
}

export interface MintedKey extends ListedKey {
  /** The plaintext, shown once. */
  key: string
}

const HIGHEST_RATE_LIMIT = 1_000_000
const FIRST_CHARACTERS = 12
const LAST_CHARACTERS = 4

const listedColumns = sql`id, name, first_characters, last_characters, scopes, rate_limit, created_at, last_used_at,
  expires_at, revoked_at`

const listedKey = (row: ListedKey) => withInstants(row, 'created_at', 'last_used_at', 'expires_at', 'revoked_at')

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
  const { clinic_id, name, rate_limit, expires_at, now, made_by = null, mint_request = null } = minted
  const key = makeKey()
  const scopes = allScopes.filter((scope) => minted.scopes.includes(scope))
  const id = `key_${randomUUID()}`
  const insert = sql`insert into api_key (clinic_id, id, key_hash, first_characters, last_characters, name, scopes,
      rate_limit, created_at, expires_at, made_by, mint_request)
    values (${clinic_id}, ${id}, ${hashKey(key)}, ${key.slice(0, FIRST_CHARACTERS)},
      ${key.slice(-LAST_CHARACTERS)}, ${name}, ${scopes}, ${rate_limit}, ${now}, ${expires_at}, ${made_by}, ${mint_request})
    returning ${listedColumns}`
  try {
    return await owner.write(utcSession(clinic_id), async (tx) => {
      const { rows } = await tx.query<ListedKey>(insert)
      const [listed] = rows
      if (listed === undefined) throw new Error('the key was not stored')
      beside(tx, id)
      return { ...listedKey(listed), key }
    })
  } catch (error) {
    // Ids and hashes are random: only a repeated request meets another key.
    if (violates(error, 'unique') && mint_request !== null) throw new AlreadyMinted('', { cause: error })
    if (!violates(error, 'foreign key')) throw error
    throw new Error(`there is no clinic with the id ${clinic_id}`, { cause: error })
  }
}

/** The keys of a clinic, newest first, including revoked and expired ones. */
export async function listKeys(owner: ClinicDatabase, clinic_id: string): Promise<ListedKey[]> {
  const statement = sql`select ${listedColumns} from api_key where clinic_id = ${clinic_id} order by created_at desc, id`
  return (await owner.read<ListedKey>(utcSession(clinic_id), statement)).map(listedKey)
}

/** Whether a key is one of the clinic, neither revoked nor expired. */
export async function isUsable(
  owner: ClinicDatabase,
  { clinic_id, key, now }: { clinic_id: string; key: string; now: Date },
): Promise<boolean> {
  const statement = sql`select id from api_key where clinic_id = ${clinic_id} and key_hash = ${hashKey(key)}
    and revoked_at is null and (expires_at is null or expires_at > ${now})`
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
  const update = sql`update api_key set revoked_at = coalesce(revoked_at, ${now})
    where clinic_id = ${clinic_id} and id = ${id} returning ${listedColumns}`
  const revoked = await owner.write(utcSession(clinic_id), async (tx) => {
    const { rows } = await tx.query<ListedKey>(update)
    const [listed] = rows
    if (listed === undefined) throw new Error(`the clinic ${clinic_id} has no key with the id ${id}`)
    beside(tx, id)
    return listedKey(listed)
  })
  await untilWritesEnd(owner, { clinic_id, id })
  await wait(KEY_CACHE_MS)
  return revoked
}

function refuseUnsuitable({ name, scopes, expires_at, rate_limit, now }: NewKey): void {
  const refuse = (line: string) => {
    throw new Error(line)
  }
  requireName(name, "a key's")
  const unknown = scopes.filter((scope) => !allScopes.includes(scope))
  if (unknown.length > 0) refuse(`there is no scope ${unknown.join(', ')}`)
  if (expires_at !== null && !(expires_at > now)) refuse('a key must expire in the future')
  const isRate = Number.isInteger(rate_limit) && Number(rate_limit) >= 1 && Number(rate_limit) <= HIGHEST_RATE_LIMIT
  if (rate_limit !== null && !isRate) refuse(`a key's rate limit is a whole number from 1 to ${HIGHEST_RATE_LIMIT}`)
}
