// Codes and tokens as they are stored: found by the hash before their clinic is known, and read again under the connection's lock.
import { type Database, instant, sql, type Transaction } from '@clinic-data/database'

export type TokenKind = 'code' | 'device' | 'refresh' | 'access'

/** The connection of a code or token. */
export interface TokenPlace {
  readonly clinic_id: string
  /** The connection's. */
  readonly id: string
  readonly kind: TokenKind
}

/** Null unless there is one of these kinds. */
export async function placeOfToken(
  database: Pick<Database, 'readByKeyHash'>,
  token_hash: string,
  kinds: readonly TokenKind[],
): Promise<TokenPlace | null> {
  const [found] = await database.readByKeyHash<TokenPlace>(
    token_hash,
    sql`select clinic_id, connection_id as id, kind from connection_token
      where token_hash = ${token_hash} and kind = any(${kinds}::text[])`,
  )
  return found ?? null
}

export interface StoredToken {
  readonly expiresAt: Date
  readonly usedAt: Date | null
  /** Only a code has one, and a challenge. */
  readonly redirectUri: string | null
  readonly codeChallenge: string | null
}

interface TokenRow {
  expires_at: string
  used_at: string | null
  redirect_uri: string | null
  code_challenge: string | null
}

/** Leaves with the next awaited statement. @returns what reads the answer then: null if the token was removed meanwhile. */
export function sendStoredToken(tx: Transaction, clinic_id: string, token_hash: string): () => StoredToken | null {
  const answer = tx.send<TokenRow>(sql`select expires_at, used_at, redirect_uri, code_challenge
    from connection_token where clinic_id = ${clinic_id} and token_hash = ${token_hash}`)
  return () => {
    const [row] = answer().rows
    return row === undefined ? null : shown(row)
  }
}

function shown({ expires_at, used_at, redirect_uri, code_challenge }: TokenRow): StoredToken {
  return {
    expiresAt: dateOf(expires_at),
    usedAt: used_at === null ? null : dateOf(used_at),
    redirectUri: redirect_uri,
    codeChallenge: code_challenge,
  }
}

export function isOver({ expiresAt }: StoredToken, now: Date): boolean {
  return expiresAt <= now
}

function dateOf(text: string): Date {
  return new Date(instant(text) ?? '')
}
