// Carries out the console's operations of a person who works in several clinics.
import type { pairingOperations } from '@clinic-data/console-contract/pairing-operations'
import type { Database } from '@clinic-data/database'
import { untilAllWritesEnd, untilWritesEnd } from '@clinic-data/surface/still-valid'
import { endPairing, endPairingThere } from '../pairings/end-pairing.ts'
import { endedOfferCookie, offerCookie } from '../pairings/offer-cookie.ts'
import { listPairings, openPaired, requireOpening } from '../pairings/open-paired.ts'
import { pairHere, pairThere, requireOffer } from '../pairings/pair.ts'
import { accountOf, findPairedWith } from '../pairings/pairings.ts'
import { endPersonPairings } from '../people/person-pairings.ts'
import { administratorOf } from '../sessions/sessions.ts'
import type { ConsoleParts } from '../sign-in/console-parts.ts'
import type { ConsoleHandlers } from './session-request.ts'

export function pairingHandlers(
  parts: Pick<ConsoleParts, 'signInKeys' | 'openId'>,
): Pick<ConsoleHandlers, keyof typeof pairingOperations> {
  return { ...offerHandlers(parts), ...openHandlers(parts), ...endHandlers() }
}

function offerHandlers({
  signInKeys,
}: Pick<ConsoleParts, 'signInKeys'>): Pick<ConsoleHandlers, 'offerPairing' | 'pair' | 'refusePairing'> {
  return {
    offerPairing: async ({ consoleDatabase, session, browser, now, record }) => {
      await consoleDatabase.write(session.clinic, async (tx) => record(tx, []))
      return { output: null, cookie: offerCookie(signInKeys, session, { now, isSecure: browser.isSecure }) }
    },
    pair: async ({ consoleDatabase, session, browser, now, record, recordFor }) => {
      const offer = await requireOffer(consoleDatabase, session, browser.offer, now)
      const answer = {
        output: { data: { clinic_id: offer.clinic_id, name: offer.clinic_name } },
        cookie: endedOfferCookie(browser.isSecure),
      }
      // Made anew it would end first, and stay ended where the second half cannot be stored.
      const held = await findPairedWith(consoleDatabase, accountOf(session), offer)
      if (held !== null) {
        await consoleDatabase.write(session.clinic, async (tx) => record(tx, [held.pairing.id]))
        return answer
      }
      const pairing = await pairHere(consoleDatabase, session, { offer, now, beside: (tx, id) => record(tx, [id]) })
      return {
        ...answer,
        until: (database) => pairThere(database, pairing, { offer, now, record: recordFor }),
      }
    },
    refusePairing: async ({ browser }) => ({ output: null, cookie: endedOfferCookie(browser.isSecure) }),
  }
}

function openHandlers(parts: Pick<ConsoleParts, 'openId'>): Pick<ConsoleHandlers, 'listPairings' | 'openPaired'> {
  return {
    listPairings: async ({ consoleDatabase, session }) => {
      const { clinic, administrator } = session
      const here = { clinic_id: clinic.clinic_id, name: clinic.name, role: administrator.role }
      return { output: { here, data: await listPairings(parts, consoleDatabase, session) } }
    },
    openPaired: async ({ consoleDatabase, session, params: { id = '' }, browser, now, record, recordFor }) => {
      const opening = await requireOpening(parts, consoleDatabase, session, id)
      await consoleDatabase.write(session.clinic, async (tx) => record(tx, [id]))
      const { token, user_agent } = browser
      const beginning = { ...opening, token, user_agent, now, record: recordFor }
      return { output: null, until: (database) => openPaired(database, session, beginning) }
    },
  }
}

function endHandlers(): Pick<ConsoleHandlers, 'endPairing' | 'endPersonPairings'> {
  return {
    endPairing: async ({ consoleDatabase, session, params: { id = '' }, record, recordFor }) => {
      const there = await endPairing(consoleDatabase, session, { id, beside: (tx) => record(tx, [id]) })
      const holders = [administratorOf(session), { clinic_id: there.clinic_id, id: there.administrator_id }]
      const until = async (database: Database) => {
        await endPairingThere(database, there, id, recordFor)
        // Each of them may be writing in a session that the other one's sign-in has opened.
        await untilAllWritesEnd(database, holders)
      }
      return { output: null, until }
    },
    endPersonPairings: async ({ consoleDatabase, session, params: { id = '' }, record }) => {
      await endPersonPairings(consoleDatabase, session, { id, beside: (tx, ended) => record(tx, [ended]) })
      const holder = { clinic_id: session.clinic.clinic_id, id }
      return { output: null, until: (database) => untilWritesEnd(database, holder) }
    },
  }
}
