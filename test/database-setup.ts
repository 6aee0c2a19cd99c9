// The database of a test run: an embedded PostgreSQL in a temporary folder, or the one that TEST_DATABASE_URL names.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrations, tables } from '@clinic-data/backend/migrations'
import { openDatabase } from '@clinic-data/database'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@clinic-data/database/embedded-postgres'
import { migrate } from '@clinic-data/database/migrate'

let server: EmbeddedPostgres | null = null
let folder: string | null = null

export async function globalSetup(): Promise<void> {
  if (!process.env.TEST_DATABASE_URL) {
    folder = await mkdtemp(join(tmpdir(), 'clinic-data-test-'))
    server = await startEmbeddedPostgres({ dataDir: folder, log: () => undefined })
    process.env.TEST_DATABASE_URL = server.ownerUrl
  }
  const owner = await openDatabase({ url: process.env.TEST_DATABASE_URL, role: null, statementTimeoutMs: 0 })
  try {
    await migrate(owner, migrations, { tables, log: () => undefined })
  } finally {
    await owner.close()
  }
}

export async function globalTeardown(): Promise<void> {
  await server?.stop()
  if (folder !== null) await rm(folder, { recursive: true, force: true })
}
