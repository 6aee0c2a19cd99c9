// Prints one line for the user on standard error, apart from the data, without characters that steer the terminal.
import { safeText } from '@clinic-data/contract/safe-text'
import type { Sink } from '../process-context.ts'

/** @throws ClosedPipe */
export function tell(stderr: Sink, line: string): Promise<void> {
  return stderr.write(`${safeText(line)}\n`)
}
