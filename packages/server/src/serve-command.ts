// `clinicd serve`: runs the service. With `--demo` it adds a seeded clinic, and prints a key and an example request.
import cluster from 'node:cluster'
import { setTimeout as delay } from 'node:timers/promises'
import { DEMO_CLINIC } from '@clinic-data/demo/demo-clinic'
import { redaction, traceOfLine } from '@clinic-data/gateway/telemetry/log'
import { type Config, readConfig } from '@clinic-data/installation/config'
import { consoleAddress } from '@clinic-data/installation/console-address'
import { asOwner, type Storage } from '@clinic-data/installation/database/storage'
import { type Role, workersOf } from '@clinic-data/installation/role'
import { rateOf } from '@clinic-data/operator/commands/simulate'
import { stopSignal } from '@clinic-data/operator/stop-signal'
import { UsageError } from '@clinic-data/operator/usage-error'
import pino from 'pino'
import { demoSignInLink } from './demo/demo-administrator.ts'
import { DemoFilling } from './demo/demo-filling.ts'
import { demoKey } from './demo/demo-key.ts'
import { type Service, serve } from './serve.ts'
import { stopOnSignal } from './shutdown.ts'
import type { ServeOptions } from './start.ts'
import { build } from './telemetry/build.ts'
import { letYoungSpaceGrow } from './young-space.ts'

interface Options {
  role: Role
  workers?: string
  demo?: boolean
  /** How many events of the simulation happen per second. */
  simulate?: string
}

const LOG = { dest: 2, sync: false, minLength: 4096, periodicFlush: 1000 } as const
/** Workers share one log. The system writes 4096 bytes whole, also to a pipe. */
const SHARED_LOG = { ...LOG, minLength: 3072, maxWrite: 4096 } as const

export async function runServe({ role, workers, demo = false, simulate }: Options): Promise<void> {
  if (demo && role !== 'all') throw new UsageError('--demo needs --role all')
  if (simulate !== undefined && !demo) throw new UsageError('--simulate needs --demo')
  const rate = simulate === undefined ? null : rateOf(simulate)
  const config = readConfig(undefined, { workers })
  // With the demo a person reads the terminal: only what needs attention is logged beside the banner.
  const level = demo && config.logLevel === 'info' ? 'warn' : config.logLevel
  const log = pino(
    { level, redact: redaction, mixin: traceOfLine },
    pino.destination(cluster.isWorker ? SHARED_LOG : LOG),
  )
  if (cluster.isWorker) return (await import('./workers/worker.ts')).runWorker({ config, role, log, isDemo: demo })
  const signal = stopSignal()
  const filling = demo ? new DemoFilling(signal) : null
  const service = await started(
    signal,
    { config, role, log, workers: workersOf(config, role), ...(filling && { prepare: filling.begin, isDemo: true }) },
    filling,
  )
  letYoungSpaceGrow()
  stopOnSignal(service, log, signal)
  if (filling && service.storage) {
    await printDemo(config, service.storage, service.adminAddress)
    await fillDemo(filling, signal, log)
  }
  if (rate !== null && service.storage) await bringToLife(service, service.storage, rate, signal, log)
  else log.info({ version: build, role, address: service.address, admin_address: service.adminAddress }, 'listening')
}

/** If a signal stopped the start, everything is closed already and the error is not printed. */
async function started(signal: AbortSignal, options: ServeOptions, filling: DemoFilling | null): Promise<Service> {
  try {
    return await serve({ ...options, signal })
  } catch (error) {
    filling?.abandon()
    if (signal.aborted) process.exit(0)
    throw error
  }
}

/** Without the rest of its data the clinic answers too, so a failure does not end the service. The next start completes it. */
async function fillDemo(filling: DemoFilling, signal: AbortSignal, log: pino.Logger): Promise<void> {
  try {
    await filling.whole()
  } catch (error) {
    // The service is stopping, and its database with it.
    if (signal.aborted) return
    log.error({ err: error }, 'the demo clinic could not be filled')
  }
  process.stdout.write('\nStop with Ctrl-C.\n')
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
  process.stdout.write(`  The simulation makes ${rate} changes per second in the clinic.\n\n`)
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

/** Every start simulates another story. */
const SEEDS = 1_000_000_000

async function printDemo({ baseUrl, dataDir }: Config, storage: Storage, adminAddress: string): Promise<void> {
  const { key, path, link } = await asOwner(storage, async (owner) => ({
    ...(await demoKey(owner, dataDir, new Date())),
    link: await demoSignInLink(owner, consoleAddress(adminAddress), new Date()),
  }))
  process.stdout.write(`
Clinic Data API is running.

  Base address   ${baseUrl}
  Reference      ${baseUrl}/docs
  Clinic         ${DEMO_CLINIC.clinic_id}
  Key            ${key}
                 (all scopes, 30 days; kept in ${path})
  Console        ${link}
                 (signs you in once, within 15 minutes)

Try it:

  curl -s -H 'Authorization: Bearer ${key}' '${baseUrl}/v1/patients?query=levi&limit=3'

`)
}
