// Carries out the console's operations on the people of a clinic, and on the weekly mail that a person chooses.
import type { peopleOperations } from '@clinic-data/console-contract/people-operations'
import type { weeklyMailOperations } from '@clinic-data/console-contract/weekly-mail-operations'
import type { ClinicDatabase, Transaction } from '@clinic-data/database'
import { untilWritesEnd } from '@clinic-data/surface/still-valid'
import type { InSameTransaction } from '../credentials/credentials.ts'
import { changeRole, disablePerson, removePerson } from '../people/change-person.ts'
import { mailInvitation } from '../people/invitation-mail.ts'
import { invitationAddress, invite, listInvitations, withdrawInvitation } from '../people/invitations.ts'
import { memberScopesOf, setMemberScopes } from '../people/member-scopes.ts'
import { findPerson, listPeople } from '../people/people.ts'
import { disabledEnd, endPersonConnections, untilPersonsEnd } from '../people/person-connections.ts'
import { endPersonSessions, listPersonSessions } from '../people/person-sessions.ts'
import type { ConsoleParts } from '../sign-in/console-parts.ts'
import { setWeeklyMail, weeklyMail } from '../weekly-mail/choice.ts'
import type { ConsoleHandlers, SessionOperation, SessionRequest } from './session-request.ts'

type PeopleHandlers = Pick<ConsoleHandlers, Extract<keyof typeof peopleOperations, SessionOperation>>
type Parts = Omit<ConsoleParts, 'consoleDatabase'>

export function peopleHandlers(parts: Parts): PeopleHandlers {
  return {
    ...personHandlers(parts),
    ...endHandlers(parts),
    ...sessionHandlers(),
    ...invitationHandlers(parts),
    ...memberScopeHandlers(),
  }
}

export function weeklyMailHandlers(parts: Parts): Pick<ConsoleHandlers, keyof typeof weeklyMailOperations> {
  return {
    weeklyMail: async ({ consoleDatabase, session }) => ({
      output: { data: await weeklyMail(parts, consoleDatabase, session) },
    }),
    setWeeklyMail: async ({ consoleDatabase, session, body: { language }, now, record }) => {
      const choosing = { language, now, beside: (tx: Transaction) => record(tx, []) }
      return { output: { data: await setWeeklyMail(parts, consoleDatabase, session, choosing) } }
    },
  }
}

function personHandlers(
  parts: Parts,
): Pick<PeopleHandlers, 'listPeople' | 'changeRole' | 'disablePerson' | 'removePerson'> {
  const looking = ({ now }: Any) => ({ now, hasProvider: parts.openId !== null })
  return {
    listPeople: async (request) => {
      const { consoleDatabase, session, now } = request
      const [data, invitations] = await Promise.all([
        listPeople(consoleDatabase, session.clinic, looking(request)),
        listInvitations(consoleDatabase, session.clinic, now),
      ])
      return { output: { data, invitations } }
    },
    changeRole: async (request) => {
      const { consoleDatabase, session, body } = request
      const changing = changed(request)
      const { requireCare, requireApproval } = request
      const end = await changeRole(consoleDatabase, session, body, { ...changing, requireCare, requireApproval })
      const data = await findPerson(consoleDatabase, session.clinic, changing.id, looking(request))
      return { output: { data }, until: (database) => untilPersonsEnd(database, end, parts.wait) }
    },
    disablePerson: async (request) => {
      const { consoleDatabase, session, now } = request
      const changing = changed(request)
      await disablePerson(consoleDatabase, session, changing)
      const data = await findPerson(consoleDatabase, session.clinic, changing.id, looking(request))
      return { output: { data }, ...ended(request, { wait: parts.wait, now }) }
    },
    removePerson: async (request) => {
      const { consoleDatabase, session, now } = request
      await removePerson(consoleDatabase, session, changed(request))
      return { output: null, ...ended(request, { wait: parts.wait, now }) }
    },
  }
}

function endHandlers(parts: Parts): Pick<PeopleHandlers, 'endPersonConnections'> {
  return {
    endPersonConnections: async (request) => {
      const {
        consoleDatabase,
        session,
        params: { id = '' },
        now,
        record,
      } = request
      const end = await endPersonConnections(consoleDatabase, session.clinic, { id, now, record })
      const data = await findPerson(consoleDatabase, session.clinic, id, { now, hasProvider: parts.openId !== null })
      return { output: { data }, until: (database) => untilPersonsEnd(database, end, parts.wait) }
    },
  }
}

function sessionHandlers(): Pick<PeopleHandlers, 'listPersonSessions' | 'endPersonSessions'> {
  return {
    listPersonSessions: async ({ consoleDatabase, session, params: { id = '' }, now }) => ({
      output: { data: await listPersonSessions(consoleDatabase, session, id, now) },
    }),
    endPersonSessions: async (request) => {
      const { consoleDatabase, session, body } = request
      await endPersonSessions(consoleDatabase, session, { ...changed(request), session_id: body.session_id })
      return { output: null, until: writesEnd(request) }
    },
  }
}

function invitationHandlers(parts: Parts): Pick<PeopleHandlers, 'invite' | 'withdrawInvitation'> {
  return {
    invite: async ({ consoleDatabase, session, body, address, now, requireApproval, record }) => {
      const { language = 'en', ...wanted } = body
      const beside: InSameTransaction = (tx, id) => record(tx, [id])
      const { invitation, token } = await invite(consoleDatabase, session, {
        ...wanted,
        now,
        requireApproval,
        beside,
      })
      const url = invitationAddress(parts.consoleUrl ?? address?.origin ?? '', token)
      const mail = await mailInvitation(parts, { invitation, clinicName: session.clinic.name, url, language })
      return { output: { data: { invitation, url, mail } } }
    },
    withdrawInvitation: async (request) => {
      await withdrawInvitation(request.consoleDatabase, request.session, changed(request))
      return { output: null }
    },
  }
}

function memberScopeHandlers(): Pick<PeopleHandlers, 'memberScopes' | 'setMemberScopes'> {
  return {
    memberScopes: async ({ session }) => ({ output: { data: { scopes: memberScopesOf(session) } } }),
    setMemberScopes: async ({ consoleDatabase, session, body, requireCare, record }) => {
      const setting = { ...body, requireCare, beside: (tx: Transaction) => record(tx, []) }
      return { output: { data: { scopes: await setMemberScopes(consoleDatabase, session, setting) } } }
    },
  }
}

type Any = Omit<SessionRequest<SessionOperation>, 'body' | 'query'>

function changed({ params: { id = '' }, now, record }: Any) {
  const beside: InSameTransaction = (tx, changedId) => record(tx, [changedId])
  return { id, now, beside }
}

/** The person may be writing in a session that has ended. */
function writesEnd({ session: { clinic }, params: { id = '' } }: Any) {
  return (database: ClinicDatabase) => untilWritesEnd(database, { clinic_id: clinic.clinic_id, id })
}

function ended(
  { session, params: { id = '' } }: Any,
  { wait, now }: { wait: ConsoleParts['wait']; now: Date },
): { until: (database: ClinicDatabase) => Promise<void>; isEnd: boolean } {
  const { clinic_id } = session.clinic
  return {
    until: (database) => untilPersonsEnd(database, disabledEnd({ clinic_id, id }, now), wait),
    isEnd: id === session.administrator.id,
  }
}
