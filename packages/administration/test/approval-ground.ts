// A clinic that wants approvals, its people, and what they ask and decide, for the tests of approvals.
import type { Database } from '@clinic-data/database'
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
