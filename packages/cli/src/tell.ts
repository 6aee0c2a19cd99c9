// Tells the user something beside the data: one line on standard error, without characters that steer the terminal.
import { safeText } from '@clinic-data/contract/safe-text'
import type { Sink } from './surroundings.ts'

/** @throws ClosedPipe */
export function tell(stderr: Sink, line: string): Promise<void> {
  return stderr.write(`${safeText(line)}\n`)
}
