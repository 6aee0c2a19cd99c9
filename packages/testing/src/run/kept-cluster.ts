// The clusters that tests begin with, with the whole schema: one of a service, and one of a test run, which also holds the templates of
// databases. They are made once and kept beside the packages; tests start from copies. Another schema, or another PostgreSQL, makes others.
import { hash, randomBytes } from 'node:crypto'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrations } from '@clinic-data/backend/migrations'
import { clusterPath } from '@clinic-data/database/embedded/cluster-folder'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@clinic-data/database/embedded/embedded-postgres'
import { installedPackage } from '@clinic-data/database/embedded/postgres-binaries'
import { keepFolder } from './kept-folder.ts'

const kept = join(import.meta.dirname, '../../../../node_modules/.cache/test-cluster')

/** The server's files end with the run, so nothing waits for the disk. Three processes of tests need their connections. */
const SETTINGS = { fsync: 'off', full_page_writes: 'off', max_connections: '300' }

/** Those of a few branches. Each takes some 150 MB. */
const MOST_KEPT = 3

/** A copy serves one purpose. */
type Purpose = 'service' | 'run'

interface Preparation {
  /** Makes the tables. */
  readonly service: (ownerUrl: string) => Promise<unknown>
  /** Makes what only a run needs, after that. */
  readonly run: (ownerUrl: string) => Promise<unknown>
}

/** Makes the kept clusters, unless they are there. */
export async function keepClusters(prepare: Preparation): Promise<void> {
  const named = join(kept, nameOfCluster())
  if (existsSync(named)) return
  const folder = mkdtempSync(join(tmpdir(), 'kept-cluster-'))
  const begun = `${named}.${randomBytes(4).toString('hex')}`
  mkdirSync(begun, { recursive: true, mode: 0o700 })
  for (const purpose of ['service', 'run'] as const) {
    const server = await startForTests(folder)
    await prepare[purpose](server.ownerUrl)
    await server.stop()
    cpSync(folder, join(begun, purpose), { recursive: true, verbatimSymlinks: true })
  }
  rmSync(folder, { recursive: true })
  keepFolder(begun, named, MOST_KEPT)
}

/** Starts the server of a run in this folder, on a copy of the kept cluster. */
export function startFromKept(dataDir: string): Promise<EmbeddedPostgres> {
  copy('run', dataDir)
  return startForTests(dataDir)
}

function startForTests(dataDir: string): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir, log: () => undefined, settings: SETTINGS })
}

/** Makes the folder one of a service with today's tables and no clinic. */
export function copyKept(dataDir: string): void {
  copy('service', dataDir)
}

function copy(purpose: Purpose, dataDir: string): void {
  cpSync(join(kept, nameOfCluster(), purpose), dataDir, { recursive: true, verbatimSymlinks: true })
  // A copied folder may be open to others, which PostgreSQL refuses.
  chmodSync(clusterPath(dataDir), 0o700)
}

/** Whatever its contents follow from: the day too, because there are partitions for the days that come. */
function nameOfCluster(): string {
  const makers = ['kept-cluster.ts', 'run-database.ts'].map((file) => readFileSync(join(import.meta.dirname, file)))
  const { version } = JSON.parse(readFileSync(join(installedPackage(), 'package.json'), 'utf8'))
  // A run's processes inherit the day on which it began: one that goes on after midnight finds its cluster again.
  process.env.TEST_DAY ??= new Date().toISOString().slice(0, 10)
  const { TEST_DAY } = process.env
  return hash('sha256', JSON.stringify([version, process.getuid?.(), migrations, makers, TEST_DAY])).slice(0, 16)
}
