// A backend whose operations ask first who sits before the session, where they give power, and a second person, where the clinic wants one. Only
// administrators ask it.
import { APPROVAL_ASKED, APPROVAL_SPENT } from '@clinic-data/console-contract/approval-operations'
import { approvedOpenOperations } from '@clinic-data/console-contract/approvals'
import { careOfOpen } from '@clinic-data/console-contract/care'
import type { OpenOperationId } from '@clinic-data/console-contract/open-operations'
import { type Backend, handlerOf, handlersMadeBy, Problem } from '@clinic-data/contract'
import type { ClinicDatabase } from '@clinic-data/database'
import type { Shown } from '@clinic-data/surface/require-approval'
import { noLongerValid, onlyWhile } from '@clinic-data/surface/still-valid'
import type { MailParts } from '../approvals/approval-mail.ts'
import { Approving, asking } from '../approvals/approving.ts'
import { giveBack } from '../approvals/spend-approval.ts'
import {
  type Input,
  newWebhook,
  storedWebhook,
  whileUnchanged,
  whileUnwanted,
  widerWebhook,
} from '../approvals/weighed-webhook.ts'
import { requireProof } from '../sessions/proof.ts'
import { sessionStillValid } from '../sessions/sessions.ts'
import { auditWithChange } from './console-audit.ts'
import { type Caller, callerBehind, rolesFor } from './signed-in.ts'

interface CarefulParts extends MailParts {
  consoleDatabase: ClinicDatabase
  now: () => Date
}

export function carefulBackend(backend: Backend, parts: CarefulParts): Backend {
  const handlers = handlersMadeBy((operation) => {
    const handle = handlerOf(backend, operation)
    // The console opens no other.
    const care = Object.hasOwn(careOfOpen, operation.id) ? careOfOpen[operation.id as OpenOperationId] : 'confirmed'
    if (care === 'free') return handle
    const mayNeedApproval = (approvedOpenOperations as readonly string[]).includes(operation.id)
    return async (grant, input, context) => {
      const stored = care === 'confirmed' ? null : await storedWebhook(backend, grant, input, context)
      const shown = stored === null ? newWebhook(input) : widerWebhook(stored, input)
      if (stored !== null) whileUnchanged(grant, input, stored)
      if (shown === null) return handle(grant, input, context)
      const caller = callerBehind(grant.principal)
      if (caller === undefined) throw noLongerValid()
      requireProof(caller.session, parts.now())
      if (!mayNeedApproval) return handle(grant, input, context)
      const consoleDatabase = onlyWhile(sessionStillValid(caller.session, rolesFor(operation)), parts.consoleDatabase)
      const request = { ...caller, request_id: context.request_id }
      const weighed = { ...request, operation: operation.id, input, shown }
      return whenApproved({ ...parts, consoleDatabase }, weighed, (spent) => {
        if (spent === null) whileUnwanted(grant, parts.consoleDatabase)
        return handle(grant, input, context)
      })
    }
  })
  return { ...backend, handlers }
}

interface Weighed extends Caller {
  request_id: string
  operation: string
  input: Input
  shown: Shown
}

/** The backend's own transaction knows no approvals: one is spent before, and given back when the backend refuses. */
async function whenApproved<T>(
  parts: CarefulParts,
  weighed: Weighed,
  change: (spent: string | null) => Promise<T>,
): Promise<T> {
  const { session, address, request_id, operation, input, shown } = weighed
  const { params, body, idempotency_key } = input
  const { consoleDatabase } = parts
  const { clinic, administrator } = session
  const requested = { operation, params, body, idempotencyKey: idempotency_key ?? '', now: parts.now() }
  const approving = new Approving(session, requested)
  const who = { clinic_id: clinic.clinic_id, administrator_id: administrator.id, request_id, address }
  try {
    await consoleDatabase.write(clinic, async (tx) => {
      await approving.require(tx, { isNeeded: true, shown })
      const { spent } = approving
      if (spent !== null) auditWithChange(parts, tx, { ...who, ...APPROVAL_SPENT, ids: [spent] })
    })
  } catch (refused) {
    throw await asking(refused, consoleDatabase, session, {
      ...parts,
      now: parts.now(),
      beside: (tx, id) => auditWithChange(parts, tx, { ...who, ...APPROVAL_ASKED, ids: [id] }),
    })
  }
  try {
    return await change(approving.spent)
  } catch (error) {
    const { spent } = approving
    // Whatever else went wrong, it may have been done.
    if (spent !== null && error instanceof Problem && error.status < 500)
      await consoleDatabase.write(clinic, (tx) => giveBack(tx, clinic.clinic_id, spent, requested.now))
    throw error
  }
}
