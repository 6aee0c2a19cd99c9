// The operations of a person who works in several clinics: one sign-in opens them all (docs/decisions/0114).
import { MAX } from '@clinic-data/contract/limits'
import { about, Id, Instant, list, object, type Static, Type, text } from '@clinic-data/contract/schema'
import { consoleOperation } from './console-operation.ts'
import { RoleName } from './console-resources.ts'

export const PAIRINGS = {
  /** One person works in at most so many other clinics. Each of them is asked when they are listed. */
  most: 20,
  /** So long somebody has to sign in to the other clinic. */
  offer_minutes: 10,
} as const

const clinic = { clinic_id: Id, name: text(MAX.name) }

const Pairing = object({
  id: Id,
  ...clinic,
  role: RoleName,
  created_at: Instant,
  is_open: Type.Boolean({
    description:
      'This session opens the clinic. Otherwise its person signs in there: the clinic demands a way that this session did not begin by, or it began by a link.',
  }),
})

export type Pairing = Static<typeof Pairing>

export const pairingOperations = {
  /** The other clinics of the person, by name. Those that the other clinic no longer knows are left out. */
  listPairings: consoleOperation({
    id: 'console.pairings.list',
    method: 'GET',
    path: '/console/api/pairings',
    output: object({
      here: about('The clinic of the session.', object({ ...clinic, role: RoleName })),
      data: list(Pairing, PAIRINGS.most),
    }),
  }),
  /** Offers this account to the next one that the same browser signs in to. The cookie that it sets lasts for `offer_minutes`. */
  offerPairing: consoleOperation({
    id: 'console.pairings.offer',
    method: 'POST',
    path: '/console/api/pairings/offer',
    audited: 'console.pairings.offer',
  }),
  /** Pairs this account with the one that was offered, and with all that are paired with it. 409 when nothing is offered any more. */
  pair: consoleOperation({
    id: 'console.pairings.make',
    method: 'POST',
    path: '/console/api/pairings',
    audited: 'console.pairings.make',
    output: object({ data: object(clinic) }),
  }),
  /** The offer is forgotten, and nothing is paired. */
  refusePairing: consoleOperation({
    id: 'console.pairings.refuse',
    method: 'POST',
    path: '/console/api/pairings/refuse',
  }),
  /** Neither clinic opens the other one any more, from the answer on. */
  endPairing: consoleOperation({
    id: 'console.pairings.end',
    method: 'POST',
    path: '/console/api/pairings/{id}/end',
    audited: 'console.pairings.end',
  }),
  /**
   * Opens the other clinic to the browser of this session, until it ends. Requests with `x-console: at <clinic>` are of that clinic then. 409 when its
   * person has to sign in there. Opening it again changes nothing.
   */
  openPaired: consoleOperation({
    id: 'console.pairings.open',
    method: 'POST',
    path: '/console/api/pairings/{id}/open',
    audited: 'console.pairings.open',
  }),
  /** No other clinic's sign-in opens this one for the person any more. The person may pair again. */
  endPersonPairings: consoleOperation({
    id: 'console.people.pairings.end',
    method: 'POST',
    path: '/console/api/people/{id}/pairings/end',
    audited: 'console.people.pairings.end',
  }),
} as const
