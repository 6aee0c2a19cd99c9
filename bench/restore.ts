// How long a backup and its restore take, by the patients in it: clinics of 100,000 patients with 500,000 appointments, 1,000,000 treatments and
// 300,000 payments each, on the embedded database.
//
//   node bench/restore.ts [clinics] [folder]    ten clinics: a million patients, and some tens of GB in the folder while it runs
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, type Statement, sql } from '@clinic-data/database'
import { analyticsClinic } from './analytics-clinic.ts'
import { openBenchDatabase } from './bench-database.ts'

const clinics = Number(process.argv[2] ?? 10)
const PROGRAM = join(import.meta.dirname, '../packages/server/bin/clinicd.mjs')
const MB = 1024 * 1024
const SECRET_KEYS = `bench:${randomBytes(32).toString('base64')}`

const folder = await mkdtemp(join(process.argv[3] ?? tmpdir(), 'bench-restore-'))
const [from, to, file] = [join(folder, 'from'), join(folder, 'to'), join(folder, 'clinicd.backup')]
try {
  const megabytes = (await inDatabase(from, filled)) / MB
  const backup = await clinicd(from, 'backup', file)
  const restore = await clinicd(to, 'restore', file)
  const { size } = await stat(file)
  const found = await inDatabase(to, (owner) => numberOf(owner, sql`select count(*)::float8 as value from patient`))
  process.stdout.write(
    '| patients | database | backup | its size | restore |\n|---|---|---|---|---|\n' +
      `| ${found.toLocaleString('en')} | ${Math.round(megabytes)} MB | ${backup.toFixed(0)} s | ${Math.round(size / MB)} MB | ${restore.toFixed(0)} s |\n`,
  )
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** @returns the bytes of the database. */
async function filled(owner: Database): Promise<number> {
  for (let n = 1; n <= clinics; n++) await analyticsClinic(owner, `measured-${n}`)
  return numberOf(owner, sql`select pg_database_size(current_database())::float8 as value`)
}

async function numberOf(owner: Database, statement: Statement): Promise<number> {
  const { rows } = await owner.query<{ value: number }>(statement)
  return rows[0]?.value ?? Number.NaN
}

async function inDatabase(dataDir: string, work: (owner: Database) => Promise<number>): Promise<number> {
  const { owner, close } = await openBenchDatabase(dataDir)
  try {
    return await work(owner)
  } finally {
    await close()
  }
}

/** @returns the seconds that the command took. */
async function clinicd(dataDir: string, ...argv: string[]): Promise<number> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [PROGRAM, ...argv], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, SECRET_KEYS },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`clinicd ${argv[0]} ended with ${code}`)
  return (performance.now() - startedAt) / 1000
}
