// Weighs whether a change of a webhook opens more. The transaction of the backend looks again, under its locks.
import { type AnyHandler, type Backend, type Grant, Problem } from '@clinic-data/contract'
import type { EventType, Webhook } from '@clinic-data/contract/resources/webhook'
import type { Static } from '@clinic-data/contract/schema'
import { type ClinicDatabase, sql } from '@clinic-data/database'
import type { Shown } from '@clinic-data/surface/require-approval'
import type { StillValid } from '@clinic-data/surface/still-valid'
import { lockForChange } from '@clinic-data/webhooks/subscriptions/subscription'

/** The parameters and the body, as a handler of the contract gets them. */
export interface Input {
  params: Readonly<Record<string, unknown>>
  body?: unknown
  idempotency_key?: string | null
}

type Stored = Pick<Static<typeof Webhook>, 'id' | 'url' | 'event_types' | 'enabled'>
type Update = Parameters<Backend['handlers']['webhooks.update']>[1]['body']
type EventTypes = readonly Static<typeof EventType>[]

export function newWebhook({ body }: Input): Shown {
  const { url = '' } = (body ?? {}) as { url?: string }
  return { name: url }
}

export async function storedWebhook(
  backend: Backend,
  ...[grant, input, context]: Parameters<AnyHandler>
): Promise<Stored> {
  const { data } = await backend.handlers['webhooks.get'](grant, input as never, context)
  return data
}

/** How a webhook is now that a change sends to another address, more events, or again. Null for a change that does not. */
export function widerWebhook(stored: Stored, { body }: Input): Shown | null {
  const { url = stored.url, event_types = stored.event_types, enabled = stored.enabled } = body as Update
  const isWider = url !== stored.url || hasMore(event_types ?? [], stored.event_types) || (enabled && !stored.enabled)
  const former = { url: stored.url, event_types: stored.event_types, enabled: stored.enabled }
  return isWider ? { name: stored.url, former } : null
}

/** Without a name a list holds every type. */
function hasMore(wanted: EventTypes, stored: EventTypes): boolean {
  if (stored.length === 0) return false
  return wanted.length === 0 || wanted.some((type) => !stored.includes(type))
}

const checks = new WeakMap<Grant, StillValid[]>()

function add(grant: Grant, check: StillValid): void {
  checks.set(grant, [...(checks.get(grant) ?? []), check])
}

/** Runs in the transaction of the change. @throws Problem 409 when it would open something else than what was weighed. */
export async function requireAsWeighed(tx: Parameters<StillValid>[0], grant: Grant): Promise<void> {
  for (const check of checks.get(grant) ?? []) await check(tx)
}

/** The webhook must be as it was compared. */
export function whileUnchanged(grant: Grant, { body }: Input, { id, url, event_types, enabled }: Stored): void {
  add(grant, async (tx) => {
    // In the order of the change itself.
    const now = await lockForChange(tx, grant.clinic, id, body as Update)
    // One that is gone is told as that.
    if (now === null) return
    const isSame = now.url === url && now.event_types.join() === event_types.join() && now.enabled === enabled
    if (!isSame) throw new Problem('conflict', CHANGED_MEANWHILE)
  })
}

/** Nothing was approved, so the clinic must want no approval by now. */
export function whileUnwanted(grant: Grant, consoleDatabase: ClinicDatabase): void {
  const { clinic } = grant
  add(grant, async () => {
    // The backend's login does not read it.
    const [row] = await consoleDatabase.read<{ needs_approval: boolean }>(
      clinic,
      sql`select needs_approval from clinic where clinic_id = ${clinic.clinic_id}`,
    )
    if (row?.needs_approval) throw new Problem('conflict', WANTED_MEANWHILE)
  })
}

const CHANGED_MEANWHILE = 'The webhook was changed at the same moment, and nothing was stored. Look at it again.'
const WANTED_MEANWHILE = 'The clinic began to want approvals at the same moment, and nothing was stored. Send it again.'
