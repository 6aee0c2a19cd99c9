// The tokens of a clinic's own systems: minting, listing, revoking, and finding a token's owner. A token's plaintext is stored
// nowhere.

import type { Clinic } from '@clinic-data/contract'
import { requireName } from '@clinic-data/contract/given-name'
import { hashKey, isWellFormedKey, makeKey } from '@clinic-data/contract/key'
import { newId } from '@clinic-data/contract/new-id'
import { type ClinicDatabase, type Database, sql, utcSession, withInstants } from '@clinic-data/database'
import type { Holder } from '@clinic-data/surface/still-valid'
import {
  type CredentialKind,
  type InSameTransaction,
  listCredentials,
  mintCredential,
  NOTHING_ELSE,
  revokeCredential,
} from './credentials.ts'

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

const PREFIX = 'it_live_'

const TOKENS: CredentialKind<ListedToken> = {
  noun: 'ingest token',
  table: sql`ingest_token`,
  listedColumns: sql`id, name, first_characters, last_characters, created_at, revoked_at`,
  isOne: sql`true`,
  listed: (row) => withInstants(row, 'created_at', 'revoked_at'),
}

export interface NewToken {
  clinic_id: string
  name: string
  now: Date
  /** The administrator who mints it in the console. Default: the operator. */
  made_by?: string | null
  /** The request's `Idempotency-Key`: it mints once in the clinic. */
  mint_request?: string | null
}

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
  { name, made_by = null, mint_request = null, ...minted }: NewToken,
  beside: InSameTransaction = NOTHING_ELSE,
): Promise<MintedToken> {
  requireName(name, "a token's")
  const token = makeKey(PREFIX)
  const listed = await mintCredential(
    owner,
    TOKENS,
    {
      ...minted,
      id: newId('it', minted.now),
      secret: token,
      made_by,
      mint_request,
      own: async () => [sql`name`, sql`${name}`],
    },
    beside,
  )
  return { ...listed, token }
}

/** The tokens of a clinic, newest first, including revoked ones. */
export function listIngestTokens(owner: ClinicDatabase, clinic_id: string): Promise<ListedToken[]> {
  return listCredentials(owner, TOKENS, clinic_id)
}

/**
 * Revokes a token. From the commit on it is refused. Resolves once what it was writing is stored or undone. Revoking it again changes
 * nothing.
 *
 * @param beside runs in the same transaction, last.
 * @throws Error with a line for the operator when there is no such token.
 */
export function revokeIngestToken(
  owner: ClinicDatabase,
  revoked: { clinic_id: string; id: string; now: Date },
  beside: InSameTransaction = NOTHING_ELSE,
): Promise<ListedToken> {
  return revokeCredential(owner, TOKENS, revoked, beside)
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
