// The logins that serve requests and the console. Made here if the owner may make roles, and given the rights that the migrations
// grant.

import { DatabaseError } from '../connections/database-failure.ts'
import { scramVerifier } from '../connections/scram-verifier.ts'
import type { Transaction } from '../connections/transaction.ts'
import { type Statement, sql } from '../sql.ts'

/** The roles that the migrations grant to. Every login of the program is one of them or a member of it. */
export const APP_ROLE = 'clinic_data_app'
/** The role of the administrators' console: it reads who may sign in, and mints keys, all behind row level security. */
export const CONSOLE_ROLE = 'clinic_data_console'

export type ApplicationRole = typeof APP_ROLE | typeof CONSOLE_ROLE

export type ApplicationLogin = {
  role: ApplicationRole
  name: string
  /** Null when the operator has made the login. */
  password: string | null
}

const INSUFFICIENT_PRIVILEGE = '42501'

/** The setting names a login that an operator has made, and a start says how to make one when it has to. */
const ADVICE: Record<ApplicationRole, { setting: string; make: string }> = {
  [APP_ROLE]: {
    setting: 'DATABASE_URL',
    make: 'make a login for the application; name one that an administrator has made as DATABASE_URL, and this one as DATABASE_OWNER_URL',
  },
  [CONSOLE_ROLE]: {
    setting: 'DATABASE_CONSOLE_URL',
    make: 'make a login for the console; name one that an administrator has made as DATABASE_CONSOLE_URL',
  },
}

export async function ensureApplicationRole(tx: Transaction, role: ApplicationRole): Promise<void> {
  const { rows } = await tx.query(sql`select from pg_roles where rolname = ${role}`)
  if (rows.length > 0) return
  const create = sql`create role ${sql.identifier(role)} nologin nosuperuser nobypassrls nocreaterole nocreatedb`
  await asRoleMaker(tx, create, `make the role ${role}; let an administrator run: create role ${role} nologin`)
}

/** @throws Error with a line for the operator when the login cannot be made or is not let in. */
export async function ensureApplicationLogin(
  tx: Transaction,
  { role, name, password }: ApplicationLogin,
): Promise<void> {
  const login = sql.identifier(name)
  const { rows } = await tx.query(sql`select from pg_roles where rolname = ${name}`)
  if (rows.length === 0) {
    const { setting, make } = ADVICE[role]
    if (password === null) throw new Error(`there is no login ${name}, which ${setting} names`)
    await asRoleMaker(tx, sql`create role ${login} login nosuperuser nobypassrls nocreaterole nocreatedb`, make)
    // Sends only the hash: a server may log the statement.
    await tx.script(`alter role "${name}" password '${scramVerifier(password)}'`)
  }
  if (await mayUse(tx, name, role)) return
  const grant = `grant ${role} to "${name}"`
  // A role's maker may let others in. The owner needs that right once to make logins.
  const advice = password === null ? grant : `grant ${role} to "${await ownerName(tx)}" with admin option`
  await asRoleMaker(
    tx,
    sql`grant ${sql.identifier(role)} to ${login}`,
    `let ${name} in; let an administrator run: ${advice}`,
  )
  if (!(await mayUse(tx, name, role))) {
    throw new Error(`${name} does not inherit what it is granted; run: alter role "${name}" inherit; ${grant}`)
  }
}

/** Lets nobody in by the logins whose names begin with `prefix`, except those to keep. @returns the names of the closed ones. */
export async function closeApplicationLogins(
  tx: Transaction,
  prefix: string,
  kept: readonly string[],
): Promise<string[]> {
  const { rows } = await tx.query<{ name: string }>(sql`select rolname::text as name from pg_roles
    where starts_with(rolname, ${prefix}) and rolname <> all(${kept}::text[]) order by 1`)
  for (const { name } of rows) await tx.query(sql`alter role ${sql.identifier(name)} nologin`)
  return rows.map(({ name }) => name)
}

/**
 * Ends the connections of closed logins and drops the logins. A connection that took its role's name (`set role`) would keep the rights
 * of that role after its login is gone.
 */
export async function dropApplicationLogins(tx: Transaction, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const login = sql.identifier(name)
    // Only a member of a role may end its connections.
    await tx.query(sql`grant ${login} to current_user`)
    await tx.query(sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = ${name}`)
    await tx.query(sql`drop role ${login}`)
  }
}

async function ownerName(tx: Transaction): Promise<string> {
  const { rows } = await tx.query<{ name: string }>(sql`select current_user::text as name`)
  return rows[0]?.name ?? ''
}

/** Whether the login is a member of the role and inherits its privileges. */
async function mayUse(tx: Transaction, name: string, role: ApplicationRole): Promise<boolean> {
  const { rows } = await tx.query<{ may: boolean }>(sql`select pg_has_role(${name}, ${role}, 'usage') as may`)
  return rows[0]?.may ?? false
}

async function asRoleMaker(tx: Transaction, statement: Statement, what: string): Promise<void> {
  try {
    await tx.query(statement)
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== INSUFFICIENT_PRIVILEGE) throw error
    throw new Error(`the owner of the tables may not ${what}`, { cause: error })
  }
}
