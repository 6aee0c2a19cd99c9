// A server that a comparison starts and measures: a process of its own that answers at an address.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { cpuOfFamily } from '../cpu-time.ts'

/** Their first start reads or makes a schema. */
const LONGEST_START_MS = 60_000

export interface Started {
  /** Without a trailing slash. */
  url: string
  /** The CPU time that it and its children have used until now, in µs. */
  cpuUs(): number
  stop(): Promise<void>
}

/** @param argv of Node.js. @param readyAt a path that it answers, other than by 5xx, once it is ready. @param logFile what it says. */
export async function startServer({
  argv,
  port,
  readyAt,
  env,
  cwd,
  logFile,
}: {
  argv: readonly string[]
  port: number
  readyAt: string
  env: Readonly<Record<string, string>>
  cwd?: string
  logFile?: string
}): Promise<Started> {
  const output = logFile === undefined ? 'ignore' : openSync(logFile, 'w')
  const child = spawn(process.execPath, argv, {
    env: { ...process.env, ...env, NODE_ENV: 'production' },
    stdio: ['ignore', output, output],
    ...(cwd !== undefined && { cwd }),
  })
  const url = `http://127.0.0.1:${port}`
  const { pid = 0 } = child
  const server = { url, cpuUs: () => cpuOfFamily(pid), stop: () => ended(child) }
  try {
    await answering(url + readyAt, child)
  } catch (error) {
    await server.stop()
    throw error
  }
  return server
}

async function answering(url: string, child: ChildProcess): Promise<void> {
  const endsAt = performance.now() + LONGEST_START_MS
  while (performance.now() < endsAt && child.exitCode === null) {
    const answer = await fetch(url).catch(() => null)
    if (answer !== null && answer.status < 500) return
    await delay(100)
  }
  throw new Error(`${url} does not answer`)
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
}
