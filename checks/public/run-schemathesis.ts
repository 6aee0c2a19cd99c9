// Installs Schemathesis and runs it. Another seed makes other requests: `--seed N` goes to it, as every argument of the program does.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const here = import.meta.dirname
/** Everything together, with the installation and the start of the service, takes less than five minutes. */
const LIMIT_MS = 220_000

export interface Run {
  /** Its path below this folder. */
  readonly config: string
  /** For the phases that do not end by themselves. */
  readonly seconds: number
  /** The document first. */
  readonly argv: readonly string[]
  readonly key?: string
}

/** Null: it cannot be installed here. */
type Schemathesis = ((run: Run) => Promise<number | null>) | null

/** The newest release in its own environment, for as long as it is used. */
export async function withSchemathesis(use: (schemathesis: Schemathesis) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'clinic-data-schemathesis-'))
  try {
    const program = installed(folder)
    await use(program === null ? null : (run) => statusOf(program, folder, run))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Null when there is no Python to make one. */
function installed(at: string): string | null {
  const quiet = { stdio: ['ignore', 'ignore', 'inherit'] as ['ignore', 'ignore', 'inherit'] }
  if (spawnSync('python3', ['-m', 'venv', join(at, 'venv')], { stdio: 'ignore' }).status !== 0) return null
  const pip = spawnSync(join(at, 'venv/bin/python'), ['-m', 'pip', 'install', '--quiet', 'schemathesis'], quiet)
  if (pip.status !== 0) throw new Error('Schemathesis could not be installed')
  return join(at, 'venv/bin/schemathesis')
}

async function statusOf(program: string, folder: string, { config, seconds, argv, key = '' }: Run) {
  const more = ['--max-time', String(seconds), ...process.argv.slice(2)]
  const child = spawn(program, ['--config-file', join(here, config), 'run', ...argv, ...more], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      PYTHONPATH: here,
      PYTHONDONTWRITEBYTECODE: '1',
      SCHEMATHESIS_KEY: key,
    },
    timeout: LIMIT_MS,
  })
  const [status] = await once(child, 'exit')
  return status as number | null
}
