// The folder of an embedded PostgreSQL cluster: how it is named to programs, and how it comes into being.

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, type FileHandle, lchown, mkdtemp, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { keepFile, syncFolder } from '@clinic-data/disk/kept-file'
import { scramVerifier } from './scram-verifier.ts'
import { type Account, founderAccount, giveCluster, spawnAs } from './server-account.ts'
import { HAS_SOCKETS } from './server-address.ts'

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
 * The folder as a program run by `account` is to name it. Another account cannot walk to a folder below root's home; an
 * open descriptor, which the program gets as number 3, takes it there all the same.
 */
export type FolderForProgram = { path: string; descriptor: FileHandle }

export async function folderForProgram(folder: string, account: Account | undefined): Promise<FolderForProgram> {
  return { path: account === undefined ? folder : '/proc/self/fd/3', descriptor: await open(folder, 'r') }
}

/** Makes the cluster unless it is there, and has it belong to `account`. */
export async function ensureCluster(dataDir: string, native: string, account: Account | undefined): Promise<void> {
  const cluster = clusterPath(dataDir)
  if (!existsSync(cluster)) await makeCluster(dataDir, native, account)
  else if (account !== undefined && (await stat(cluster)).uid !== account.uid) await giveCluster(cluster, account)
  await writeRules(cluster, account)
}

/** It gets its name when it is complete; until then it is begun anew. */
async function makeCluster(dataDir: string, native: string, account: Account | undefined): Promise<void> {
  for (const entry of await readdir(dataDir)) {
    if (entry.startsWith(BEGUN)) await rm(join(dataDir, entry), { recursive: true, force: true })
  }
  const begun = await mkdtemp(join(dataDir, BEGUN))
  const founder = account && (await founderAccount())
  if (founder !== undefined) await chown(begun, founder.uid, founder.gid)
  const passwords = await makePasswords(dataDir)
  const { path, descriptor } = await folderForProgram(begun, account)
  const program = (name: string, args: string[], as: Account | undefined, input = '') =>
    runProgram({ file: join(native, 'bin', name), args, input, descriptor, account: as })
  try {
    await program('initdb', [`--pgdata=${path}`, ...INITDB_OPTIONS], founder)
    // The roles and the database are made before the server has ever listened: no moment without passwords.
    const single = ['--single', '-D', path, '-c', 'exit_on_error=on', 'postgres']
    await program('postgres', single, founder, rolesScript(passwords))
    if (account !== undefined) await giveCluster(begun, account)
    await program('initdb', [`--pgdata=${path}`, '--sync-only'], account)
  } finally {
    await descriptor.close()
  }
  await rename(begun, clusterPath(dataDir))
  await syncFolder(dataDir)
}

/** Who may connect, and by what proof. Written at each start: a cluster of an earlier version let other ways in. */
async function writeRules(cluster: string, account: Account | undefined): Promise<void> {
  const path = join(cluster, 'pg_hba.conf')
  await keepFile(path, `${HAS_SOCKETS ? 'local all all' : 'host all all 127.0.0.1/32'} scram-sha-256\n`)
  if (account !== undefined) await lchown(path, account.uid, account.gid)
}

/** A cluster that is not complete. Its name is never used again: a killed start's programs may still write there. */
const BEGUN = 'pg.new-'

// Without these the encoding and the order of texts would follow the machine's locale.
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

// One statement a line is what PostgreSQL's single-user mode reads.
function rolesScript({ owner, app }: Passwords): string {
  return [
    `alter role ${OWNER_ROLE} password '${scramVerifier(owner)}'`,
    `create role ${APP_ROLE} login nosuperuser nobypassrls nocreaterole nocreatedb password '${scramVerifier(app)}'`,
    `create database ${DATABASE}`,
    '',
  ].join('\n')
}

async function makePasswords(dataDir: string): Promise<Passwords> {
  const [owner, app] = [randomBytes(24).toString('base64url'), randomBytes(24).toString('base64url')]
  await keepFile(passwordsPath(dataDir), JSON.stringify({ owner, app }))
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
  // A program that ended early says why on its error output, not by breaking this pipe.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(input)
  const [code, errors] = await Promise.all([ended, child.stderr === null ? '' : text(child.stderr)])
  if (code !== 0) throw new Error(`${file} failed: ${errors.trim()}`)
}
