// The pairings of a person: rows of two clinics with one id, each with the account of its own clinic (docs/decisions/0114).
import type { Role } from '@clinic-data/console-contract/role-names'
import type { SignInDemand } from '@clinic-data/console-contract/sign-in-demand'
import { type ClinicDatabase, sql, type Transaction, utcSession, withInstants } from '@clinic-data/database'
import type { ActiveSession } from '../sessions/sessions.ts'

/** One person has one in each clinic. */
export interface Account {
  clinic_id: string
  administrator_id: string
}

/** As one of its two clinics holds it. */
export interface Pairing extends Account {
  id: string
  other: Account
}

interface StoredPairing extends Pairing {
  created_at: string
}

/** The other account of a pairing, which holds there too. */
export interface PairedAccount extends Account {
  pairing: StoredPairing
  clinic_name: string
  role: Role
  demand: SignInDemand
  provider_account: string | null
  /** A group gives the role. */
  is_by_group: boolean
}

export function accountOf({ clinic, administrator }: ActiveSession): Account {
  return { clinic_id: clinic.clinic_id, administrator_id: administrator.id }
}

export const reversed = ({ id, clinic_id, administrator_id, other }: Pairing): Pairing => ({
  id,
  ...other,
  other: { clinic_id, administrator_id },
})

/** One account of the identity provider has one such text. */
const PROVIDER_ACCOUNT = sql`openid_issuer || ' ' || openid_subject`

export async function providerAccountOf(database: ClinicDatabase, account: Account): Promise<string | null> {
  const { clinic_id, administrator_id } = account
  const [row] = await database.read<{ provider_account: string | null }>(
    utcSession(clinic_id),
    sql`select ${PROVIDER_ACCOUNT} as provider_account from administrator
      where clinic_id = ${clinic_id} and id = ${administrator_id}`,
  )
  return row?.provider_account ?? null
}

/** Those that both clinics hold, by the name of the other one. */
export async function pairedAccounts(database: ClinicDatabase, account: Account): Promise<PairedAccount[]> {
  const found = await Promise.all((await pairingsOf(database, account)).map((one) => pairedAccount(database, one)))
  return found.filter((one) => one !== null).toSorted((one, other) => (one.clinic_name < other.clinic_name ? -1 : 1))
}

/** Null for another person's pairing, and for one that does not hold in both clinics. */
export async function findPaired(
  database: ClinicDatabase,
  account: Account,
  id: string,
): Promise<PairedAccount | null> {
  const [pairing] = await pairingsOf(database, account, sql`id = ${id}`)
  return pairing === undefined ? null : pairedAccount(database, pairing)
}

/** The pairing of two accounts. Null: they have none that holds in both clinics. */
export async function findPairedWith(
  database: ClinicDatabase,
  account: Account,
  { clinic_id, administrator_id }: Account,
): Promise<PairedAccount | null> {
  const isOther = sql`other_clinic_id = ${clinic_id} and other_administrator_id = ${administrator_id}`
  const [pairing] = await pairingsOf(database, account, isOther)
  return pairing === undefined ? null : pairedAccount(database, pairing)
}

async function pairingsOf(
  database: ClinicDatabase,
  { clinic_id, administrator_id }: Account,
  which = sql`true`,
): Promise<StoredPairing[]> {
  const rows = await database.read<Omit<StoredPairing, 'other'> & Record<`other_${keyof Account}`, string>>(
    utcSession(clinic_id),
    sql`select clinic_id, id, administrator_id, created_at, other_clinic_id, other_administrator_id from pairing
      where clinic_id = ${clinic_id} and administrator_id = ${administrator_id} and ${which} order by id`,
  )
  return rows.map(({ other_clinic_id, other_administrator_id, ...row }) => ({
    ...withInstants(row, 'created_at'),
    other: { clinic_id: other_clinic_id, administrator_id: other_administrator_id },
  }))
}

/** Null: the other clinic has ended it, or disabled the account. */
async function pairedAccount(database: ClinicDatabase, pairing: StoredPairing): Promise<PairedAccount | null> {
  const { id, clinic_id, administrator_id, other } = pairing
  const [row] = await database.read<Omit<PairedAccount, 'pairing' | keyof Account>>(
    utcSession(other.clinic_id),
    sql`select c.name as clinic_name, a.role, c.sign_in_demand as demand, ${PROVIDER_ACCOUNT} as provider_account,
        a.role_group is not null as is_by_group
      from pairing p
        join administrator a on a.clinic_id = ${other.clinic_id} and a.id = p.administrator_id and a.disabled_at is null
        join clinic c on c.clinic_id = ${other.clinic_id}
      where p.clinic_id = ${other.clinic_id} and p.id = ${id} and p.administrator_id = ${other.administrator_id}
        and p.other_clinic_id = ${clinic_id} and p.other_administrator_id = ${administrator_id}`,
  )
  return row === undefined ? null : { ...other, pairing, ...row }
}

/** In turn with whoever disables it. @returns whether it may sign in. */
export async function lockAccount(tx: Transaction, { clinic_id, administrator_id }: Account): Promise<boolean> {
  const { rows } = await tx.query(sql`select id from administrator
    where clinic_id = ${clinic_id} and id = ${administrator_id} and disabled_at is null for update`)
  return rows.length > 0
}

/** In the transaction of its own clinic. It takes the place of the pairing that the account had with the other clinic. */
export async function storePairing(tx: Transaction, { id, ...pairing }: Pairing, now: Date): Promise<void> {
  const { clinic_id, administrator_id, other } = pairing
  await endPairingsWithin(tx, pairing, sql`other_clinic_id = ${other.clinic_id}`)
  await tx.query(sql`insert into pairing (clinic_id, id, administrator_id, other_clinic_id, other_administrator_id, created_at)
    values (${clinic_id}, ${id}, ${administrator_id}, ${other.clinic_id}, ${other.administrator_id}, ${now})`)
}

/** Ends pairings of an account in its clinic, with the sessions that they have opened there. @returns the ended ones. */
export async function endPairingsWithin(
  tx: Transaction,
  { clinic_id, administrator_id }: Account,
  which = sql`true`,
): Promise<Pick<Pairing, 'id' | 'other'>[]> {
  const { rows } = await tx.query<{ id: string; other_clinic_id: string; other_administrator_id: string }>(sql`
    delete from pairing where clinic_id = ${clinic_id} and administrator_id = ${administrator_id} and ${which}
    returning id, other_clinic_id, other_administrator_id`)
  await tx.query(sql`delete from administrator_session
    where clinic_id = ${clinic_id} and administrator_id = ${administrator_id} and pairing_id = any(${rows.map(({ id }) => id)}::text[])`)
  return rows.map(({ id, other_clinic_id, other_administrator_id }) => ({
    id,
    other: { clinic_id: other_clinic_id, administrator_id: other_administrator_id },
  }))
}
