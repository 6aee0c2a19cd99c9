// Passwords of the product's form that cost a test next to nothing: a stored text holds its own parameters.
import { randomBytes, scryptSync } from 'node:crypto'
import { type Database, sql } from '@clinic-data/database'
import type { PasswordCost } from '../src/sign-in/password.ts'
import type { Person } from './console-ground.ts'

export const CHEAP: PasswordCost = { N: 1024, r: 8, p: 1 }

export function storedText(password: string, cost = CHEAP): string {
  const salt = randomBytes(16)
  const hash = scryptSync(password, salt, 32, cost)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** As if it had been set in the administrator's sessions. */
export async function storePassword(owner: Database, { clinic, id }: Person, password: string): Promise<void> {
  const { clinic_id } = clinic
  await owner.query(sql`update administrator set password = ${storedText(password)}
    where clinic_id = ${clinic_id} and id = ${id}`)
  await owner.query(sql`update administrator_session set by_link = false, by_passkey = false
    where clinic_id = ${clinic_id} and administrator_id = ${id}`)
}
