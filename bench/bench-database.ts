// The embedded database of a bench: with today's tables, opened as their owner.
import { dirname, join } from 'node:path'
import { migrations, tables } from '@clinic-data/backend/migrations'
import { type Database, openDatabase } from '@clinic-data/database'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@clinic-data/database/embedded/embedded-postgres'
import { migrate } from '@clinic-data/database/schema/migrate'

/** Most benches keep their clinics here, and find them again. */
export const KEPT = join(dirname(import.meta.dirname), '.data', 'bench')

export interface BenchDatabase {
  readonly server: EmbeddedPostgres
  /** Its statements may take as long as they need. */
  readonly owner: Database
  close(): Promise<void>
}

export async function openBenchDatabase(
  dataDir: string,
  more: { readonly writeConnections?: number } = {},
): Promise<BenchDatabase> {
  const server = await startEmbeddedPostgres({ dataDir, log: () => undefined })
  const owner = await openDatabase({ url: server.ownerUrl, statementTimeoutMs: 0, ...more })
  const close = async () => {
    await owner.close()
    await server.stop()
  }
  try {
    await migrate(owner, migrations, { tables, log: () => undefined })
  } catch (error) {
    await close()
    throw error
  }
  return { server, owner, close }
}
