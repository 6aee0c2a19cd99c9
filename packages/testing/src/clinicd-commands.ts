// Runs operator commands of `clinicd` one after another in one process, so that the program is loaded once. A command ends when
// its process would: nothing of it is open any more.
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const PROGRAM = join(import.meta.dirname, 'clinicd-commands-child.ts')

export interface Command {
  readonly argv: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
}

export interface CommandResult {
  readonly code: number
  readonly out: string
  readonly errors: string
}

/** Close it after the tests. */
export class ClinicdCommands {
  readonly #child: ChildProcess = fork(PROGRAM)

  /** One command at a time. */
  async run(argv: readonly string[], environment: Command['environment']): Promise<CommandResult> {
    const ended = new AbortController()
    this.#child.send({ argv, environment: { PATH: process.env.PATH, ...environment } } satisfies Command)
    const exited = once(this.#child, 'exit', ended).then(() =>
      assert.fail(`clinicd ${argv.join(' ')} left its process`),
    )
    const told = once(this.#child, 'message', ended).then(([result]): CommandResult => result)
    try {
      return await Promise.race([told, exited])
    } finally {
      ended.abort()
      await Promise.allSettled([told, exited])
    }
  }

  async close(): Promise<void> {
    const ended = once(this.#child, 'exit')
    this.#child.disconnect()
    await ended
  }
}
