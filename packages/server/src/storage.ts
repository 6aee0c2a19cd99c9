// Where the data lies: the embedded PostgreSQL of `DATA_DIR`, or the one that `DATABASE_URL` names.

import { resolve } from 'node:path'
import { migrations, tables } from '@clinic-data/backend/migrations'
import { type Database, openDatabase } from '@clinic-data/database'
import { findEmbeddedPostgres, startEmbeddedPostgres } from '@clinic-data/database/embedded-postgres'
import { migrate } from '@clinic-data/database/migrate'
import { type Config, ConfigError } from './config.ts'

/** What every statement of the running service is bound to: no owner, no superuser, row level security in force. */
const APP_ROLE = 'clinic_data_app'

export interface Storage {
  readonly ownerUrl: string
  readonly appUrl: string
  /** Stops the embedded server if this process started it. */
  stop(): Promise<void>
}

/** For `serve`: starts the embedded server, or names the one elsewhere. */
export async function startStorage(config: Config, log: (line: string) => void): Promise<Storage> {
  if (config.databaseUrl !== null) return elsewhere(config.databaseUrl)
  return startEmbedded(config.dataDir, log)
}

/** For operator commands: uses the server of a running `serve`, else starts it for as long as the command takes. */
export async function reachStorage(config: Config): Promise<Storage> {
  if (config.databaseUrl !== null) return elsewhere(config.databaseUrl)
  const running = await findEmbeddedPostgres(config.dataDir)
  if (running) return { ...running, stop: async () => undefined }
  return startEmbedded(config.dataDir, () => undefined)
}

async function startEmbedded(dataDir: string, log: (line: string) => void): Promise<Storage> {
  return inFolder(dataDir, () => startEmbeddedPostgres({ dataDir, log }))
}

/** What the system says of a folder that cannot be written to. */
const FOLDER_FAULTS = ['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EEXIST', 'ENOSPC', 'EDQUOT']

/** Runs what works in `DATA_DIR`. @throws ConfigError when the folder is to blame. */
export async function inFolder<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code, syscall, path } = error as NodeJS.ErrnoException
    const [folder, place] = [resolve(dataDir), resolve(path ?? '')]
    const isOurs = path !== undefined && (place.startsWith(folder) || folder.startsWith(place))
    if (!FOLDER_FAULTS.includes(code ?? '') || !isOurs) throw error
    throw new ConfigError(
      `DATA_DIR ${dataDir} cannot be used (${syscall}: ${code}); name a folder that this user can write to`,
      { cause: error },
    )
  }
}

/** Where and as whom the application connects. */
export function asApp({ appUrl }: Storage) {
  return { url: appUrl, role: APP_ROLE }
}

export function openAsApp(storage: Storage, onError: (error: Error) => void): Promise<Database> {
  return openDatabase({ ...asApp(storage), onError })
}

/** Runs an operator's work as the owner of the tables, after bringing them up to date. */
export async function asOwner<T>(storage: Storage, work: (owner: Database) => Promise<T>): Promise<T> {
  const owner = await openDatabase({
    url: storage.ownerUrl,
    role: null,
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

export function migrateStorage(owner: Database, log: (line: string) => void): Promise<unknown> {
  return migrate(owner, migrations, { tables, log })
}

function elsewhere(url: string): Storage {
  return { ownerUrl: url, appUrl: url, stop: async () => undefined }
}
