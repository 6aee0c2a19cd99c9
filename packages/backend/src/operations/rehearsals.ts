// The writes that a person is shown before they are done: by the very handlers, in transactions that keep nothing. So what is shown and
// what is written cannot differ in a rule (docs/decisions/0137).
import { type AnyHandler, handlerOf } from '@clinic-data/contract'
import { rehearsedOperations } from '@clinic-data/contract/names'
import type { HandlerParts } from '../handling/handled.ts'
import { handlers } from './handlers.ts'

/** Wakes nobody: nothing waits to be sent. */
export function rehearsals({ database, now, validOf }: HandlerParts): AnyHandler {
  const rehearsing = handlers({ database, now, isRehearsal: true, ...(validOf && { validOf }) })
  const ids: ReadonlySet<string> = new Set(rehearsedOperations)
  return async (grant, input, context) =>
    ids.has(grant.operation.id) ? handlerOf({ handlers: rehearsing }, grant.operation)(grant, input, context) : null
}
