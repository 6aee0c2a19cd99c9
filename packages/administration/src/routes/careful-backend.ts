// A backend whose operations ask first who sits before the session, where they give power. Only administrators ask it.
import { careOfOpen } from '@clinic-data/console-contract/care'
import type { OpenOperationId } from '@clinic-data/console-contract/open-operations'
import { type AnyHandler, type Backend, handlerOf, handlersMadeBy } from '@clinic-data/contract'
import type { EventType } from '@clinic-data/contract/resources/webhook'
import type { Static } from '@clinic-data/contract/schema'
import { noLongerValid } from '@clinic-data/surface/still-valid'
import { requireProof } from '../sessions/proof.ts'
import { sessionBehind } from './signed-in.ts'

export function carefulBackend(backend: Backend, now: () => Date): Backend {
  const handlers = handlersMadeBy((operation) => {
    const handle = handlerOf(backend, operation)
    // The console opens no other.
    const care = Object.hasOwn(careOfOpen, operation.id) ? careOfOpen[operation.id as OpenOperationId] : 'confirmed'
    if (care === 'free') return handle
    return async (grant, input, context) => {
      if (care === 'confirmed' || (await widensWebhook(backend, grant, input, context))) {
        const session = sessionBehind(grant.principal)
        if (session === undefined) throw noLongerValid()
        requireProof(session, now())
      }
      return handle(grant, input, context)
    }
  })
  return { ...backend, handlers }
}

type EventTypes = readonly Static<typeof EventType>[]

/** Whether a change sends events to another address, more of them, or again. */
async function widensWebhook(backend: Backend, ...[grant, input, context]: Parameters<AnyHandler>): Promise<boolean> {
  const { params, body } = input as Parameters<Backend['handlers']['webhooks.update']>[1]
  const { data: stored } = await backend.handlers['webhooks.get'](grant, { ...input, params } as never, context)
  const { url = stored.url, event_types = stored.event_types, enabled = stored.enabled } = body
  return url !== stored.url || hasMore(event_types ?? [], stored.event_types) || (enabled && !stored.enabled)
}

/** Without a name a list holds every type. */
function hasMore(wanted: EventTypes, stored: EventTypes): boolean {
  if (stored.length === 0) return false
  return wanted.length === 0 || wanted.some((type) => !stored.includes(type))
}
