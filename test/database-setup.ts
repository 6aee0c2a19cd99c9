// The database of a test run: an embedded PostgreSQL in a temporary folder, or the one that TEST_DATABASE_URL names.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrations, tables } from '@clinic-data/backend/migrations'
import { openDatabase, sql } from '@clinic-data/database'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@clinic-data/database/embedded/embedded-postgres'
import type { ApplicationLogin } from '@clinic-data/database/schema/application-login'
import { migrate } from '@clinic-data/database/schema/migrate'

let server: EmbeddedPostgres | null = null
let folder: string | null = null
/** The application's login on a server that we did not start. Dropped at the end. */
let login: ApplicationLogin | undefined

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
  } finally {
    await owner.close()
  }
}

export async function globalTeardown(): Promise<void> {
  if (login) await dropLogin(login.name)
  await server?.stop()
  if (folder !== null) await rm(folder, { recursive: true, force: true })
}

async function dropLogin(name: string): Promise<void> {
  const owner = await openDatabase({ url: process.env.TEST_DATABASE_URL ?? '', statementTimeoutMs: 0 })
  await owner.query(sql`drop role ${sql.identifier(name)}`).finally(() => owner.close())
}
