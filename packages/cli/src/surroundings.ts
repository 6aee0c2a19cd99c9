// What a command sees of its process, as values: streams, environment, interruption. Tests hand in their own.
import type { Readable } from 'node:stream'
import type { Environment } from './config.ts'

/** Where text goes: standard output or standard error. */
export interface Sink {
  readonly isTerminal: boolean
  /** Columns of the terminal; of no meaning elsewhere. */
  readonly columns: number
  /** Ends when the text is out. @throws ClosedPipe when nobody reads any more. */
  write(text: string): Promise<void>
}

/** Standard input. */
export type Source = Readable & { readonly isTTY?: boolean }

export interface Surroundings {
  readonly stdin: Source
  readonly stdout: Sink
  readonly stderr: Sink
  readonly environment: Environment
  /** Fires when the user interrupts. */
  readonly signal: AbortSignal
}

/** The reader of the output has gone: there is nothing left to do, and nothing wrong. */
export class ClosedPipe extends Error {}

/** The user ended it. */
export class Interrupted extends Error {}

/** Whether that stream may be coloured (https://no-color.org). */
export function isColoured({ isTerminal }: Sink, { noColor }: Environment): boolean {
  return isTerminal && !noColor
}
