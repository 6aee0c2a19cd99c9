// The route of an operation that needs a session: finds it by its cookie, and does nothing without one.
import { APPROVAL_ASKED } from '@clinic-data/console-contract/approval-operations'
import { approvedOperations } from '@clinic-data/console-contract/approvals'
import { careOf } from '@clinic-data/console-contract/care'
import { consoleOperations } from '@clinic-data/console-contract/console-operations'
import { openWhileHeld, rolesOf } from '@clinic-data/console-contract/roles'
import { serializerOf } from '@clinic-data/contract/serializer'
import type { Transaction } from '@clinic-data/database'
import { tellingOutages } from '@clinic-data/surface/outage'
import { problemOf } from '@clinic-data/surface/private-api'
import { onlyWhile, untilWritesEnd } from '@clinic-data/surface/still-valid'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Approving, asking } from '../approvals/approving.ts'
import { offerOf } from '../pairings/offer-cookie.ts'
import type { RecordFor } from '../pairings/pair.ts'
import { requireProof } from '../sessions/proof.ts'
import { requireRole } from '../sessions/required-role.ts'
import { cookieToken, endedCookie } from '../sessions/session-cookie.ts'
import { administratorOf, sessionStillValid } from '../sessions/sessions.ts'
import type { Sending } from '../sessions/signed-cookie.ts'
import type { ConsoleParts } from '../sign-in/console-parts.ts'
import { ownAddress } from '../sign-in/own-address.ts'
import { auditRefusal, auditWithChange } from './console-audit.ts'
import { inputReader } from './console-input.ts'
import type { Answer, ConsoleHandlers, SessionOperation, SessionRequest } from './session-request.ts'
import { signedIn } from './signed-in.ts'

/** Any operation's handler. Its input was checked by its own schemas. */
type Handle = (request: Omit<SessionRequest<'session'>, 'body'> & { body: unknown }) => Promise<Answer<unknown>>

export function sessionRoute(parts: ConsoleParts, name: SessionOperation, handlers: ConsoleHandlers) {
  const operation = consoleOperations[name]
  const { audited } = operation
  const allowed = rolesOf[name]
  const care = careOf[name]
  const mayNeedApproval = (approvedOperations as readonly SessionOperation[]).includes(name)
  const isOpenWhileHeld = openWhileHeld.includes(name)
  const handle = tellingOutages(handlers[name] as Handle)
  const read = inputReader(operation)
  const serialize = operation.output === null ? null : serializerOf(operation.output)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const now = parts.now()
    const isSecure = parts.isSecure(request.raw)
    const session = await signedIn(parts, request.raw, { request_id: request.requestId, isOpenWhileHeld })
    const who = { clinic_id: session.clinic.clinic_id, administrator_id: session.administrator.id }
    const where = { request_id: request.requestId, address: parts.addressOf(request.raw) }
    let isRecorded = audited === null
    let approving: Approving | undefined
    const record = (tx: Transaction, changed: readonly string[], patient_ids: readonly string[] = []) => {
      if (audited === null) throw new Error(`${operation.id} is no change`)
      // Whoever reads the log finds who approved it.
      const ids = approving?.spent ? [...changed, approving.spent] : changed
      auditWithChange(parts, tx, { ...who, ...where, operation: audited, ids, patient_ids, status: operation.status })
      isRecorded = true
    }
    const recordFor: RecordFor = (tx, account, id) =>
      auditWithChange(parts, tx, {
        ...account,
        ...where,
        operation: audited ?? operation.id,
        ids: [id],
        status: operation.status,
      })
    let isWeighed = care === 'free' || care === 'confirmed'
    const requireCare = (isNeeded: boolean) => {
      isWeighed = true
      if (isNeeded) requireProof(session, parts.now())
    }
    const stillValid = sessionStillValid(session, allowed)
    const consoleDatabase = onlyWhile(stillValid, parts.consoleDatabase)
    const reading = async () => {
      requireRole(session.administrator.role, allowed)
      const input = await read(request.raw, request.params)
      // Last, so that nobody is asked for what is refused anyway.
      if (care === 'confirmed') requireCare(true)
      return input
    }
    const address = ownAddress(request.raw, isSecure)
    const browser = browserOf(parts, request, { now, isSecure })
    const answer = await reading()
      .then((input) => {
        approving = new Approving(session, { ...input, operation: audited ?? operation.id, now })
        const requireApproval = approving.require
        const records = { record, recordFor }
        return handle({
          ...input,
          consoleDatabase,
          session,
          stillValid,
          now,
          address,
          browser,
          requireCare,
          requireApproval,
          isGone: () => reply.raw.destroyed,
          ...records,
        })
      })
      .catch(async (refused: unknown) => {
        const error = await asking(refused, consoleDatabase, session, {
          ...parts,
          now,
          beside: (tx, id) => auditWithChange(parts, tx, { ...who, ...where, ...APPROVAL_ASKED, ids: [id] }),
        })
        const { status, slug: problem } = problemOf(error, request)
        if (audited !== null)
          await auditRefusal(parts, { ...who, ...where, operation: audited, ids: [], status, problem })
        throw error
      })
    if (!isRecorded) throw new Error(`${operation.id} left no audit row`)
    if (!isWeighed) throw new Error(`${operation.id} did not ask for care`)
    if (mayNeedApproval !== approving?.isWeighed) throw new Error(`${operation.id} and the table of approvals differ`)
    if (answer.until) await tellingOutages(answer.until)(parts.consoleDatabase)
    if (answer.isEnd || answer.endsOthers) await writesEnd(parts.consoleDatabase, administratorOf(session))
    if (answer.cookie) reply.header('set-cookie', answer.cookie)
    if (answer.isEnd) reply.header('set-cookie', endedCookie(isSecure))
    reply.code(operation.status)
    if (answer.file) return sendFile(reply, answer.file)
    return serialize === null ? reply.send() : reply.type(JSON_TYPE).send(serialize(answer.output))
  }
}

function sendFile(reply: FastifyReply, { name, type, content }: NonNullable<Answer<unknown>['file']>): FastifyReply {
  return reply.type(type).header('content-disposition', `attachment; filename="${name}"`).send(content)
}

function browserOf({ signInKeys }: ConsoleParts, { headers }: FastifyRequest, sending: Sending) {
  return {
    token: cookieToken(headers.cookie, sending.isSecure) ?? '',
    user_agent: headers['user-agent'] ?? '',
    offer: offerOf(signInKeys, headers.cookie, sending),
    isSecure: sending.isSecure,
  }
}

const writesEnd = tellingOutages(untilWritesEnd)

const JSON_TYPE = 'application/json; charset=utf-8'
