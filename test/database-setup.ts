// The database of a test run: an embedded PostgreSQL in a temporary folder, or the one that TEST_DATABASE_URL names. With
// TEST_PROCESSES=6 also the processes that serve it.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrations, tables } from '@clinic-data/backend/migrations'
import { type Database, openDatabase, sql } from '@clinic-data/database'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@clinic-data/database/embedded/embedded-postgres'
import type { ApplicationLogin } from '@clinic-data/database/schema/application-login'
import { migrate } from '@clinic-data/database/schema/migrate'
import * as engine from '@clinic-data/webhooks/migrations'
import { templateOf } from '../packages/database/test/templates.ts'
import type { SixProcesses } from './six-processes.ts'

let server: EmbeddedPostgres | null = null
let folder: string | null = null
let six: SixProcesses | null = null
/** The application's login on a server that we did not start. Dropped at the end. */
let login: ApplicationLogin | undefined
const templates: string[] = []

export async function globalSetup(): Promise<void> {
  if (!process.env.TEST_DATABASE_URL) {
    folder = await mkdtemp(join(tmpdir(), 'clinic-data-test-'))
    server = await startEmbeddedPostgres({ dataDir: folder, log: () => undefined })
    process.env.TEST_DATABASE_URL = server.ownerUrl
    process.env.TEST_APP_DATABASE_URL = server.appUrl
  } else {
    login = {
      name: `clinic_data_test_${randomBytes(6).toString('hex')}`,
      password: randomBytes(24).toString('base64url'),
    }
    const url = new URL(process.env.TEST_DATABASE_URL)
    Object.assign(url, { username: login.name, password: login.password })
    process.env.TEST_APP_DATABASE_URL = url.href
  }
  const owner = await openDatabase({ url: process.env.TEST_DATABASE_URL, statementTimeoutMs: 0 })
  try {
    await migrate(owner, migrations, { tables, log: () => undefined, ...(login ? { login } : {}) })
    const { rows: citus } = await owner.query(sql`select from pg_extension where extname = 'citus'`)
    if (citus.length === 0) await makeTemplates(owner)
  } finally {
    await owner.close()
  }
  if (process.env.TEST_PROCESSES !== '6') return
  const { startSixProcesses } = await import('./six-processes.ts')
  six = await startSixProcesses(process.env.TEST_DATABASE_URL)
  Object.assign(process.env, { TEST_GATEWAYS: six.gateways.join(','), TEST_LOGS: six.logs })
}

/** One with the whole schema and one with that of the engine, for the files with a database of their own. */
async function makeTemplates(owner: Database): Promise<void> {
  process.env.TEST_TEMPLATES = `template_${randomBytes(6).toString('hex')}`
  for (const schema of [{ migrations, tables }, engine]) {
    const name = templateOf(schema.migrations) ?? ''
    await owner.query(sql`create database ${sql.identifier(name)}`)
    const url = new URL(process.env.TEST_DATABASE_URL ?? '')
    url.pathname = `/${name}`
    const template = await openDatabase({ url: url.href, statementTimeoutMs: 0 })
    await migrate(template, schema.migrations, { tables: schema.tables, log: () => undefined })
    await template.close()
    templates.push(name)
  }
}

export async function globalTeardown(): Promise<void> {
  await six?.close()
  if (login) await dropAll(login.name)
  await server?.stop()
  if (folder !== null) await rm(folder, { recursive: true, force: true })
}

async function dropAll(login: string): Promise<void> {
  const owner = await openDatabase({ url: process.env.TEST_DATABASE_URL ?? '', statementTimeoutMs: 0 })
  for (const name of templates) await owner.query(sql`drop database ${sql.identifier(name)}`)
  await owner.query(sql`drop role ${sql.identifier(login)}`).finally(() => owner.close())
}
