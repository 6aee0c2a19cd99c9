// Starts the user's pager on the terminal.
import { spawn } from 'node:child_process'
import { pagerVariables } from '../config.ts'
import { ClosedPipe, type Pager } from '../process-context.ts'

/** A program with plain options. Anything else is a line for the shell, as in git. */
const PLAIN = /^[\w./+-]+(?: +[\w./+=:-]+)*$/

/** Null when there is no such program. */
export function startPager(command: string): Promise<Pager | null> {
  const [program = '', ...words] = PLAIN.test(command) ? command.split(/ +/) : [command]
  const child = spawn(program, words, {
    env: pagerVariables(),
    shell: !PLAIN.test(command),
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  const { stdin } = child
  // The write's own callback reports it.
  stdin.on('error', () => undefined)
  const left = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const pager: Pager = {
    write: (text) =>
      new Promise((resolve, reject) => stdin.write(text, (error) => (error ? reject(new ClosedPipe()) : resolve()))),
    end: () => {
      stdin.end()
      return left
    },
  }
  return new Promise((resolve) => {
    child.once('error', () => resolve(null))
    child.once('spawn', () => resolve(pager))
  })
}
