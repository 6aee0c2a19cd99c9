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
  #child: ChildProcess | null = null

  /** One command at a time. */
  async run(argv: readonly string[], environment: Command['environment']): Promise<CommandResult> {
    const child = this.#ready()
    const ended = new AbortController()
    child.send({ argv, environment: { PATH: process.env.PATH, ...environment } } satisfies Command)
    child.channel?.ref()
    const exited = once(child, 'exit', ended).then(() => assert.fail(`clinicd ${argv.join(' ')} left its process`))
    const result = once(child, 'message', ended).then(([result]): CommandResult => result)
    try {
      return await Promise.race([result, exited])
    } finally {
      child.channel?.unref()
      ended.abort()
      await Promise.allSettled([result, exited])
    }
  }

  async close(): Promise<void> {
    if (!this.#child?.connected) return
    const ended = once(this.#child, 'exit')
    this.#child.ref()
    this.#child.disconnect()
    await ended
  }

  /** Between commands it keeps nobody. */
  #ready(): ChildProcess {
    if (this.#child?.connected) return this.#child
    this.#child = fork(PROGRAM)
    this.#child.unref()
    this.#child.channel?.unref()
    return this.#child
  }
}
