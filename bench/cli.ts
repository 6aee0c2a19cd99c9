// The time of a short command of the published `sc`, compared with `node -e 0` in the same run: whole processes, alternating.
//
//   node bench/cli.ts [rounds]    makes a small clinic once, in .data/bench
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BUNDLED_BIN, bundle } from '../packages/cli/scripts/bundle.ts'
import { benchClinic, benchKey } from './bench-clinic.ts'
import { KEPT, openBenchDatabase } from './bench-database.ts'
import { answering, type Served, serve } from './served.ts'
import { median } from './wrk.ts'

const rounds = Number(process.argv[2] ?? 20)
const baseUrl = 'http://127.0.0.1:18084'

const folder = await mkdtemp(join(tmpdir(), 'sc-bench-'))
const { server, owner, close } = await openBenchDatabase(KEPT)
let service: Served | undefined
try {
  await bundle(folder)
  const clinic = await benchClinic(owner, { clinic_id: 'bench-cli', patients: 40, appointments_per_patient: 2 })
  const key = await benchKey(owner, clinic, ['patients:read'])
  const ports = { PORT: new URL(baseUrl).port, ADMIN_PORT: '18085' }
  service = serve({ DATABASE_URL: server.ownerUrl, ...ports, LOG_LEVEL: 'silent' })
  await answering(`${baseUrl}/readyz`, service)
  measure({ SC_API_KEY: key, SC_BASE_URL: baseUrl })
} finally {
  await service?.stop()
  await close()
  await rm(folder, { recursive: true })
}

function measure(variables: Record<string, string>): void {
  const sc = join(folder, BUNDLED_BIN)
  const commands: Record<string, readonly string[]> = {
    'node -e 0': ['-e', '0'],
    'sc --help': [sc, '--help'],
    'sc whoami': [sc, 'whoami'],
    'sc patients list': [sc, 'patients', 'list'],
  }
  const goals: Record<string, number> = { 'sc --help': 1.5, 'sc whoami': 3.5 }
  const times: Record<string, number[]> = Object.fromEntries(Object.keys(commands).map((name) => [name, []]))
  // The first round only fills the machine's caches.
  for (let round = -1; round < rounds; round++) {
    for (const [name, argv] of Object.entries(commands)) {
      const startedAt = performance.now()
      const { status, stderr } = spawnSync(process.execPath, argv, { env: { ...process.env, ...variables } })
      if (status !== 0) throw new Error(`${name}: ${stderr}`)
      if (round >= 0) times[name]?.push(performance.now() - startedAt)
    }
  }
  const bare = median(times['node -e 0'] ?? [])
  process.stdout.write(
    '| whole process | median (ms) | fastest (ms) | times `node -e 0` | goal |\n|---|---|---|---|---|\n',
  )
  for (const [name, taken] of Object.entries(times)) {
    const [whole, least] = [median(taken), Math.min(...taken)]
    process.stdout.write(
      `| \`${name}\` | ${whole.toFixed(1)} | ${least.toFixed(1)} | ${(whole / bare).toFixed(2)} | ${goals[name] ?? ''} |\n`,
    )
  }
}
