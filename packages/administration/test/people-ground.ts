// People of a clinic in every role, and invitations, as tests of the console make them.
import assert from 'node:assert/strict'
import type { Role } from '@clinic-data/console-contract/role-names'
import type { Clinic } from '@clinic-data/contract'
import { type Database, sql, utcSession } from '@clinic-data/database'
import { type Console, type Person, person, send, signedIn } from './console-ground.ts'

export interface SignedPerson extends Person {
  cookie: string
}

export async function inRole(console: Console, owner: Database, role: Role, clinic?: Clinic): Promise<SignedPerson> {
  const one = await person(owner, clinic)
  await setRole(owner, one, role)
  return { ...one, cookie: await signedIn(console, owner, one) }
}

/** As if another owner had done it. */
export async function setRole(owner: Database, { clinic: { clinic_id }, id }: Person, role: Role): Promise<void> {
  await owner.write(utcSession(clinic_id), (tx) =>
    tx.query(sql`update administrator set role = ${role} where clinic_id = ${clinic_id} and id = ${id}`),
  )
}

export const INVITED = { email: 'dana@clinic.example', name: 'Dana Cohen', role: 'auditor' } as const

/** @returns the token of the link, and the answer. */
export async function invitationBy(console: Console, { cookie }: SignedPerson, body: object = INVITED) {
  const { status, json, payload } = await send(console, '/invitations', { cookie, body })
  assert.equal(status, 201, payload)
  const token = /#invite=(.+)$/.exec(json.data.url)?.[1] ?? assert.fail('no token')
  return { token, ...json.data }
}

export const accept = (console: Console, token: string, email: string = INVITED.email) =>
  send(console, '/invitations/accept', { body: { token, email } })

export const look = (console: Console, token: string) => send(console, '/invitations/look', { body: { token } })

/** The place and code of a refusal's only fault. */
export function faultOf({ status, json }: { status: number; json: { errors?: { pointer: string; code: string }[] } }) {
  return [status, ...(json.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`)]
}

interface ListedPerson {
  id: string
  name: string
  role: Role
  disabled_at: string | null
}

export async function peopleOf(console: Console, { cookie }: SignedPerson): Promise<ListedPerson[]> {
  const { status, json } = await send(console, '/people', { method: 'GET', cookie })
  assert.equal(status, 200)
  return json.data
}
