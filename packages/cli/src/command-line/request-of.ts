// Turns the typed words into a request. Reports all faults at once, before anything is sent.

import { UsageError, type UsageFault } from '../usage-error.ts'
import type { CliCommand, CliOption } from './command.ts'
import { type Read, readOption, type Value } from './option-value.ts'
import { shortForms } from './query-flags.ts'

/** The words of a command line by the names of arguments and flags. */
export interface Typed {
  readonly args: Readonly<Record<string, string>>
  readonly options: Readonly<Record<string, readonly string[]>>
}

export interface CommandRequest {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, Value>>
  /** Undefined when the operation takes no body. */
  readonly body: Readonly<Record<string, Value>> | undefined
  readonly idempotencyKey: string | undefined
  /** The client's own options by their flags. */
  readonly own: Readonly<Record<string, Value>>
}

/** @throws UsageError with every fault */
export function requestOf(command: CliCommand, typed: Typed): CommandRequest {
  const faults: UsageFault[] = []
  const filled: Record<Filled, Record<string, Value>> = { path: {}, query: {}, body: {}, header: {}, own: {} }
  for (const { name, fills, in: place } of command.args) {
    const word = typed.args[name]
    if (word === undefined) continue
    // A URL would drop such an id, and another operation would answer.
    if (/^\.{0,2}$/.test(word)) faults.push({ option: name, detail: `<${name}> must be an id or a name` })
    filled[place][fills] = word
  }
  for (const option of command.options) {
    const words = typed.options[option.flag] ?? []
    const read = words.map((word) => readWord(command, option, word))
    const wrong = read.flatMap((one) => ('fault' in one ? [one.fault] : []))
    faults.push(...[...countFaults(option, words), ...wrong].map((detail) => ({ option: option.flag, detail })))
    const values = read.flatMap((one) => ('value' in one ? [one.value] : []))
    const [first] = values
    if (first !== undefined)
      filled[option.in ?? 'own'][option.fills ?? option.flag] = option.repeatable ? values : first
  }
  faults.push(...walkFaults(filled.own))
  if (faults.length > 0) throw new UsageError(faults, `sc ${command.path.join(' ')} --help`)
  const [idempotencyKey] = Object.values(filled.header)
  return {
    params: filled.path as Record<string, string>,
    query: filled.query,
    body: [...command.options, ...command.args].some((one) => one.in === 'body') ? filled.body : undefined,
    idempotencyKey: idempotencyKey === undefined ? undefined : String(idempotencyKey),
    own: filled.own,
  }
}

type Filled = NonNullable<CliOption['in']> | 'own'

function readWord({ operation }: CliCommand, option: CliOption, word: string): Read {
  const shortForm = operation === 'query.run' && option.fills !== null ? shortForms[option.fills] : undefined
  return shortForm ? shortForm(word) : readOption(option, word)
}

function countFaults({ flag, required, repeatable }: CliOption, words: readonly string[]): string[] {
  if (required && words.length === 0) return [`--${flag} is required`]
  // With two values the last one would win silently, perhaps with the wrong patient.
  if (!repeatable && words.length > 1) return [`--${flag} may be given once`]
  return []
}

function walkFaults({ all, max }: Readonly<Record<string, Value>>): UsageFault[] {
  if (max === undefined) return []
  if (all === undefined) return [{ option: 'max', detail: '--max goes with --all' }]
  return Number(max) < 1 ? [{ option: 'max', detail: '--max must be at least 1' }] : []
}
