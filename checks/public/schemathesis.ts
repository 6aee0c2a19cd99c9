// The running service against its own OpenAPI document: Schemathesis makes valid and broken requests from it and follows its links.
// Findings that we accept are listed in `schemathesis.toml`, with reasons.
//
//   node checks/public/schemathesis.ts [--seed N]    more arguments go to Schemathesis; another seed makes other requests
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withService } from './running-service.ts'

const CONFIG = join(import.meta.dirname, 'schemathesis.toml')
/** The time for the phases that do not end by themselves. */
const BUDGET_SECONDS = 120
/** Everything together, with the installation and the start of the service, takes less than five minutes. */
const LIMIT_MS = 220_000

const folder = await mkdtemp(join(tmpdir(), 'clinic-data-schemathesis-'))
try {
  const program = installed(folder)
  if (program === null) process.stdout.write('Schemathesis: skipped, because python3 with venv and pip is missing\n')
  else await check(program)
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** The newest release in its own environment. Null when there is no Python to make one. */
function installed(at: string): string | null {
  const quiet = { stdio: ['ignore', 'ignore', 'inherit'] as ['ignore', 'ignore', 'inherit'] }
  if (spawnSync('python3', ['-m', 'venv', join(at, 'venv')], { stdio: 'ignore' }).status !== 0) return null
  const pip = spawnSync(join(at, 'venv/bin/python'), ['-m', 'pip', 'install', '--quiet', 'schemathesis'], quiet)
  if (pip.status !== 0) throw new Error('Schemathesis could not be installed')
  return join(at, 'venv/bin/schemathesis')
}

async function check(program: string): Promise<void> {
  await withService(async ({ url, key }) => {
    const argv = [
      '--config-file',
      CONFIG,
      'run',
      `${url}/v1/openapi.json`,
      '--max-time',
      String(BUDGET_SECONDS),
      ...process.argv.slice(2),
    ]
    const child = spawn(program, argv, {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        PATH: process.env.PATH ?? '',
        HOME: folder,
        PYTHONPATH: import.meta.dirname,
        PYTHONDONTWRITEBYTECODE: '1',
        SCHEMATHESIS_KEY: key,
      },
      timeout: LIMIT_MS,
    })
    const [status] = await once(child, 'exit')
    if (status !== 0) process.exitCode = 1
  })
}
