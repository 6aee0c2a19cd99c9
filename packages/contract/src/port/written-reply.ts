// The reply of a list whose rows are written already, for a gateway of the same contract: it hands their bytes on, and neither parses nor
// writes them (docs/decisions/0156).
import { hash } from 'node:crypto'
import type { AnyAnswer } from '../backend.ts'
import type { Operation } from '../operation.ts'
import { allOperations } from '../operations.ts'
import { auditedIn } from './audited.ts'
import { dataWriter } from './data-writer.ts'
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

const writers = new Map<Operation, ReturnType<typeof dataWriter>>()

/**
 * The reply of a list, with its rows written. Where the gateway is to store the audit row, `audited` stands beside them.
 *
 * @returns null for a list without rows, and where they have not the contract's form: the gateway finds that too, and tells it as ever.
 */
export function writtenReply(operation: Operation, answer: AnyAnswer, isDetailed: boolean): SentReply | null {
  const { data, ...beside } = answer
  if (!Array.isArray(data) || data.length === 0) return null
  const audited = answer.recorded ? undefined : auditedIn(operation, answer)
  const text = JSON.stringify({ ...beside, data: [], audited })
  try {
    return { status: 200, text, data: writerOf(operation)(data, isDetailed) }
  } catch {
    return null
  }
}

function writerOf(operation: Operation): ReturnType<typeof dataWriter> {
  const known = writers.get(operation)
  if (known !== undefined) return known
  const write = dataWriter(operation)
  writers.set(operation, write)
  return write
}
