// `sc schema`: the whole command tree as JSON.
import type { CommandRun } from '../command-run.ts'
import { printJson } from '../print-json.ts'
import { schema } from '../schema.ts'

export async function run(given: CommandRun): Promise<void> {
  await printJson(given, schema(), schema().commands.length)
}
