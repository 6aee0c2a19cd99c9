// A write of the public API: its rows, its events and the answer of its `Idempotency-Key` are one transaction.
import type { Answer, Grant, Handler, HandlerInput, Operation, Operations, ServedId } from '@clinic-data/contract'
import type { Transaction } from '@clinic-data/database'
import { type Changed, writeChanges } from '../changes/write-changes.ts'
import type { HandlerParts } from './handled.ts'
import { storeAnswer, storedAnswer } from './idempotent.ts'

/** What a write does within its transaction, at the time `now`. It may be run again when another was in its way. */
export type Write<Id extends ServedId> = (
  tx: Transaction,
  grant: Grant,
  input: HandlerInput<Operations[Id]>,
  now: Date,
) => Promise<Changed<Answer<Operations[Id]>>>

/** The handler of a write. */
export function written<Id extends ServedId>(parts: HandlerParts, write: Write<Id>): Handler<Id> {
  return (grant, input) =>
    writeChanges(parts, grant.clinic, async (tx, now): Promise<Changed<Answer<Operations[Id]>>> => {
      const { idempotency_key: key } = input
      if (key === null) return write(tx, grant, input, now)
      const asked = { operation: grant.operation, clinic: grant.clinic, input: input as HandlerInput<Operation>, now }
      const stored = await storedAnswer(tx, asked, key)
      if (stored !== null) {
        return { answer: { ...stored, replayed: true } as unknown as Answer<Operations[Id]>, changes: [] }
      }
      const changed = await write(tx, grant, input, now)
      await storeAnswer(tx, asked, key, changed.answer as object)
      return changed
    })
}
