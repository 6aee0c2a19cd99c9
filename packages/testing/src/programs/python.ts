// The Python of this machine that has httpx, and its runs with the SDK for Python.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const packageFolder = join(import.meta.dirname, '../../../python')

/** The one that a check chose. Otherwise Debian's own comes first: its packages bring httpx. */
const PROGRAMS = [process.env.TEST_PYTHON ?? [], '/usr/bin/python3', 'python3'].flat()
const CHECK = 'import sys, httpx; sys.exit(sys.version_info < (3, 10))'

/** A Python of version 3.10 or later with httpx. Null where there is none. */
export const python: string | null =
  PROGRAMS.find((program) => spawnSync(program, ['-c', CHECK], { stdio: 'ignore' }).status === 0) ?? null

/** Why a test without Python does nothing. */
export const MISSING = 'there is no Python 3.10 with httpx (Debian: python3-httpx)'

/** The variables with which Python finds the SDK. It leaves no compiled files. */
export const pythonVariables: Readonly<Record<string, string>> = {
  PYTHONPATH: join(packageFolder, 'src'),
  PYTHONDONTWRITEBYTECODE: '1',
  PYTHONUTF8: '1',
}

interface Ran {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs Python in the folder of the SDK. Not waited for in this thread, where a service may run. */
export async function runPython(argv: readonly string[], env: Readonly<Record<string, string>>): Promise<Ran> {
  const child = spawn(python ?? '', argv, {
    cwd: packageFolder,
    env: { PATH: process.env.PATH, ...pythonVariables, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [status] = (await ended) as [number | null]
  return { status, stdout, stderr }
}
