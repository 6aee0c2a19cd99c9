// A program that runs beside a test, under an account that PostgreSQL accepts, with its messages in a file.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, closeSync, openSync, readFileSync } from 'node:fs'

/** PostgreSQL refuses to run as root, so root uses the account of Debian's package. */
const account = process.getuid?.() === 0 ? accountOf('postgres') : {}

function accountOf(name: string): { uid?: number; gid?: number } {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith(`${name}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  return uid === undefined ? {} : { uid: Number(uid), gid: Number(gid) }
}

/** Gives a file or folder to the account of the programs. */
export function give(path: string): void {
  if (account.uid !== undefined && account.gid !== undefined) chownSync(path, account.uid, account.gid)
}

export class Program {
  readonly #child: ChildProcess
  readonly #log: string
  readonly #command: string

  constructor(command: string, argv: readonly string[], { folder, log, env = {} }: ProgramPlace) {
    this.#command = command
    this.#log = log
    const file = openSync(log, 'a')
    const variables = { PATH: process.env.PATH, HOME: folder, LC_ALL: 'C.UTF-8', TZ: 'UTC', ...env }
    this.#child = spawn(command, argv, { cwd: folder, env: variables, stdio: ['ignore', file, file], ...account })
    closeSync(file)
    running.add(this.#child)
  }

  /** The end of what it has written. */
  get said(): string {
    return readFileSync(this.#log, 'utf8').slice(-3_000)
  }

  /** @throws Error with its last words, if it has ended. */
  requireRunning(): void {
    const { exitCode, signalCode } = this.#child
    if (exitCode !== null || signalCode !== null)
      throw new Error(`${this.#command} has ended (${exitCode ?? signalCode}):\n${this.said}`)
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name)
  }

  async kill(): Promise<void> {
    const { exitCode, signalCode } = this.#child
    const exit = exitCode === null && signalCode === null ? once(this.#child, 'exit') : null
    this.#child.kill('SIGKILL')
    await exit
    running.delete(this.#child)
  }
}

interface ProgramPlace {
  /** Its working and home folder. */
  folder: string
  /** The file of its messages. */
  log: string
  env?: Readonly<Record<string, string>>
}

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
