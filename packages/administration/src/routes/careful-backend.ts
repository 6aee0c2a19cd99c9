// A backend whose operations ask first who sits before the session, where they give power, and a second person, where the clinic wants one. Only
// administrators ask it.
import { APPROVAL_ASKED, APPROVAL_SPENT } from '@clinic-data/console-contract/approval-operations'
import { approvedOpenOperations } from '@clinic-data/console-contract/approvals'
import { careOfOpen } from '@clinic-data/console-contract/care'
import type { OpenOperationId } from '@clinic-data/console-contract/open-operations'
import { type AnyHandler, type Backend, handlerOf, handlersMadeBy, Problem } from '@clinic-data/contract'
import type { EventType } from '@clinic-data/contract/resources/webhook'
import type { Static } from '@clinic-data/contract/schema'
import type { ClinicDatabase } from '@clinic-data/database'
import type { Shown } from '@clinic-data/surface/require-approval'
import { noLongerValid, onlyWhile } from '@clinic-data/surface/still-valid'
import type { MailParts } from '../approvals/approval-mail.ts'
import { Approving, asking } from '../approvals/approving.ts'
import { giveBack } from '../approvals/spend-approval.ts'
import { requireProof } from '../sessions/proof.ts'
import { sessionStillValid } from '../sessions/sessions.ts'
import { auditWithChange } from './console-audit.ts'
import { type Caller, callerBehind, rolesFor } from './signed-in.ts'

interface CarefulParts extends MailParts {
  consoleDatabase: ClinicDatabase
  now: () => Date
}

/** The parameters and the body, as a handler of the contract gets them. */
interface Input {
  params: Readonly<Record<string, unknown>>
  body?: unknown
  idempotency_key?: string | null
}

export function carefulBackend(backend: Backend, parts: CarefulParts): Backend {
  const handlers = handlersMadeBy((operation) => {
    const handle = handlerOf(backend, operation)
    // The console opens no other.
    const care = Object.hasOwn(careOfOpen, operation.id) ? careOfOpen[operation.id as OpenOperationId] : 'confirmed'
    if (care === 'free') return handle
    const mayNeedApproval = (approvedOpenOperations as readonly string[]).includes(operation.id)
    return async (grant, input, context) => {
      const shown = care === 'confirmed' ? newWebhook(input) : await widerWebhook(backend, grant, input, context)
      if (shown === null) return handle(grant, input, context)
      const caller = callerBehind(grant.principal)
      if (caller === undefined) throw noLongerValid()
      requireProof(caller.session, parts.now())
      if (!mayNeedApproval) return handle(grant, input, context)
      const consoleDatabase = onlyWhile(sessionStillValid(caller.session, rolesFor(operation)), parts.consoleDatabase)
      const request = { ...caller, request_id: context.request_id }
      return whenApproved({ ...parts, consoleDatabase }, { ...request, operation: operation.id, input, shown }, () =>
        handle(grant, input, context),
      )
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
async function whenApproved<T>(parts: CarefulParts, weighed: Weighed, change: () => Promise<T>): Promise<T> {
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
    return await change()
  } catch (error) {
    const { spent } = approving
    // Whatever else went wrong, it may have been done.
    if (spent !== null && error instanceof Problem && error.status < 500)
      await consoleDatabase.write(clinic, (tx) => giveBack(tx, clinic.clinic_id, spent, requested.now))
    throw error
  }
}

type EventTypes = readonly Static<typeof EventType>[]

function newWebhook({ body }: Input): Shown {
  const { url = '' } = (body ?? {}) as { url?: string }
  return { name: url }
}

/** How a webhook is now that a change sends to another address, more events, or again. Null for a change that does not. */
async function widerWebhook(
  backend: Backend,
  ...[grant, input, context]: Parameters<AnyHandler>
): Promise<Shown | null> {
  const { params, body } = input as Parameters<Backend['handlers']['webhooks.update']>[1]
  const { data: stored } = await backend.handlers['webhooks.get'](grant, { ...input, params } as never, context)
  const { url = stored.url, event_types = stored.event_types, enabled = stored.enabled } = body
  const isWider = url !== stored.url || hasMore(event_types ?? [], stored.event_types) || (enabled && !stored.enabled)
  const former = { url: stored.url, event_types: stored.event_types, enabled: stored.enabled }
  return isWider ? { name: stored.url, former } : null
}

/** Without a name a list holds every type. */
function hasMore(wanted: EventTypes, stored: EventTypes): boolean {
  if (stored.length === 0) return false
  return wanted.length === 0 || wanted.some((type) => !stored.includes(type))
}
