// Shows a table that is longer than the terminal in the user's pager, as git does. A shorter one, and whatever goes to a pipe, is printed.
import type { CommandRun } from '../command-run.ts'
import type { Pager } from '../process-context.ts'

type Printing = Pick<CommandRun, 'stdout' | 'environment' | 'openPager' | 'format'>

/** Resolves when all is written, and the reader has left the pager. */
export async function printPaged(run: Printing, texts: AsyncIterable<string>): Promise<void> {
  const { stdout, environment, openPager, format } = run
  const { rows = 0 } = stdout
  const isPaged = format === 'table' && stdout.isTerminal && rows > 0
  let opener = isPaged && environment.pager !== null ? openPager : undefined
  let pager: Pager | null = null
  let held = ''
  try {
    for await (const text of texts) {
      if (text === '') continue
      if (opener === undefined) {
        await (pager ?? stdout).write(text)
        continue
      }
      held += text
      if (!isLonger(held, rows)) continue
      pager = await opener(environment.pager ?? '')
      opener = undefined
      await (pager ?? stdout).write(held)
      held = ''
    }
    if (held !== '') await stdout.write(held)
  } finally {
    await pager?.end()
  }
}

/** The last line of the terminal is the prompt's. */
function isLonger(text: string, rows: number): boolean {
  return text.split('\n').length > rows
}
