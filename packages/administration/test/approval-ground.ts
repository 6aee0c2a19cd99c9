// A clinic that wants approvals, its people, and what they ask and decide, for the tests of approvals.
import { hashKey } from '@clinic-data/contract/key'
import { type Database, sql, type Transaction, utcSession } from '@clinic-data/database'
import { updateClinic } from '../src/clinics.ts'
import { NOTHING_ELSE } from '../src/credentials/credentials.ts'
import { once } from './connecting.ts'
import { type Console, type Sent, send } from './console-ground.ts'
import { inRole, type SignedPerson } from './people-ground.ts'

export const KEY = { name: 'CRM', scopes: ['patients:read'] }

/** The refusal of what waits for another person. */
export const WAITS = [403, 'forbidden', 'approval_required']

export const codesOf = ({ status, json }: Awaited<ReturnType<typeof send>>) => [
  status,
  json?.code,
  json?.errors?.[0]?.code,
]

/**
 * Holds the key of a request, which waits where it is stored, as long as the work lasts. The work is told the transaction that holds it.
 *
 * @param mint_request its `Idempotency-Key`.
 */
export async function whileKeyWaits<T>(
  owner: Database,
  { clinic: { clinic_id } }: SignedPerson,
  mint_request: string,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const givenUp = new Error('the key is not stored')
  let result: { value: T } | undefined
  await owner
    .write(utcSession(clinic_id), async (tx) => {
      await tx.query(sql`insert into api_key (clinic_id, id, key_hash, first_characters, last_characters, name, scopes, created_at, mint_request)
        values (${clinic_id}, 'key_held', ${hashKey(mint_request)}, '', '', 'Held', ${[]}::text[], now(), ${mint_request})`)
      result = { value: await work(tx) }
      throw givenUp
    })
    .catch((error: unknown) => {
      if (error !== givenUp) throw error
    })
  if (result === undefined) throw givenUp
  return result.value
}

export function approvalGround(owner: Database, opened: Console) {
  /** As the operator sets it, by `clinicd clinics update`. */
  const demand = ({ clinic: { clinic_id } }: SignedPerson, needs_approval: boolean) =>
    updateClinic(owner, clinic_id, { needs_approval }, NOTHING_ELSE)
  const post = ({ cookie }: SignedPerson, path: string, sent: Sent = {}) =>
    send(opened, path, { cookie, headers: once(), ...sent })
  const listed = async ({ cookie }: SignedPerson) => (await send(opened, '/approvals', { method: 'GET', cookie })).json
  return {
    demand,
    post,
    listed,
    latest: async (who: SignedPerson) => (await listed(who)).data[0],
    mint: (who: SignedPerson, body: object = KEY) => post(who, '/keys', { body }),
    /** Two owners and an administrator. The clinic wants approvals. */
    clinicOfTwo: async () => {
      const noa = await inRole(opened, owner, 'owner')
      const dan = await inRole(opened, owner, 'owner', noa.clinic)
      const tal = await inRole(opened, owner, 'administrator', noa.clinic)
      await demand(noa, true)
      return { noa, dan, tal }
    },
    /** @returns the state of what was decided, or the problem. */
    decide: async (who: SignedPerson, { id }: { id: string }, what: 'approve' | 'refuse' | 'withdraw') => {
      const { status, json } = await post(who, `/approvals/${id}/${what}`)
      return [status, json.data?.state ?? json.code]
    },
  }
}
