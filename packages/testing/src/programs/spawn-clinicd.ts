// Starts `clinicd serve` as a separate process, as an operator does. Whoever starts it also ends it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { clinicdProgram } from '../shared/clinicd-program.ts'

export interface ClinicdProcess {
  readonly child: ChildProcess
  /** The address of the public API. */
  readonly address: string
  readonly adminAddress: string
  /** The messages in the log of the process, without those about requests. */
  readonly lines: readonly string[]
  /** The processes that have answered requests. */
  readonly answering: ReadonlySet<number>
  /** Sends a signal and waits for the exit. @returns the exit code, or null when the signal itself ended the process. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

export interface SpawnOptions {
  /** By default today's, which `clinicd-program` makes. */
  readonly program?: string | undefined
  /** Gets the child at once, before it listens, and may add listeners. */
  readonly onChild?: (child: ChildProcess) => void
}

/** Resolves when the process listens. @throws Error when it ends before that. */
export async function spawnClinicd(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  { program, onChild = () => undefined }: SpawnOptions = {},
): Promise<ClinicdProcess> {
  const child = spawn(process.execPath, [program ?? (await clinicdProgram()), 'serve', ...argv], {
    // The service has the same shape on every machine, however many processors that has.
    env: { PATH: process.env.PATH, PORT: '0', ADMIN_PORT: '0', WORKERS: '1', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onChild(child)
  const exit = once(child, 'exit') as Promise<[number | null]>
  const lines: string[] = []
  const answering = new Set<number>()
  const listening = new Promise<{ address: string; admin_address: string }>((resolve, reject) => {
    createInterface({ input: child.stderr as NodeJS.ReadableStream })
      .on('line', (line) => {
        const entry = line.startsWith('{') ? JSON.parse(line) : { msg: line }
        if (entry.msg === 'request') answering.add(entry.pid)
        else lines.push(entry.msg)
        if (entry.msg === 'listening') resolve(entry)
      })
      .on('close', () => reject(new Error(`the service did not start: ${lines.join('\n')}`)))
  })
  const { address, admin_address: adminAddress } = await listening
  return {
    child,
    address,
    adminAddress,
    lines,
    answering,
    end: async (signal) => {
      child.kill(signal)
      return (await exit)[0]
    },
  }
}
