// Questions to the user at a terminal, asked on standard error. Loaded by `sc login` alone.
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { CommandRun } from './command-run.ts'

type Terminal = Pick<CommandRun, 'stdin' | 'stderr' | 'signal'>

/** An answer that is seen while it is typed; the empty one means `otherwise`. */
export async function ask(terminal: Terminal, question: string, otherwise: string | null): Promise<string> {
  const answer = await read(terminal, `${question}${otherwise === null ? '' : ` [${otherwise}]`}: `, false)
  return answer.trim() || (otherwise ?? '')
}

/** An answer that nobody sees. */
export async function askSecret(terminal: Terminal, question: string): Promise<string> {
  const answer = await read(terminal, `${question}: `, true)
  await terminal.stderr.write('\n')
  return answer.trim()
}

async function read({ stdin, stderr, signal }: Terminal, question: string, isHidden: boolean): Promise<string> {
  await stderr.write(question)
  const output = new Writable({
    write: (text: Buffer, _, done) => {
      if (isHidden) done()
      else stderr.write(String(text)).then(() => done(), done)
    },
  })
  const lines = createInterface({ input: stdin, output, terminal: true, historySize: 0 })
  // On a raw terminal Ctrl-C is a key like any other, and Ctrl-D ends the input.
  const interrupted = new AbortController()
  lines.once('SIGINT', () => interrupted.abort())
  lines.once('close', () => interrupted.abort())
  try {
    return await lines.question('', { signal: AbortSignal.any([signal, interrupted.signal]) })
  } finally {
    lines.close()
  }
}
