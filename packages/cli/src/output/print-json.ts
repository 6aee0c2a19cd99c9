// Prints a whole value as JSON in the requested format.

import type { CommandRun } from '../command-run.ts'
import { jsonText } from './json-text.ts'
import { printSized } from './large-output.ts'

/** Indents it for people. Agents get one line, or a file when it is large. */
export async function printJson({ format, stdout }: CommandRun, value: unknown, items: number): Promise<void> {
  if (format !== 'agents') return stdout.write(`${jsonText(value, 2)}\n`)
  async function* text() {
    yield jsonText(value, 0)
  }
  return printSized(stdout, text(), { items, next_cursor: null })
}
