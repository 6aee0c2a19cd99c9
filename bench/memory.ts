// The resident memory of `clinicd serve --demo`, without PostgreSQL's: at the first start, from the moment that it answers, while the
// demo clinic is filled, under a light load and idle after it.
//
//   node bench/memory.ts [seconds idle]    makes a new data folder each time
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { report } from './goal.ts'
import { CLINICD, residentMb } from './served.ts'

const idleSeconds = Number(process.argv[2] ?? 20)
const SAMPLE_MS = 100
const ADDRESS = 'http://127.0.0.1:18490'
/** Within a key's rate limit. */
const REQUESTS = 250
const PATHS = ['/v1/patients?limit=100', '/v1/appointments?limit=100', '/v1/me', '/v1/calls?limit=25', '/docs']

const DATA_DIR = await mkdtemp(join(tmpdir(), 'bench-memory-'))
const env = { ...process.env, DATA_DIR, PORT: '18490', ADMIN_PORT: '18491' }
const service = spawn(process.execPath, [CLINICD, 'serve', '--demo'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
const lines = createInterface({ input: service.stdout })[Symbol.asyncIterator]()
const most: Record<string, number> = {}
let phase = 'before the first answer'
const sampling = setInterval(() => {
  const at = phase
  most[at] = Math.max(most[at] ?? 0, residentMb(service))
}, SAMPLE_MS)
try {
  const key = await lineOf(/ Key +(\S+)/)
  phase = 'while the demo is filled'
  await lineOf(/(Stop with)/)
  phase = 'under a light load'
  for (let n = 0; n < REQUESTS; n++) {
    const headers = { authorization: `Bearer ${key}` }
    const { status, body } = await fetch(ADDRESS + PATHS[n % PATHS.length], { headers })
    if (status !== 200) throw new Error(`${status}`)
    await body?.cancel()
  }
  phase = 'idle after it'
  await delay(idleSeconds * 1000)
  phase = 'at the end'
  await delay(2 * SAMPLE_MS)
} finally {
  clearInterval(sampling)
  service.kill('SIGTERM')
  await once(service, 'exit')
  await rm(DATA_DIR, { recursive: true, force: true })
}
process.stdout.write('| phase | most resident memory (MB) |\n|---|---|\n')
for (const [name, mb] of Object.entries(most)) process.stdout.write(`| ${name} | ${mb.toFixed(0)} |\n`)
const { 'before the first answer': _, ...after } = most
report({
  name: 'resident memory of the server, from its first answer on',
  value: Math.round(Math.max(...Object.values(after))),
  unit: 'MB',
  limit: { atMost: 250 },
})
report({
  name: 'resident memory of the server, idle',
  value: Math.round(most['at the end'] ?? Number.NaN),
  unit: 'MB',
  limit: { atMost: 170 },
})

async function lineOf(pattern: RegExp): Promise<string> {
  for (;;) {
    const { value: line, done } = await lines.next()
    if (done) throw new Error('the service ended')
    const [, found] = pattern.exec(line) ?? []
    if (found !== undefined) return found
  }
}
