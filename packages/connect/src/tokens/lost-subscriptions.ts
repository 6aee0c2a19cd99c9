// The subscriptions that a connection may no longer have with fewer scopes. They get data by themselves, without its scopes being asked again.
import type { Scope } from '@clinic-data/contract'
import { type Statement, sql } from '@clinic-data/database'

/** A condition on `subscription`. Null: it may have all. */
export function lostSubscriptions(before: readonly Scope[], after: readonly Scope[]): Statement | null {
  const isLost = (scope: Scope) => before.includes(scope) && !after.includes(scope)
  if (isLost('webhooks:manage')) return sql`true`
  if (!isLost('chat:read')) return null
  return sql`(event_types = '{}' or exists (select from unnest(event_types) type where type like 'chat%'))`
}
