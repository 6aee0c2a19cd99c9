// The processor time of the dearest request that a stranger can send to each endpoint, of the whole service without its database.
//
//   node bench/strangers.ts [requests]    makes a new data folder each time
//
// What is left out: the hash of a wrong password at `/console/api/sign-in`, which costs strangers one thread of the pool and no more.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { serveApps } from '../test/strangers/app-documents.ts'
import { sendAsStranger } from '../test/strangers/send-as-stranger.ts'
import { BASE_URL, endpointOf } from '../test/strangers/stranger-requests.ts'
import { openBenchDatabase } from './bench-database.ts'
import { exactCpuOf } from './cpu-time.ts'
import { report } from './goal.ts'
import { answering, serve } from './served.ts'

const [requests = 200] = process.argv.slice(2).map(Number)
const [PORT, ADMIN_PORT] = ['18592', '18593']
/** The first requests compile and write what all others use. */
const WARM_UP = 50
/** What a service does without requests is taken off. */
const IDLE_MS = 5_000
const MOST_MS = 5
const ROUTES = [
  'POST /oauth/token',
  'POST /oauth/revoke',
  'POST /oauth/device',
  'POST /oauth/register',
  'GET /oauth/register/:client_id',
  'GET /.well-known/oauth-authorization-server',
  'GET /v1/patients',
  'POST /v1/leads',
  'POST /mcp',
  'GET /files/*',
  'GET /v1/openapi.json',
  'GET /docs',
  'GET /docs/search.json',
  'GET /packages/sc.tgz',
  'GET /problems/:slug',
  'GET /readyz',
  'POST /console/api/sign-in/link',
  'POST /console/api/sign-in/link/look',
  'POST /console/api/sign-in/passkey',
  'POST /console/api/sign-in/passkey/challenge',
  'POST /console/api/invitations/look',
  'POST /console/api/invitations/accept',
  'GET /console/api/sign-in/ways',
  'GET /console',
  'POST /ingest/whatsapp',
]

const listeners = { address: `http://127.0.0.1:${PORT}`, adminAddress: `http://127.0.0.1:${ADMIN_PORT}` }
const dataDir = await mkdtemp(join(tmpdir(), 'bench-strangers-'))
const { server, close } = await openBenchDatabase(dataDir)
const apps = await serveApps((app) => `127.1.${app >> 8}.${app & 255}`)
const service = serve({
  DATABASE_URL: server.ownerUrl,
  WORKERS: '1',
  PORT,
  ADMIN_PORT,
  BASE_URL,
  CONSOLE_URL: listeners.adminAddress,
  CONNECT_REGISTRATION: '1',
  WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  TRUSTED_PROXIES: '127.0.0.1/32',
  WHATSAPP_APP_SECRET: randomBytes(16).toString('hex'),
  WHATSAPP_VERIFY_TOKEN: randomBytes(16).toString('hex'),
})
try {
  await answering(`${listeners.address}/readyz`, service)
  await measure()
} finally {
  apps.close()
  await service.stop()
  await close()
  await rm(dataDir, { recursive: true, force: true })
}

async function measure(): Promise<void> {
  await delay(IDLE_MS)
  const [idleFrom, from] = [cpuMs(), performance.now()]
  await delay(IDLE_MS)
  const idle = (cpuMs() - idleFrom) / (performance.now() - from)
  process.stdout.write(
    `${requests} of each, one at a time; an idle service takes ${(idle * 1000).toFixed(1)} ms a second\n\n`,
  )
  process.stdout.write('| request | answer | processor (ms) |\n|---|---|---|\n')
  const all: number[] = []
  for (const route of ROUTES) {
    for (const [at, make] of (endpointOf(route, apps)?.send ?? []).entries()) {
      for (let n = 0; n < WARM_UP; n++) await sendAsStranger(listeners, route, make())
      const [cpu, startedAt] = [cpuMs(), performance.now()]
      let status = 0
      for (let n = 0; n < requests; n++) status = await sendAsStranger(listeners, route, make())
      const cost = (cpuMs() - cpu - idle * (performance.now() - startedAt)) / requests
      all.push(cost)
      process.stdout.write(`| ${route}${at === 0 ? '' : ', another'} | ${status} | ${cost.toFixed(2)} |\n`)
    }
  }
  process.stdout.write('\n')
  report({
    name: 'the dearest request of a stranger, processor',
    value: Math.max(...all),
    unit: 'ms',
    limit: { atMost: MOST_MS },
  })
}

function cpuMs(): number {
  return exactCpuOf(service.process.pid ?? 0) / 1000
}
