// A `clinicd serve` of this checkout, or another program that listens, as a process that a benchmark measures.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const ROOT = dirname(import.meta.dirname)
export const CLINICD = join(ROOT, 'packages', 'server', 'bin', 'clinicd.mjs')
/** One for the processes of a run, which open what another has sealed. */
const SECRET_KEYS = `bench:${randomBytes(32).toString('base64')}`
const TRIES = 600

export interface Served {
  readonly process: ChildProcess
  /** Ends it, and waits until it has ended. */
  stop(): Promise<void>
}

/** Starts `clinicd serve` with these settings and arguments. */
export function serve(env: NodeJS.ProcessEnv, ...argv: readonly string[]): Served {
  return start([CLINICD, 'serve', ...argv], env)
}

export function start(argv: readonly string[], env: NodeJS.ProcessEnv = {}): Served {
  const child = spawn(process.execPath, argv, { env: { ...process.env, SECRET_KEYS, ...env }, stdio: 'ignore' })
  return {
    process: child,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/** Resolves when this address answers, be it with a refusal: a bare server has no other answer. */
export async function answering(url: string, { process: child }: Served): Promise<void> {
  for (let tries = 0; tries < TRIES && child.exitCode === null; tries++) {
    const answer = await fetch(url).catch(() => null)
    if (answer !== null && answer.status < 500) return
    await delay(100)
  }
  throw new Error(`${url} does not answer`)
}

/** The resident memory of a process, in MB. */
export function residentMb({ pid }: ChildProcess): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
}
