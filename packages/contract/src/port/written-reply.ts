// The reply of a list whose rows are written already, for a gateway of the same contract: it hands their bytes on, and neither parses nor
// writes them (docs/decisions/0156).
import { hash } from 'node:crypto'
import type { AnyAnswer } from '../backend.ts'
import type { Operation } from '../operation.ts'
import { allOperations } from '../operations.ts'
import { auditedIn } from './audited.ts'
import { dataWriter, mayBeWritten } from './data-writer.ts'
import type { SentReply } from './port-lines.ts'

let mark: string | undefined

/** The same for two processes whose answers have the same fields in the same order, whatever else differs between their versions. */
export function contractMark(): string {
  mark ??= hash('sha256', JSON.stringify(allOperations.map(formOf)), 'base64url')
  return mark
}

function formOf({ id, shape, output, detailed }: Operation): unknown {
  return { id, shape, output, detailed }
}

/**
 * The reply of a list, with its rows written. Where the gateway is to store the audit row, `audited` stands beside them. Null for a list
 * without rows, and where they have not the contract's form: the gateway finds that too, and reports it as ever.
 */
export type WriteReply = (answer: AnyAnswer, isDetailed: boolean) => SentReply | null

/** @returns null for an operation whose answers are not written. */
export function replyWriter(operation: Operation): WriteReply | null {
  if (!mayBeWritten(operation)) return null
  let write: ReturnType<typeof dataWriter> | undefined
  return (answer, isDetailed) => {
    const { data, ...beside } = answer
    if (!Array.isArray(data) || data.length === 0) return null
    const audited = answer.recorded ? undefined : auditedIn(operation, answer)
    const text = JSON.stringify({ ...beside, data: [], audited })
    // Compiled with the first answer: compiling all of them would delay the start.
    write ??= dataWriter(operation)
    try {
      return { status: 200, text, rows: write(data, isDetailed) }
    } catch {
      return null
    }
  }
}
