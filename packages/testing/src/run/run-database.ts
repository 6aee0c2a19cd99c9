// The database of a test run: an embedded PostgreSQL in a temporary folder, or the one that TEST_DATABASE_URL names. With
// TEST_PROCESSES=6 also the processes that serve it. And where the run's browser is found.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrations, tables } from '@clinic-data/backend/migrations'
import { openDatabase, sql } from '@clinic-data/database'
import type { EmbeddedPostgres } from '@clinic-data/database/embedded/embedded-postgres'
import { APP_ROLE, type ApplicationLogin } from '@clinic-data/database/schema/application-login'
import { migrate } from '@clinic-data/database/schema/migrate'
import * as engine from '@clinic-data/webhooks/migrations'
import { keepClusters, startFromKept } from './kept-cluster.ts'
import { offerBrowser, type RunBrowser } from './run-browser.ts'
import type { SixProcesses } from './six-processes.ts'
import { templateName } from './templates.ts'

/** Begins the names of the templates in a kept cluster, which belongs to one run. */
const KEPT_TEMPLATES = 'template'

let server: EmbeddedPostgres | null = null
let folder: string | null = null
let six: SixProcesses | null = null
let browser: RunBrowser | null = null
/** The application's login on a server that we did not start. Dropped at the end. */
let login: ApplicationLogin | undefined
/** Those that we made on a server that we did not start. */
const templates: string[] = []

export async function globalSetup(): Promise<void> {
  // Everything that the files' processes make on the server, and that lasts longer than a file, has this in its name.
  process.env.TEST_RUN = `run_${randomBytes(6).toString('hex')}`
  if (!process.env.TEST_CHROMIUM) {
    browser = await offerBrowser()
    if (browser) process.env.TEST_CHROMIUM = browser.address
  }
  // Tests of backups and of first starts copy one, whatever the run's database is.
  await keepClusters({ service: migrated, run: (ownerUrl) => makeTemplates(ownerUrl, KEPT_TEMPLATES) })
  if (!process.env.TEST_DATABASE_URL) {
    folder = await mkdtemp(join(tmpdir(), 'clinic-data-test-'))
    process.env.TEST_TEMPLATES = KEPT_TEMPLATES
    server = await startFromKept(folder)
    process.env.TEST_DATABASE_URL = server.ownerUrl
    process.env.TEST_APP_DATABASE_URL = server.appUrl
  } else await prepareGiven(process.env.TEST_DATABASE_URL)
  if (process.env.TEST_PROCESSES !== '6') return
  const { startSixProcesses } = await import('./six-processes.ts')
  six = await startSixProcesses(process.env.TEST_DATABASE_URL)
  Object.assign(process.env, { TEST_GATEWAYS: six.gateways.join(','), TEST_LOGS: six.logs })
}

async function prepareGiven(ownerUrl: string): Promise<void> {
  login = {
    role: APP_ROLE,
    name: `clinic_data_test_${randomBytes(6).toString('hex')}`,
    password: randomBytes(24).toString('base64url'),
  }
  const url = Object.assign(new URL(ownerUrl), { username: login.name, password: login.password })
  process.env.TEST_APP_DATABASE_URL = url.href
  if (await migrated(ownerUrl, login)) return
  process.env.TEST_TEMPLATES = `template_${randomBytes(6).toString('hex')}`
  templates.push(...(await makeTemplates(ownerUrl, process.env.TEST_TEMPLATES)))
}

/** @returns whether it is a cluster. */
async function migrated(url: string, login?: ApplicationLogin): Promise<boolean> {
  const owner = await openDatabase({ url, statementTimeoutMs: 0 })
  try {
    await migrate(owner, migrations, { tables, log: () => undefined, ...(login ? { login } : {}) })
    const { rows } = await owner.query(sql`select from pg_extension where extname = 'citus'`)
    return rows.length > 0
  } finally {
    await owner.close()
  }
}

/** One with the whole schema and one with that of the engine, for the files with a database of their own. */
async function makeTemplates(ownerUrl: string, prefix: string): Promise<string[]> {
  const names: string[] = []
  const owner = await openDatabase({ url: ownerUrl, statementTimeoutMs: 0, writeConnections: 1 })
  for (const schema of [{ migrations, tables }, engine]) {
    const name = templateName(prefix, schema.migrations)
    await owner.query(sql`create database ${sql.identifier(name)}`)
    const { href: url } = Object.assign(new URL(ownerUrl), { pathname: `/${name}` })
    const template = await openDatabase({ url, statementTimeoutMs: 0 })
    await migrate(template, schema.migrations, { tables: schema.tables, log: () => undefined })
    await template.close()
    names.push(name)
  }
  await owner.close()
  return names
}

export async function globalTeardown(): Promise<void> {
  await six?.close()
  await browser?.close()
  if (login) await dropAll(login.name)
  await server?.stop()
  if (folder !== null) await rm(folder, { recursive: true, force: true })
}

async function dropAll(login: string): Promise<void> {
  const owner = await openDatabase({ url: process.env.TEST_DATABASE_URL ?? '', statementTimeoutMs: 0 })
  for (const name of templates) await owner.query(sql`drop database ${sql.identifier(name)}`)
  const { rows } = await owner.query<{ name: string }>(
    sql`select datname as name from pg_database where starts_with(datname, ${process.env.TEST_RUN ?? ''})`,
  )
  for (const { name } of rows) await owner.query(sql`drop database ${sql.identifier(name)} with (force)`)
  await owner.query(sql`drop role ${sql.identifier(login)}`).finally(() => owner.close())
}
