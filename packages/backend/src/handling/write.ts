// A write of the public API: the check of its key, its rows, its events and the answer of its `Idempotency-Key` are one transaction.

import { type Changed, writeChanges } from '@clinic-data/changes/writing/write-changes'
import type { Answer, Grant, Handler, HandlerInput, Operation, OperationId, Operations } from '@clinic-data/contract'
import { jsonSchemaOf } from '@clinic-data/contract/json-schema'
import type { Transaction } from '@clinic-data/database'
import { type Holder, keyStillValid } from '@clinic-data/surface/still-valid'
import { completedAnswer } from './completed-answer.ts'
import type { HandlerParts } from './handled.ts'
import { storeAnswer, storedAnswer } from './idempotent.ts'

/** The work of a write within its transaction. `at`, `now` and repeated runs are as in `writeChanges`. */
export type Write<Id extends OperationId> = (
  tx: Transaction,
  grant: Grant,
  input: HandlerInput<Operations[Id]>,
  at: Date,
  now: Date,
) => Promise<Changed<Answer<Operations[Id]>>>

/** How an `Idempotency-Key` stores an answer that must not be stored whole, and how the answer is restored. */
export interface Kept<Id extends OperationId, K extends object> {
  keep(answer: Answer<Operations[Id]>): K
  answer(tx: Transaction, grant: Grant, kept: K): Promise<Answer<Operations[Id]>>
}

/** Makes the handler of a write. Its answer is stored whole, unless `kept` says otherwise. */
export function written<Id extends OperationId, K extends object = object>(
  parts: HandlerParts,
  write: Write<Id>,
  kept?: Kept<Id, K>,
): Handler<Id> {
  const validOf = parts.validOf ?? ((grant: Grant) => keyStillValid(holderOf(grant), parts.now, grant.operation.scope))
  return (grant, input) => {
    const work = async (tx: Transaction, at: Date, now: Date): Promise<Changed<Answer<Operations[Id]>>> => {
      const { idempotency_key: key } = input
      if (key === null) return write(tx, grant, input, at, now)
      const request = { operation: grant.operation, clinic: grant.clinic, input: input as HandlerInput<Operation> }
      const stored = await storedAnswer(tx, request, key)
      if (stored !== null) {
        const answer = kept
          ? await kept.answer(tx, grant, stored as K)
          : completedAnswer(jsonSchemaOf(grant.operation.output), stored)
        return {
          answer: { ...(answer as object), replayed: true } as Answer<Operations[Id]>,
          changes: [],
          isUndated: true,
        }
      }
      const changed = await write(tx, grant, input, at, now)
      storeAnswer(tx, request, key, kept ? kept.keep(changed.answer) : (changed.answer as object))
      return changed
    }
    return writeChanges(parts, grant.clinic, work, validOf(grant))
  }
}

function holderOf({ clinic: { clinic_id }, principal: { key_id: id } }: Grant): Holder {
  return { clinic_id, id }
}
