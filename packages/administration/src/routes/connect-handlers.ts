// Carries out the console's operations of connected apps.

import { changeConnection, endConnection } from '@clinic-data/connect/connections/change-connection'
import { useOf } from '@clinic-data/connect/connections/connection-use'
import { findConnection, listConnections, type SeenConnections } from '@clinic-data/connect/connections/connections'
import { allowRequest, lookAtRequest, refuseRequest } from '@clinic-data/connect/consent/consent'
import { allowDevice, lookAtDevice, refuseDevice } from '@clinic-data/connect/consent/device-consent'
import type { Allowed, Consenting } from '@clinic-data/connect/consent/new-connection'
import type { ConsoleConnect } from '@clinic-data/connect/console-connect'
import type { AskedAccess, connectOperations, ShownAccess } from '@clinic-data/console-contract/connect-operations'
import { rolesOf, scopesToGive } from '@clinic-data/console-contract/roles'
import { Problem } from '@clinic-data/contract'
import { memberScopesOf } from '../people/member-scopes.ts'
import { requireRole } from '../sessions/required-role.ts'
import type { ActiveSession } from '../sessions/sessions.ts'
import type { ConsoleParts } from '../sign-in/console-parts.ts'
import type { ConsoleHandlers, SessionOperation, SessionRequest } from './session-request.ts'

type ConnectHandlers = Pick<ConsoleHandlers, keyof typeof connectOperations>

export function connectHandlers(parts: Omit<ConsoleParts, 'consoleDatabase'>): ConnectHandlers {
  return { ...requestHandlers(parts), ...deviceHandlers(parts), ...connectionHandlers(parts) }
}

function requestHandlers(
  parts: Pick<ConsoleParts, 'connect'>,
): Pick<ConnectHandlers, 'lookAtRequest' | 'allowRequest' | 'refuseRequest'> {
  return {
    lookAtRequest: async (request) => {
      const { access, redirect_to } = await lookAtRequest(connectOf(parts), consenting(request), request.body.request)
      return { output: { data: { access: access && shownTo(request.session, access), redirect_to } } }
    },
    allowRequest: async (request) => {
      const allowed = allowedBy(request, request.body)
      const person = consenting(request)
      return {
        output: { data: { redirect_to: await allowRequest(connectOf(parts), person, request.body.request, allowed) } },
      }
    },
    refuseRequest: async (request) => {
      const redirect_to = await refuseRequest(connectOf(parts), consenting(request), request.body.request)
      return { output: { data: { redirect_to } } }
    },
  }
}

function deviceHandlers(
  parts: Pick<ConsoleParts, 'connect'>,
): Pick<ConnectHandlers, 'lookAtDevice' | 'allowDevice' | 'refuseDevice'> {
  return {
    lookAtDevice: async (request) => {
      const access = await lookAtDevice(connectOf(parts), consenting(request), request.body.user_code)
      return { output: { data: shownTo(request.session, access) } }
    },
    allowDevice: async (request) => {
      const allowed = allowedBy(request, request.body)
      await allowDevice(connectOf(parts), consenting(request), request.body.user_code, allowed)
      return { output: null }
    },
    refuseDevice: async (request) => {
      await refuseDevice(connectOf(parts), consenting(request), request.body.user_code)
      return { output: null }
    },
  }
}

function connectionHandlers(
  parts: Pick<ConsoleParts, 'connect' | 'wait'>,
): Pick<ConnectHandlers, 'listConnections' | 'connection' | 'changeConnection' | 'endConnection'> {
  const changing = ({ params: { id = '' }, session, now, requireCare, requireApproval, record }: Any) => ({
    id,
    by: session.administrator.id,
    now,
    requireCare,
    requireApproval,
    record,
    wait: parts.wait,
    seen: seenBy(session),
  })
  return {
    listConnections: async ({ consoleDatabase, session, now }) => {
      connectOf(parts)
      return { output: { data: await listConnections(consoleDatabase, session.clinic, now, seenBy(session)) } }
    },
    connection: async ({ consoleDatabase, session, params: { id = '' }, now }) => {
      connectOf(parts)
      const found = await findConnection(consoleDatabase, session.clinic, id, now, seenBy(session))
      return { output: { data: await useOf(consoleDatabase, session.clinic, found, { now }) } }
    },
    changeConnection: async (request) => {
      connectOf(parts)
      const { consoleDatabase, session, body } = request
      return { output: { data: await changeConnection(consoleDatabase, session.clinic, body, changing(request)) } }
    },
    endConnection: async (request) => {
      connectOf(parts)
      const { consoleDatabase, session } = request
      return { output: { data: await endConnection(consoleDatabase, session.clinic, changing(request)) } }
    },
  }
}

/** A member has nothing to do with the connections of others. */
function seenBy({ administrator: { id, role } }: ActiveSession): SeenConnections {
  return role === 'member' ? { of: id } : 'all'
}

function shownTo(session: ActiveSession, access: ShownAccess): AskedAccess {
  const { role } = session.administrator
  const mayGive = scopesToGive(role, memberScopesOf(session))
  const integration = rolesOf.listIntegrations.includes(role) ? access.integration : null
  return { ...access, integration, may_give: access.scopes.filter((scope) => mayGive.includes(scope)) }
}

type Any = Omit<SessionRequest<SessionOperation>, 'body' | 'query'>

type Choices = Omit<Allowed, 'mint_request'>

/** @throws Problem 403 when the person chooses an integration and may move nothing to one. */
function allowedBy({ session, idempotencyKey }: Any, choices: Choices): Allowed {
  const { scopes, days, integration_id, integration_name } = choices
  const isChosen = integration_id != null || integration_name !== undefined
  if (isChosen) requireRole(session.administrator.role, rolesOf.joinIntegration)
  return { scopes, days, integration_id, integration_name, mint_request: idempotencyKey }
}

function consenting({ consoleDatabase: database, session, now, requireApproval, record }: Any): Consenting {
  return { database, clinic: session.clinic, administrator_id: session.administrator.id, now, requireApproval, record }
}

/** @throws Problem 404 where no app can be connected. */
export function connectOf({ connect }: Pick<ConsoleParts, 'connect'>): ConsoleConnect {
  if (connect == null) throw new Problem('not-found', 'No app can be connected to this service.')
  return connect
}
