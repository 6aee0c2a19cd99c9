// The values that one run of a command receives.
import type { Format } from './command-line/command.ts'
import type { Call } from './command-line/program.ts'
import type { ProcessContext } from './process-context.ts'

export interface CommandRun extends ProcessContext {
  readonly call: Call
  readonly format: Format
  /** False under `--no-retry`. */
  readonly mayRetry: boolean
}
