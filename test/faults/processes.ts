// The processes of a service in a scenario: all roles in one, or each role by itself beside one database.
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { openDatabase } from '@clinic-data/database'
import { findEmbeddedPostgres, startEmbeddedPostgres } from '@clinic-data/database/embedded/embedded-postgres'
import { type ClinicdProcess, spawnClinicd } from '@clinic-data/testing/programs/spawn-clinicd'
import type { Stage } from './scenario.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The level of errors in pino. */
const ERROR_LEVEL = 50

/** A process that is started again whenever it was killed, at the same private address. */
export class Restarted {
  readonly #start: (adminPort: string) => Promise<ClinicdProcess>
  #running: Promise<ClinicdProcess>
  #adminPort = '0'

  constructor(stage: Stage, argv: readonly string[], environment: Environment) {
    const children = new Set<ChildProcess>()
    stage.defer(async () => {
      for (const child of children) {
        const ended = once(child, 'exit')
        child.kill('SIGKILL')
        await ended
      }
    })
    const onChild = (child: ChildProcess) => {
      children.add(child)
      child.once('exit', () => children.delete(child))
      createInterface({ input: child.stderr as NodeJS.ReadableStream }).on('line', (line) => {
        if (line.startsWith('{') && JSON.parse(line).level >= ERROR_LEVEL) stage.log(line)
      })
    }
    this.#start = (ADMIN_PORT) => spawnClinicd(argv, { ...environment, ADMIN_PORT }, { onChild })
    this.#running = this.#start(this.#adminPort)
  }

  get running(): Promise<ClinicdProcess> {
    return this.#running
  }

  async address(): Promise<string> {
    return (await this.#running).address
  }

  /** Resolves when the process is gone. Until `start`, callers that ask for it wait. */
  async kill(): Promise<() => Promise<void>> {
    const running = await this.#running
    this.#adminPort = new URL(running.adminAddress).port
    const again = Promise.withResolvers<ClinicdProcess>()
    again.promise.catch(() => undefined)
    this.#running = again.promise
    await running.end('SIGKILL')
    return async () => {
      this.#start(this.#adminPort).then(again.resolve, again.reject)
      await again.promise
    }
  }

  async restart(): Promise<void> {
    await (await this.kill())()
  }
}

/** Receivers of deliveries are on this machine. */
export const LOCAL_RECEIVERS = { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' }

/** `DATA_DIR` of a service with its embedded database. */
export const dataFolder = ({ folder }: Pick<Stage, 'folder'>) => join(folder, 'data')

/** `clinicd serve` with its embedded database. */
export async function allInOne(stage: Stage, argv: readonly string[] = [], more: Environment = {}) {
  const dataDir = dataFolder(stage)
  // A killed service leaves its database running.
  stage.defer(() => stopOrphan(dataDir))
  const service = new Restarted(stage, argv, {
    DATA_DIR: dataDir,
    SECRET_KEYS: stage.secretKeys,
    ...LOCAL_RECEIVERS,
    ...more,
  })
  await service.running
  const found = await findEmbeddedPostgres(dataDir)
  if (found === null) throw new Error('the service has no database')
  return { service, dataDir, ownerUrl: found.ownerUrl, address: () => service.address() }
}

async function stopOrphan(dataDir: string): Promise<void> {
  const server = await startEmbeddedPostgres({ dataDir, log: () => undefined })
  await server.stop()
}

/** A database server beside the service. It is started again when it ends. */
export async function ownDatabase(stage: Stage): Promise<{ ownerUrl: string; dataDir: string }> {
  const dataDir = join(stage.folder, 'database')
  const server = await startEmbeddedPostgres({ dataDir, log: () => undefined })
  stage.defer(() => server.stop())
  return { ownerUrl: server.ownerUrl, dataDir }
}

interface Parts {
  /** As the service reaches it. */
  readonly databaseUrl: string
  readonly redisUrl?: string
  /** For all of the processes. */
  readonly more?: Environment
}

/** Gateway, backend and dispatcher as processes of their own. */
export async function splitRoles(stage: Stage, { databaseUrl, redisUrl, more = {} }: Parts) {
  const BACKEND_TOKEN = randomBytes(24).toString('hex')
  const DATA_DIR = join(stage.folder, 'roles')
  await mkdir(DATA_DIR)
  const common = { DATA_DIR, SECRET_KEYS: stage.secretKeys, BACKEND_TOKEN, ...LOCAL_RECEIVERS, ...more }
  const role = (name: string, own: Environment) => new Restarted(stage, ['--role', name], { ...common, ...own })
  const backend = role('backend', { DATABASE_URL: databaseUrl })
  const BACKEND_URL = (await backend.running).adminAddress
  const dispatcher = role('dispatcher', { DATABASE_URL: databaseUrl })
  const gateway = role('gateway', { BACKEND_URL, REDIS_URL: redisUrl })
  await Promise.all([gateway.running, dispatcher.running])
  return { gateway, backend, dispatcher, address: () => gateway.address() }
}

/** Kills PostgreSQL's first process. Its children end with it, in the middle of whatever they do. */
export async function killPostgres(dataDir: string): Promise<void> {
  const [pid] = (await readFile(join(dataDir, 'pg', 'postmaster.pid'), 'utf8')).split('\n', 1)
  process.kill(Number(pid), 'SIGKILL')
}

export function openOwner(url: string) {
  return openDatabase({ url, statementTimeoutMs: 0, readConnections: 1, writeConnections: 2, onError: () => undefined })
}
