// Keys of the API and tokens of a clinic's own systems, in what both are: a secret that is shown once and stored as a hash. It is minted
// once a request, listed with a few of its characters, and revoked for good.
import { hashKey } from '@clinic-data/contract/key'
import { type ClinicDatabase, type Statement, sql, type Transaction, utcSession, violates } from '@clinic-data/database'
import { untilWritesEnd } from '@clinic-data/surface/still-valid'

/** A kind of credential, whose rows are listed as `Listed`. */
export interface CredentialKind<Listed> {
  /** Its word in an operator's messages. */
  readonly noun: string
  readonly table: Statement
  readonly listedColumns: Statement
  /** Which rows of the table are of this kind. */
  readonly isOne: Statement
  /** Times of the database become instants. */
  readonly listed: (row: Listed) => Listed
}

export interface MintedCredential {
  readonly clinic_id: string
  readonly id: string
  readonly secret: string
  readonly now: Date
  /** The administrator who mints it in the console. Null: the operator. */
  readonly made_by: string | null
  /** The request's `Idempotency-Key`: it mints once in the clinic. */
  readonly mint_request: string | null
  /** The columns that only this kind has, and their values. Runs in the same transaction, first. */
  readonly own: (tx: Transaction) => Promise<readonly [columns: Statement, values: Statement]>
}

/** The credential of this `mint_request` was minted already, and its plaintext shown. */
export class AlreadyMinted extends Error {
  override readonly name = 'AlreadyMinted'
}

/** Runs in the transaction of a change, with the id of what changed: a key, a token, a passkey. */
export type InSameTransaction = (tx: Transaction, id: string) => void

export const NOTHING_ELSE: InSameTransaction = () => undefined

const FIRST_CHARACTERS = 12
const LAST_CHARACTERS = 4

/**
 * @param beside runs in the same transaction, last.
 * @throws Error with a line for the operator when there is no such clinic.
 * @throws AlreadyMinted
 */
export async function mintCredential<Listed>(
  owner: ClinicDatabase,
  kind: CredentialKind<Listed>,
  minted: MintedCredential,
  beside: InSameTransaction,
): Promise<Listed> {
  const { clinic_id, id, secret, now, made_by, mint_request, own } = minted
  const insert = async (tx: Transaction) => {
    const [columns, values] = await own(tx)
    return sql`insert into ${kind.table} (clinic_id, id, key_hash, first_characters, last_characters, created_at, made_by,
        mint_request, ${columns})
      values (${clinic_id}, ${id}, ${hashKey(secret)}, ${secret.slice(0, FIRST_CHARACTERS)}, ${secret.slice(-LAST_CHARACTERS)},
        ${now}, ${made_by}, ${mint_request}, ${values})
      returning ${kind.listedColumns}`
  }
  try {
    return await changed(owner, kind, insert, minted, beside, `the ${kind.noun} was not stored`)
  } catch (error) {
    // Ids and hashes are random: only a repeated request meets another one.
    if (violates(error, 'unique') && mint_request !== null) throw new AlreadyMinted('', { cause: error })
    if (!violates(error, 'foreign key')) throw error
    throw new Error(`there is no clinic with the id ${clinic_id}`, { cause: error })
  }
}

/** Those of a clinic, newest first, including revoked and expired ones. */
export async function listCredentials<Listed extends object>(
  owner: ClinicDatabase,
  { table, listedColumns, isOne, listed }: CredentialKind<Listed>,
  clinic_id: string,
): Promise<Listed[]> {
  const statement = sql`select ${listedColumns} from ${table}
    where clinic_id = ${clinic_id} and ${isOne} order by created_at desc, id`
  return (await owner.read<Listed>(utcSession(clinic_id), statement)).map(listed)
}

/**
 * Revokes one. Resolves once what it was writing is stored or undone. Revoking it again changes nothing.
 *
 * @param beside runs in the same transaction, last.
 * @throws Error with a line for the operator when there is none with this id.
 */
export async function revokeCredential<Listed>(
  owner: ClinicDatabase,
  kind: CredentialKind<Listed>,
  { clinic_id, id, now }: { clinic_id: string; id: string; now: Date },
  beside: InSameTransaction,
): Promise<Listed> {
  const update = sql`update ${kind.table} set revoked_at = coalesce(revoked_at, ${now})
    where clinic_id = ${clinic_id} and id = ${id} and ${kind.isOne} returning ${kind.listedColumns}`
  const unknown = `the clinic ${clinic_id} has no ${kind.noun} with the id ${id}`
  const revoked = await changed(owner, kind, async () => update, { clinic_id, id }, beside, unknown)
  await untilWritesEnd(owner, { clinic_id, id })
  return revoked
}

async function changed<Listed>(
  owner: ClinicDatabase,
  { listed }: CredentialKind<Listed>,
  statement: (tx: Transaction) => Promise<Statement>,
  { clinic_id, id }: { clinic_id: string; id: string },
  beside: InSameTransaction,
  otherwise: string,
): Promise<Listed> {
  return owner.write(utcSession(clinic_id), async (tx) => {
    const { rows } = await tx.query<Listed & object>(await statement(tx))
    const [row] = rows
    if (row === undefined) throw new Error(otherwise)
    beside(tx, id)
    return listed(row)
  })
}
