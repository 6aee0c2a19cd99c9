// `sc schema`: the whole command tree as JSON.

import { schema } from '../command-line/schema.ts'
import type { CommandRun } from '../command-run.ts'
import { printJson } from '../output/print-json.ts'

export async function run(context: CommandRun): Promise<void> {
  await printJson(context, schema(), schema().commands.length)
}
