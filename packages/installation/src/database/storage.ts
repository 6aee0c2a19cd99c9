// Finds the database: the embedded PostgreSQL in `DATA_DIR`, or the server that `DATABASE_URL` names.

import { resolve } from 'node:path'
import { migrations, tables } from '@clinic-data/backend/migrations'
import { type Database, type DatabaseOptions, openDatabase } from '@clinic-data/database'
import { findEmbeddedPostgres, startEmbeddedPostgres } from '@clinic-data/database/embedded/embedded-postgres'
import { admitLogin, migrate, retireLogins } from '@clinic-data/database/schema/migrate'
import type { Logger } from 'pino'
import { type Config, ConfigError, withSetting } from '../config.ts'
import { requireOwnDatabase } from '../role.ts'
import { requireCertificateFiles } from '../settings/certificate-files.ts'
import { type ConsoleLogin, type DatabaseLogins, databaseLogins } from './database-logins.ts'
import { foreignFolder } from './folder-owner.ts'

/** Where the database is, for each of its logins. */
export type StorageUrls = Pick<DatabaseLogins, 'ownerUrl' | 'appUrl'>

/** For those who answer requests. */
export type RequestUrls = StorageUrls & Pick<DatabaseLogins, 'replicaUrl'>

export interface Storage extends DatabaseLogins {
  /** Stops the embedded server if this process started it. */
  stop(): Promise<void>
}

/** The embedded server creates both logins itself, and has no standby. */
const EMBEDDED = { replicaUrl: null, login: null, made: null }

/** For `serve`: starts the embedded server, or names the external one. */
export async function startStorage(config: Config, log: (line: string) => void): Promise<Storage> {
  if (config.databaseUrl !== null) return elsewhere(config.databaseUrl, config)
  return startEmbedded(config.dataDir, log)
}

/** For operator commands: uses the server of a running `serve`, or starts one until the command ends. */
export async function reachStorage(config: Config): Promise<Storage> {
  requireOwnDatabase(config)
  if (config.databaseUrl !== null) return elsewhere(config.databaseUrl, config)
  const running = await inFolder(config.dataDir, () => findEmbeddedPostgres(config.dataDir))
  if (running) return { ...running, ...EMBEDDED, stop: async () => undefined }
  return startEmbedded(config.dataDir, () => undefined)
}

async function startEmbedded(dataDir: string, log: (line: string) => void): Promise<Storage> {
  return { ...(await inFolder(dataDir, () => startEmbeddedPostgres({ dataDir, log }))), ...EMBEDDED }
}

/** The system's error codes for a folder that cannot be written to. */
const FOLDER_FAULTS = ['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EEXIST', 'ENOSPC', 'EDQUOT']

/** Runs work that uses `DATA_DIR`. @throws ConfigError when the folder is the reason of a failure. */
export async function inFolder<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code, syscall, path } = error as NodeJS.ErrnoException
    const [folder, place] = [resolve(dataDir), resolve(path ?? '')]
    const isOurs = path !== undefined && (place.startsWith(folder) || folder.startsWith(place))
    if (!FOLDER_FAULTS.includes(code ?? '') || !isOurs) throw error
    const foreign = code === 'EACCES' ? await foreignFolder(place) : null
    if (foreign !== null) throw new ConfigError(`DATA_DIR ${dataDir} cannot be used: ${foreign}`, { cause: error })
    throw new ConfigError(
      `DATA_DIR ${dataDir} cannot be used (${syscall}: ${code}); name a folder that this user can write to: ${withSetting('DATA_DIR', '~/clinic-data')}`,
      { cause: error },
    )
  }
}

/** Requests use a login that row level security binds. The owner writes the audit log. */
export function asApp({ appUrl, ownerUrl }: StorageUrls): { url: string; ownerUrl: string } {
  if (appUrl === null) throw new Error('the login for requests needs SECRET_KEYS')
  return { url: appUrl, ownerUrl }
}

export function openAsApp(storage: StorageUrls, onError: (error: Error) => void): Promise<Database> {
  return openDatabase({ ...asApp(storage), onError })
}

/** Analytics goes to the standby where there is one. */
export function openForRequests(
  { replicaUrl, ...storage }: RequestUrls,
  log: Logger,
  pools: Pick<DatabaseOptions, 'readConnections' | 'writeConnections' | 'scanConnections'> = {},
): Promise<Database> {
  return openDatabase({
    ...asApp(storage),
    ...(replicaUrl !== null && { replicaUrl }),
    ...pools,
    onError: (error) => log.warn({ err: error }, 'a database connection broke'),
    onReplicaNews: (news) => {
      if (news.serves) log.info('the standby answers analytics')
      else log.warn({ reason: news.reason }, 'the standby is not used: the primary answers analytics')
    },
  })
}

/** For the console, whose work the login of requests may not do. Makes its login if there is none. A few people use it at once. */
export async function openForConsole(
  storage: StorageUrls,
  { url, login }: ConsoleLogin,
  onError: (error: Error) => void,
): Promise<Database> {
  await asOwner(storage, (owner) => admitLogin(owner, login))
  const { ownerUrl } = storage
  return openDatabase({ url, ownerUrl, onError, readConnections: 1, writeConnections: 2, scanConnections: 1 })
}

/** For what lasts: the demo's stage, and an archive of a patient that is made while it is sent. */
export function openAsOwner({ ownerUrl }: StorageUrls, onError: (error: Error) => void): Promise<Database> {
  return openDatabase({ url: ownerUrl, onError, readConnections: 1, writeConnections: 1, scanConnections: 1 })
}

/** Runs work as the owner of the tables. */
export async function asOwner<T>(storage: StorageUrls, work: (owner: Database) => Promise<T>): Promise<T> {
  const owner = await openDatabase({
    url: storage.ownerUrl,
    readConnections: 1,
    writeConnections: 2,
    statementTimeoutMs: 0,
  })
  try {
    return await work(owner)
  } finally {
    await owner.close()
  }
}

export function migrateStorage(
  { login }: Pick<Storage, 'login'>,
  owner: Database,
  log: (line: string) => void,
): Promise<unknown> {
  return migrate(owner, migrations, { tables, log, ...(login === null ? {} : { login }) })
}

/** Drops the logins that were derived from secret keys no longer listed. @returns their names. */
export async function retireStorageLogins(
  owner: Database,
  derived: readonly Pick<DatabaseLogins, 'made'>[],
): Promise<string[]> {
  const names: string[] = []
  for (const { made } of derived) if (made !== null) names.push(...(await retireLogins(owner, made.prefix, made.names)))
  return names
}

function elsewhere(url: string, config: Config): Storage {
  requireCertificateFiles(config)
  return { ...databaseLogins(url, config), stop: async () => undefined }
}
