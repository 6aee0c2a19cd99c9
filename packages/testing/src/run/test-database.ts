// A migrated database for the tests of a file: the one that TEST_DATABASE_URL (an owner's) names, or an embedded one of its own.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { migrations, tables } from '@clinic-data/backend/migrations'
import { type Database, openDatabase, sql } from '@clinic-data/database'
import { startEmbeddedPostgres } from '@clinic-data/database/embedded/embedded-postgres'
import { CONSOLE_ROLE } from '@clinic-data/database/schema/application-login'
import { admitLogin, migrate } from '@clinic-data/database/schema/migrate'
import type { Log } from '@clinic-data/surface/log'
import { lend } from '../shared/lent.ts'
import { asApplication } from './application.ts'
import { createDatabase } from './templates.ts'

export { clinicWithoutKeys, testClinic } from '../grounds/test-clinic.ts'

export interface TestDatabase {
  ownerUrl: string
  /** The operator's: sees every clinic. */
  owner: Database
  /** The program's: bound by row level security. */
  app: Database
  /** Opens the console's, with a login of its own. */
  openForConsole: () => Promise<Database>
}

/** Closed after the tests of the file. */
export async function testDatabase(): Promise<TestDatabase> {
  const configured = process.env.TEST_DATABASE_URL
  if (configured === undefined) return opened(await embedded())
  return opened({ ownerUrl: configured, stop: async () => undefined, isMigrated: process.env.TEST_RUN !== undefined })
}

/** For tests that other tests' rows would disturb: a database of the file's own. On a cluster the shared one. */
export async function ownDatabase(): Promise<TestDatabase> {
  const configured = process.env.TEST_DATABASE_URL
  if (configured === undefined) return opened(await embedded())
  const name = `own_${randomBytes(6).toString('hex')}`
  const server = await openDatabase({ url: configured, statementTimeoutMs: 0, writeConnections: 1 })
  const { rows: citus } = await server.query(sql`select from pg_extension where extname = 'citus'`)
  if (citus.length > 0) return opened({ ownerUrl: configured, stop: () => server.close() })
  const isMigrated = await createDatabase(server, name, migrations)
  const url = new URL(configured)
  url.pathname = `/${name}`
  const drop = async () => {
    await server.query(sql`drop database ${sql.identifier(name)} with (force)`)
    await server.close()
  }
  return opened({ ownerUrl: url.href, stop: drop, isMigrated })
}

interface Opening {
  readonly ownerUrl: string
  readonly stop: () => Promise<void>
  /** The run's database was migrated before its first file, and what others are copies of. */
  readonly isMigrated?: boolean
}

async function opened({ ownerUrl, stop, isMigrated = false }: Opening): Promise<TestDatabase> {
  const owner = await openDatabase({ url: ownerUrl, statementTimeoutMs: 0 })
  if (!isMigrated) await migrate(owner, migrations, { log: () => undefined, tables })
  const app = await openDatabase(asApplication(ownerUrl))
  const giveBack = lend('a test database')
  const closing = new AsyncDisposableStack()
  closing.defer(giveBack)
  closing.defer(stop)
  closing.defer(() => owner.close())
  closing.defer(() => app.close())
  after(() => closing.disposeAsync())
  return { ownerUrl, owner, app, openForConsole: () => withConsoleLogin(ownerUrl, owner, closing) }
}

/** Opens a database with a login of the console's, until `closing`. */
export async function withConsoleLogin(
  ownerUrl: string,
  owner: Database,
  closing: AsyncDisposableStack,
): Promise<Database> {
  const [name, password] = [`console_${randomBytes(6).toString('hex')}`, randomBytes(24).toString('base64url')]
  await admitLogin(owner, { role: CONSOLE_ROLE, name, password })
  closing.defer(async () => {
    await owner.query(sql`drop role ${sql.identifier(name)}`)
  })
  const { href: url } = Object.assign(new URL(ownerUrl), { username: name, password })
  return closing.adopt(await openDatabase({ url, ownerUrl }), (console) => console.close())
}

async function embedded(): Promise<{ ownerUrl: string; stop: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'clinic-data-test-'))
  const { ownerUrl, appUrl, stop } = await startEmbeddedPostgres({ dataDir, log: () => undefined })
  process.env.TEST_APP_DATABASE_URL = appUrl
  return {
    ownerUrl,
    stop: async () => {
      await stop()
      await rm(dataDir, { recursive: true })
    },
  }
}

/** An error outside of a request fails the test that caused it. */
export const failingLog: Log = {
  warn: (_, line) => assert.fail(line),
  error: (_, line) => assert.fail(line),
}
