// The tokens of a clinic's own systems: minting, listing, revoking, and finding a token's owner. A token's plaintext is stored
// nowhere.

import type { Clinic } from '@clinic-data/contract'
import { requireName } from '@clinic-data/contract/given-name'
import { hashKey, isWellFormedKey, makeKey } from '@clinic-data/contract/key'
import { newId } from '@clinic-data/contract/new-id'
import { type ClinicDatabase, type Database, sql, utcSession, violates, withInstants } from '@clinic-data/database'
import { AlreadyMinted, type InSameTransaction } from '../keys.ts'
import { type Holder, untilWritesEnd } from '../still-valid.ts'

export interface ListedToken {
  id: string
  /** The system that holds it. */
  name: string
  first_characters: string
  last_characters: string
  created_at: string
  revoked_at: string | null
}

export interface MintedToken extends ListedToken {
  /** The plaintext, shown once. */
  token: string
}

/** The owner of a valid token. */
export interface IngestPrincipal {
  readonly token_id: string
  readonly clinic: Clinic
}

export function holderOf({ token_id: id, clinic: { clinic_id } }: IngestPrincipal): Holder {
  return { clinic_id, id }
}

const FIRST_CHARACTERS = 12
const LAST_CHARACTERS = 4
const PREFIX = 'it_live_'

const listedColumns = sql`id, name, first_characters, last_characters, created_at, revoked_at`

const listedToken = (row: ListedToken) => withInstants(row, 'created_at', 'revoked_at')

export interface NewToken {
  clinic_id: string
  name: string
  now: Date
  /** The administrator who mints it in the console. Default: the operator. */
  made_by?: string
  /** The request's `Idempotency-Key`: it mints once in the clinic. */
  mint_request?: string
}

const NOTHING_ELSE: InSameTransaction = () => undefined

/**
 * Mints a token.
 *
 * @param owner a database opened as the owner of the tables.
 * @param beside runs in the same transaction, last.
 * @throws Error with a line for the operator when the name is refused or there is no such clinic.
 * @throws AlreadyMinted
 */
export async function mintIngestToken(
  owner: ClinicDatabase,
  { clinic_id, name, now, made_by, mint_request }: NewToken,
  beside: InSameTransaction = NOTHING_ELSE,
): Promise<MintedToken> {
  requireName(name, "a token's")
  const token = makeKey(PREFIX)
  const id = newId('it', now)
  const insert = sql`insert into ingest_token (clinic_id, id, key_hash, first_characters, last_characters, name, created_at,
      made_by, mint_request)
    values (${clinic_id}, ${id}, ${hashKey(token)}, ${token.slice(0, FIRST_CHARACTERS)},
      ${token.slice(-LAST_CHARACTERS)}, ${name}, ${now}, ${made_by ?? null}, ${mint_request ?? null}) returning ${listedColumns}`
  try {
    return await owner.write(utcSession(clinic_id), async (tx) => {
      const { rows } = await tx.query<ListedToken>(insert)
      const [listed] = rows
      if (listed === undefined) throw new Error('the token was not stored')
      beside(tx, id)
      return { ...listedToken(listed), token }
    })
  } catch (error) {
    // Ids and hashes are random: only a repeated request meets another token.
    if (violates(error, 'unique') && mint_request !== undefined) throw new AlreadyMinted('', { cause: error })
    if (!violates(error, 'foreign key')) throw error
    throw new Error(`there is no clinic with the id ${clinic_id}`, { cause: error })
  }
}

/** The tokens of a clinic, newest first, including revoked ones. */
export async function listIngestTokens(owner: ClinicDatabase, clinic_id: string): Promise<ListedToken[]> {
  const statement = sql`select ${listedColumns} from ingest_token
    where clinic_id = ${clinic_id} order by created_at desc, id`
  return (await owner.read<ListedToken>(utcSession(clinic_id), statement)).map(listedToken)
}

/**
 * Revokes a token. From the commit on it is refused. Resolves once what it was writing is stored or undone. Revoking it again changes
 * nothing.
 *
 * @param beside runs in the same transaction, last.
 * @throws Error with a line for the operator when there is no such token.
 */
export async function revokeIngestToken(
  owner: ClinicDatabase,
  { clinic_id, id, now }: { clinic_id: string; id: string; now: Date },
  beside: InSameTransaction = NOTHING_ELSE,
): Promise<ListedToken> {
  const update = sql`update ingest_token set revoked_at = coalesce(revoked_at, ${now})
    where clinic_id = ${clinic_id} and id = ${id} returning ${listedColumns}`
  const listed = await owner.write(utcSession(clinic_id), async (tx) => {
    const { rows } = await tx.query<ListedToken>(update)
    const [revoked] = rows
    if (revoked === undefined) throw new Error(`the clinic ${clinic_id} has no ingest token with the id ${id}`)
    beside(tx, id)
    return listedToken(revoked)
  })
  await untilWritesEnd(owner, { clinic_id, id })
  return listed
}

/** Whether any clinic has a token that is valid. @param owner a database opened as the owner of the tables. */
export async function hasIngestTokens(owner: Database): Promise<boolean> {
  const { rows } = await owner.query(sql`select from ingest_token where revoked_at is null limit 1`)
  return rows.length > 0
}

/** The principal of a token, looked up for every request. Null when there is none or it was revoked. */
export async function ingestPrincipal(database: Database, token: string): Promise<IngestPrincipal | null> {
  if (!isWellFormedKey(token, PREFIX)) return null
  const hash = hashKey(token)
  const [found] = await database.readByKeyHash<{ id: string; clinic_id: string }>(
    hash,
    sql`select id, clinic_id from ingest_token where key_hash = ${hash} and revoked_at is null`,
  )
  if (found === undefined) return null
  const [clinic] = await database.read<Clinic>(
    utcSession(found.clinic_id),
    sql`select clinic_id, time_zone, country, currency, week_start, min_visit_minutes from clinic
      where clinic_id = ${found.clinic_id} and closed_at is null`,
  )
  return clinic === undefined ? null : { token_id: found.id, clinic }
}
