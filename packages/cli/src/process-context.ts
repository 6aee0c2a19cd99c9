// The parts of the process that a command uses, as values: streams, environment, interruption. Tests pass their own.
import type { Readable } from 'node:stream'
import type { Environment } from './config.ts'

/** An output for text: standard output or standard error. */
export interface Sink {
  readonly isTerminal: boolean
  /** Whether it is kept in a file. */
  readonly isFile?: boolean
  /** The terminal's width. Unused when the output is no terminal. */
  readonly columns: number
  /** The terminal's height. Absent or 0: it is not known. */
  readonly rows?: number
  /** Resolves when the text is written. @throws ClosedPipe when the reader has gone. */
  write(text: string): Promise<void>
}

/** A program that shows a long text page by page. */
export interface Pager {
  /** @throws ClosedPipe when the reader has left it. */
  write(text: string): Promise<void>
  /** Resolves when the reader has left it. */
  end(): Promise<void>
}

/** Standard input. */
export type Source = Readable & { readonly isTTY?: boolean }

export interface ProcessContext {
  readonly stdin: Source
  readonly stdout: Sink
  readonly stderr: Sink
  readonly environment: Environment
  /** Fires when the user interrupts. */
  readonly signal: AbortSignal
  /** How it waits before it asks again. Default: by a timer. */
  readonly wait?: Wait | undefined
  /** Starts the pager of this command line. Null: it cannot be started. Absent: nothing is paged. */
  readonly openPager?: ((command: string) => Promise<Pager | null>) | undefined
  /** Epoch milliseconds. Default: the clock's. */
  readonly now?: (() => number) | undefined
}

/** Resolves after so many milliseconds. @throws when the signal fires before. */
export type Wait = (ms: number, signal: AbortSignal | undefined) => Promise<void>

/** The reader of the output has gone: nothing is left to do, and nothing is wrong. */
export class ClosedPipe extends Error {}

/** The user interrupted the command. */
export class Interrupted extends Error {}

/** Whether the stream may be coloured (https://no-color.org). */
export function isColoured({ isTerminal }: Sink, { noColor }: Environment): boolean {
  return isTerminal && !noColor
}
