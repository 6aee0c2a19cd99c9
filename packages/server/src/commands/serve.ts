// `clinicd serve`: runs the service. With `--demo` it adds a seeded clinic, and prints a key and an example request.
import { setTimeout as delay } from 'node:timers/promises'
import { mintKey } from '@clinic-data/backend/keys'
import { allScopes } from '@clinic-data/contract'
import type { Database } from '@clinic-data/database'
import { DEMO_CLINIC, ensureDemoClinic } from '@clinic-data/demo/demo-clinic'
import { redaction } from '@clinic-data/gateway/telemetry/log'
import pino from 'pino'
import { type Config, readConfig } from '../config.ts'
import type { Role } from '../role.ts'
import { type Service, serve } from '../serve.ts'
import { stopOnSignal, stopSignal } from '../shutdown.ts'
import type { ServeOptions } from '../start.ts'
import { asOwner, openAsApp, type Storage } from '../storage.ts'
import { UsageError } from '../usage-error.ts'
import { rateOf } from './simulate.ts'

/** A key that was printed on a terminal must expire. */
const DEMO_KEY_DAYS = 30
const DAY_MS = 86_400_000

interface Options {
  role: Role
  demo?: boolean
  /** How many things happen per second in the demo clinic. */
  simulate?: string
}

export async function runServe({ role, demo = false, simulate }: Options): Promise<void> {
  if (demo && role !== 'all') throw new UsageError('--demo goes with --role all')
  if (simulate !== undefined && !demo) throw new UsageError('--simulate goes with --demo')
  const rate = simulate === undefined ? null : rateOf(simulate)
  const config = readConfig()
  // With the demo a person reads the terminal: only what needs attention is logged beside the banner.
  const level = demo && config.logLevel === 'info' ? 'warn' : config.logLevel
  const log = pino(
    { level, redact: redaction },
    pino.destination({ dest: 2, sync: false, minLength: 4096, periodicFlush: 1000 }),
  )
  const signal = stopSignal()
  const service = await started(signal, { config, role, log, ...(demo ? { prepare: prepareDemo } : {}) })
  stopOnSignal(service, log, signal)
  if (demo && service.storage) await printDemo(config, service.storage)
  if (rate !== null && service.storage) await bringToLife(service, service.storage, rate, signal, log)
  else log.info({ role, address: service.address, admin_address: service.adminAddress }, 'listening')
}

/** A start that a signal broke off has closed everything. Its error is not printed. */
async function started(signal: AbortSignal, options: ServeOptions): Promise<Service> {
  try {
    return await serve({ ...options, signal })
  } catch (error) {
    if (signal.aborted) process.exit(0)
    throw error
  }
}

async function prepareDemo(storage: Storage): Promise<void> {
  process.stdout.write('Preparing the demo clinic …\n')
  await asOwner(storage, async (owner) => {
    const app = await openAsApp(storage, () => undefined)
    try {
      await ensureDemoClinic({ owner, database: app, now: new Date() })
    } finally {
      await app.close()
    }
  })
}

/** The demo clinic lives until the service stops. */
async function bringToLife(
  { adminAddress }: Service,
  storage: Storage,
  rate: number,
  signal: AbortSignal,
  log: pino.Logger,
): Promise<void> {
  const { runSimulation } = await import('@clinic-data/demo/simulator/run-simulation')
  process.stdout.write(`  In the clinic ${rate} things a second happen.\n\n`)
  // It ends with the process, without its final comparison: the service no longer answers.
  await asOwner(storage, async (owner) =>
    runSimulation({
      owner,
      clinic: DEMO_CLINIC,
      address: adminAddress,
      rate,
      seconds: null,
      seed: Date.now() % SEEDS,
      signal,
      wait: (ms) => delay(ms, undefined, { signal }).catch(() => undefined),
    }),
  ).catch((error: unknown) => {
    // The service goes on without the simulation.
    if (!signal.aborted) log.error({ err: error }, 'the simulation of the demo clinic has ended')
  })
}

/** Every start simulates something else. */
const SEEDS = 1_000_000_000

async function printDemo({ baseUrl }: Config, storage: Storage): Promise<void> {
  const { key } = await asOwner(storage, mintDemoKey)
  process.stdout.write(`
Clinic Data API is running.

  Base address   ${baseUrl}
  Reference      ${baseUrl}/docs
  Clinic         ${DEMO_CLINIC.clinic_id}
  Key            ${key}
                 (all scopes, ${DEMO_KEY_DAYS} days; a new one at each start)

Try it:

  curl -s -H 'Authorization: Bearer ${key}' '${baseUrl}/v1/patients?query=levi&limit=3'

Stop with Ctrl-C.
`)
}

function mintDemoKey(owner: Database): Promise<{ key: string }> {
  const now = new Date()
  return mintKey(owner, {
    clinic_id: DEMO_CLINIC.clinic_id,
    scopes: allScopes,
    name: 'demo',
    expires_at: new Date(now.getTime() + DEMO_KEY_DAYS * DAY_MS),
    rate_limit: null,
    now,
  })
}
