// Two clinics with one person, and the browser in which that person signs in to both, for the tests of pairings.
import assert from 'node:assert/strict'
import { type Database, sql, utcSession } from '@clinic-data/database'
import { type Console, newPassword, pairOf, person, type Sent, send } from './console-ground.ts'
import { inRole, type SignedPerson, setRole } from './people-ground.ts'
import { storePassword } from './stored-password.ts'

/** What the browser sends to a clinic that is paired with the one of its session. */
export const at = (clinic_id: string) => ({ 'x-console': `at ${clinic_id}` })

export interface Member extends SignedPerson {
  password: string
}

export function pairingGround(owner: Database, opened: Console) {
  const signIn = async ({ clinic, email, password }: Omit<Member, 'cookie'>, cookie: string | null = null) => {
    const body = { clinic_id: clinic.clinic_id, email, password }
    const { status, setCookie } = await send(opened, '/sign-in', { cookie, body })
    assert.equal(status, 200)
    return pairOf(setCookie)
  }
  /** An owner of a clinic of its own, or of this one, who has signed in by a password. */
  const member = async (clinic?: Member['clinic']): Promise<Member> => {
    const one = { ...(await person(owner, clinic)), password: newPassword() }
    await setRole(owner, one, 'owner')
    await storePassword(owner, one, one.password)
    return { ...one, cookie: await signIn(one) }
  }
  /** @returns the cookie that the browser keeps. */
  const offer = async ({ cookie }: SignedPerson) => {
    const { status, setCookie } = await send(opened, '/pairings/offer', { cookie })
    assert.equal(status, 204)
    return pairOf(setCookie)
  }
  /** In the session of the second one, after the first one offered its account. */
  const pair = async (first: SignedPerson, second: SignedPerson) =>
    send(opened, '/pairings', { cookie: `${second.cookie}; ${await offer(first)}` })
  const listed = async ({ cookie }: SignedPerson) => {
    const { status, json } = await send(opened, '/pairings', { method: 'GET', cookie })
    assert.equal(status, 200)
    return json.data as {
      id: string
      clinic_id: string
      name: string
      role: string
      created_at: string
      is_open: boolean
    }[]
  }
  const idOf = async (one: SignedPerson) => (await listed(one))[0]?.id ?? assert.fail('no pairing')
  const open = async (one: SignedPerson) => send(opened, `/pairings/${await idOf(one)}/open`, { cookie: one.cookie })
  /** Asks in the clinic of another one, in the session of this one. */
  const ask = ({ cookie }: SignedPerson, other: SignedPerson, path: string, sent: Sent = { method: 'GET' }) =>
    send(opened, path, { cookie, ...sent, headers: { ...at(other.clinic.clinic_id), ...sent.headers } })
  return {
    signIn,
    member,
    offer,
    pair,
    listed,
    idOf,
    open,
    ask,
    /** Two people of two clinics, who are paired, and the second clinic is open to the session of the first. */
    openPair: async () => {
      const [carmel, tavor] = [await member(), await member()]
      assert.equal((await pair(carmel, tavor)).status, 200)
      assert.equal((await open(carmel)).status, 204)
      return { carmel, tavor }
    },
  }
}

/** As an owner of the clinic who is somebody else. */
export async function byOwner(opened: Console, owner: Database, { clinic }: Member, path: string): Promise<void> {
  const { cookie } = await inRole(opened, owner, 'owner', clinic)
  const { status } = await send(opened, path, { cookie, ...(path.endsWith('sessions/end') && { body: {} }) })
  assert.ok(status < 300, `${path} ${status}`)
}

/** The halves of an account's pairings that its own clinic holds. */
export function halvesOf(owner: Database, { clinic: { clinic_id }, id }: Member) {
  return owner.read(
    utcSession(clinic_id),
    sql`select id from pairing where clinic_id = ${clinic_id} and administrator_id = ${id}`,
  )
}
