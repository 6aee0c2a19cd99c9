// A real service in separate processes, for the attacks. It has two clinics: one attacks, and the other must not be slowed.
//
//   const service = await attackedService(t)
//   const { steady, memory } = await underAttack(service, { seconds: 10, attack: (signal) => … })
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createClinic } from '@clinic-data/administration/clinics'
import { mintIngestToken } from '@clinic-data/administration/credentials/ingest-tokens'
import { mintKey } from '@clinic-data/administration/credentials/keys'
import { allScopes } from '@clinic-data/contract'
import { DEMO_CLINIC } from '@clinic-data/demo/demo-clinic'
import { generateDemo } from '@clinic-data/demo/generate-demo'
import { readConfig } from '@clinic-data/installation/config'
import { asOwner, reachStorage, startStorage } from '@clinic-data/installation/database/storage'
import { freePorts } from '@clinic-data/testing/free-port'

const PROGRAM = join(import.meta.dirname, '../../packages/server/bin/clinicd.mjs')
const PATIENTS = 200
/** Time for a start on a busy machine: initdb, migrations, compiling of schemas. */
const START_MS = 60_000
const STOP_MS = 30_000

export interface AttackedClinic {
  readonly clinic_id: string
  /** Has every scope, and the default rate unless another is requested. */
  readonly key: string
  /** The token of its own systems, for the private listener. */
  readonly token: string
}

export interface ServiceProcess {
  readonly pid: number
  /** Null while it runs. */
  exitCode(): number | null
  /** Its whole log, in JSON lines. */
  log(): Promise<string>
}

export interface AttackedService {
  readonly address: string
  readonly adminAddress: string
  /** Its requests must always be answered. Its key has practically no limit. */
  readonly other: AttackedClinic
  readonly attacker: AttackedClinic
  /** The process of the public listener. */
  readonly gateway: ServiceProcess
  /** The process of the private listener: the same one, unless the roles are split. */
  readonly backend: ServiceProcess
}

export interface AttackedOptions {
  /** Runs gateway and backend in separate processes. */
  split?: boolean
  /** The limit of open files (`ulimit -n`). */
  openFiles?: number
  /** Requests a minute of the attacker's key. Default: the service's. */
  attackerRate?: number
  environment?: Record<string, string>
}

/** One for all tests of the suite that calls this: a start takes as long as an attack. */
export function serviceOfSuite(options: AttackedOptions = {}): { current(): AttackedService } {
  const ending: (() => Promise<void>)[] = []
  let service: AttackedService | null = null
  before(async () => {
    service = await attackedService({ after: (end) => void ending.push(end) }, options)
  })
  after(async () => {
    for (const end of ending) await end()
  })
  return {
    current() {
      if (service === null) throw new Error('the service has not started')
      return service
    },
  }
}

/** Stops when the test ends, also when it fails, and leaves nothing behind. */
export async function attackedService(
  t: { after(end: () => Promise<void>): void },
  options: AttackedOptions = {},
): Promise<AttackedService> {
  const folder = await mkdtemp(join(tmpdir(), 'clinic-data-attack-'))
  const running: Running[] = []
  t.after(async () => {
    for (const one of running.toReversed()) await stop(one)
    await stopOrphan(folder)
    await rm(folder, { recursive: true, force: true })
  })
  const [port = 0, adminPort = 0, gatewayAdminPort = 0] = await freePorts(3)
  const address = `http://127.0.0.1:${port}`
  const adminAddress = `http://127.0.0.1:${adminPort}`
  const environment = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    DATA_DIR: join(folder, 'data'),
    BASE_URL: address,
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
    SECRET_KEYS: `attack:${randomBytes(32).toString('base64')}`,
    BACKEND_TOKEN: randomBytes(24).toString('hex'),
    ...options.environment,
  }
  const start = async (role: string, more: Record<string, string> = {}) => {
    const one = spawnRole(role, { ...environment, ...more }, join(folder, `${role}.log`), options.openFiles)
    running.push(one)
    await listening(one)
    return one
  }
  const backend = await start(options.split ? 'backend' : 'all')
  const gateway = options.split
    ? await start('gateway', { BACKEND_URL: adminAddress, ADMIN_PORT: String(gatewayAdminPort) })
    : backend
  const [other, attacker] = await twoClinics(folder, options.attackerRate ?? null)
  return { address, adminAddress, other, attacker, gateway, backend }
}

interface Running extends ServiceProcess {
  readonly child: ChildProcess
}

function spawnRole(role: string, env: Record<string, string>, logFile: string, openFiles?: number): Running {
  const log = openSync(logFile, 'w')
  const argv = [PROGRAM, 'serve', '--role', role]
  const limited = ['-c', `ulimit -n ${openFiles} && exec "$0" "$@"`, process.execPath, ...argv]
  const child = spawn(openFiles ? '/bin/sh' : process.execPath, openFiles ? limited : argv, {
    env,
    stdio: ['ignore', 'ignore', log],
  })
  closeSync(log)
  return {
    child,
    pid: child.pid ?? 0,
    exitCode: () => child.exitCode ?? (child.signalCode === null ? null : 1),
    log: () => readFile(logFile, 'utf8'),
  }
}

async function listening(one: Running): Promise<void> {
  const until = performance.now() + START_MS
  while (!(await one.log()).includes('"msg":"listening"')) {
    if (one.exitCode() !== null) throw new Error(`the service has ended at its start: ${await one.log()}`)
    if (performance.now() > until) throw new Error(`the service does not start: ${await one.log()}`)
    await delay(50)
  }
}

async function stop({ child }: Running): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGINT')
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await ended
  clearTimeout(late)
}

/** A service that the attack killed leaves its database running. The next start adopts it. */
async function stopOrphan(folder: string): Promise<void> {
  const storage = await startStorage(configOf(folder), () => undefined)
  await storage.stop()
}

function configOf(folder: string) {
  return readConfig({ DATA_DIR: join(folder, 'data') })
}

async function twoClinics(folder: string, attackerRate: number | null): Promise<[AttackedClinic, AttackedClinic]> {
  const storage = await reachStorage(configOf(folder))
  const make = (clinic_id: string, rate_limit: number | null) =>
    asOwner(storage, async (owner): Promise<AttackedClinic> => {
      const now = new Date()
      const clinic = await createClinic(owner, { ...DEMO_CLINIC, clinic_id, name: clinic_id, ai_transcription: true })
      await generateDemo({ database: owner, clinic, patients: PATIENTS, appointments_per_patient: 2, now })
      const minted = { clinic_id, name: 'attack', scopes: allScopes, expires_at: null, rate_limit, now }
      const { key } = await mintKey(owner, minted)
      return { clinic_id, key, token: (await mintIngestToken(owner, { clinic_id, name: 'attack', now })).token }
    })
  return [await make('other', 1_000_000), await make('attacker', attackerRate)]
}

/** A process's resident memory now, in megabytes. */
export function residentMb({ pid }: ServiceProcess): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  if (kilobytes === undefined) throw new Error(`the memory of process ${pid} is not told`)
  return Number(kilobytes) / 1024
}
