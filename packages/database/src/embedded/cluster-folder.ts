// The folder of an embedded PostgreSQL cluster: how programs name it, and how it is made.

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, type FileHandle, mkdtemp, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { keepFile, syncFolder } from '@clinic-data/disk/kept-file'
import { scramVerifier } from '../connections/scram-verifier.ts'
import { stopServer } from './postmaster.ts'
import { type Account, founderAccount, giveCluster, spawnAs } from './server-account.ts'
import { HAS_SOCKETS } from './server-address.ts'
import { unpackArchive } from './unpack-archive.ts'

export const OWNER_ROLE = 'clinic_data_owner'
export const APP_ROLE = 'clinic_data_app'
export const DATABASE = 'clinic_data'

export type Passwords = { owner: string; app: string }

export const clusterPath = (dataDir: string) => join(dataDir, 'pg')
const passwordsPath = (dataDir: string) => join(dataDir, 'postgres-passwords.json')

export async function readPasswords(dataDir: string): Promise<Passwords> {
  return JSON.parse(await readFile(passwordsPath(dataDir), 'utf8')) as Passwords
}

/**
 * The path under which a program run by `account` can reach the folder. Another account cannot walk to a folder below root's home.
 * An open descriptor, which the program gets as number 3, takes it there.
 */
export type FolderForProgram = { path: string; descriptor: FileHandle }

export async function folderForProgram(folder: string, account: Account | undefined): Promise<FolderForProgram> {
  return { path: account === undefined ? folder : '/proc/self/fd/3', descriptor: await open(folder, 'r') }
}

/** Makes the cluster if there is none, and makes `account` its owner. */
export async function ensureCluster(dataDir: string, native: string, account: Account | undefined): Promise<void> {
  const cluster = clusterPath(dataDir)
  if (!existsSync(cluster)) await makeCluster(dataDir, native, account)
  else if (account !== undefined && (await stat(cluster)).uid !== account.uid) await giveCluster(cluster, account)
  await writeRules(cluster)
}

export interface Copy {
  /** A base backup. */
  archive: Readable
  /** Changes the copy, whose folder this is, before the cluster gets its name. */
  prepare?: (cluster: string) => Promise<void>
}

/**
 * Makes an empty cluster, or one with the data of a base backup and the configuration of an empty one. It gets its name when it is
 * complete. Until then each start makes a new one.
 */
export async function makeCluster(
  dataDir: string,
  native: string,
  account: Account | undefined,
  copy?: Copy,
): Promise<void> {
  for (const entry of await readdir(dataDir)) {
    if (entry.startsWith(BEGUN)) await removeBegun(join(dataDir, entry))
  }
  const begun = await mkdtemp(join(dataDir, BEGUN))
  const founder = account && (await founderAccount())
  if (founder !== undefined) await chown(begun, founder.uid, founder.gid)
  const { path, descriptor } = await folderForProgram(begun, account)
  const program = (name: string, args: string[], as: Account | undefined, input = '') =>
    runProgram({ file: join(native, 'bin', name), args, input, descriptor, account: as })
  try {
    await program('initdb', [`--pgdata=${path}`, ...INITDB_OPTIONS], founder)
    if (copy !== undefined) {
      await removeData(begun)
      await unpackArchive(copy.archive, begun)
      if (founder !== undefined) await giveCluster(begun, founder)
    }
    const passwords = await makePasswords(dataDir)
    // Makes the roles and the database before the server ever listens, so there is no moment without passwords. A copy first becomes
    // consistent by its log, and its roles get new passwords.
    const single = ['--single', '-D', path, '-c', 'exit_on_error=on', 'postgres']
    const script = copy === undefined ? rolesScript(passwords) : passwordsScript(passwords)
    await program('postgres', single, founder, script)
    if (account !== undefined) await giveCluster(begun, account)
    if (copy?.prepare !== undefined) {
      await writeRules(begun)
      await copy.prepare(begun)
    }
    await program('initdb', [`--pgdata=${path}`, '--sync-only'], account)
  } catch (error) {
    await removeBegun(begun)
    throw error
  } finally {
    await descriptor.close()
  }
  await rename(begun, clusterPath(dataDir))
  await syncFolder(dataDir)
}

/**
 * A killed process may have left its server there, or a program that makes the cluster. Such a program fails and ends when it misses its
 * files, but until then it may fill a folder that was just emptied. So each folder is tried again, for about five seconds.
 */
async function removeBegun(cluster: string): Promise<void> {
  await stopServer(cluster)
  await rm(cluster, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
}

/** Leaves the configuration. */
async function removeData(cluster: string): Promise<void> {
  for (const entry of await readdir(cluster)) {
    if (!entry.endsWith('.conf')) await rm(join(cluster, entry), { recursive: true })
  }
}

/** Writes who may connect and how they prove it. Written at each start: an earlier version's cluster allowed other ways in. */
async function writeRules(cluster: string): Promise<void> {
  const path = join(cluster, 'pg_hba.conf')
  // `all` does not mean the copies for backups.
  const [kind, from] = HAS_SOCKETS ? ['local', ''] : ['host', ' 127.0.0.1/32']
  const rule = (database: string, role: string) => `${kind} ${database} ${role}${from} scram-sha-256\n`
  await keepFile(path, rule('all', 'all') + rule('replication', OWNER_ROLE), 'folder')
}

/**
 * Whether the first versions made the folder and no later one has opened it: they let logins in at a port of the machine. Their tables
 * can be asked only while they run. False where the system has no sockets: every version uses a port there.
 */
export async function isOfFirstVersions(dataDir: string): Promise<boolean> {
  if (!HAS_SOCKETS) return false
  return !/^local /m.test(await readFile(join(clusterPath(dataDir), 'pg_hba.conf'), 'utf8'))
}

/** The name of an incomplete cluster. It is never used again: programs of a killed start may still write there. */
const BEGUN = 'pg.new-'

// Without these options the encoding and the sort order would follow the machine's locale.
const INITDB_OPTIONS = [
  `--username=${OWNER_ROLE}`,
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--locale=C',
  '--auth=reject',
  '--no-sync',
  '--no-instructions',
]

// PostgreSQL's single-user mode reads one statement per line.
function rolesScript({ owner, app }: Passwords): string {
  return [
    `alter role ${OWNER_ROLE} password '${scramVerifier(owner)}'`,
    `create role ${APP_ROLE} login nosuperuser nobypassrls nocreaterole nocreatedb password '${scramVerifier(app)}'`,
    `create database ${DATABASE}`,
    '',
  ].join('\n')
}

function passwordsScript({ owner, app }: Passwords): string {
  return [
    `alter role ${OWNER_ROLE} password '${scramVerifier(owner)}'`,
    `alter role ${APP_ROLE} password '${scramVerifier(app)}'`,
    '',
  ].join('\n')
}

async function makePasswords(dataDir: string): Promise<Passwords> {
  const [owner, app] = [randomBytes(24).toString('base64url'), randomBytes(24).toString('base64url')]
  await keepFile(passwordsPath(dataDir), JSON.stringify({ owner, app }), 'folder')
  return { owner, app }
}

type Program = {
  file: string
  args: string[]
  input: string
  descriptor: FileHandle
  account: Account | undefined
}

async function runProgram({ file, args, input, descriptor, account }: Program): Promise<void> {
  const child = spawn(file, args, { ...spawnAs(account), stdio: ['pipe', 'ignore', 'pipe', descriptor.fd] })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  // A program that ended early says why on its error output. The broken pipe itself says nothing.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(input)
  const [code, errors] = await Promise.all([ended, child.stderr === null ? '' : text(child.stderr)])
  if (code !== 0) throw new Error(`${file} failed: ${errors.trim()}`)
}
