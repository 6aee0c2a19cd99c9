// A whole value as JSON, in the form that was asked for.

import type { CommandRun } from './command-run.ts'
import { jsonText } from './json-text.ts'
import { printSized } from './large-output.ts'

/** Indented; for agents in one line, and in a file when it is large. */
export async function printJson({ format, stdout }: CommandRun, value: unknown, items: number): Promise<void> {
  if (format !== 'agents') return stdout.write(`${jsonText(value, 2)}\n`)
  async function* text() {
    yield jsonText(value, 0)
  }
  return printSized(stdout, text(), { items, next_cursor: null })
}
