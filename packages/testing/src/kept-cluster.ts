// The cluster of a test run's own PostgreSQL server, with the whole schema. It is made once and kept beside the packages; a run
// starts from a copy of it. Another schema, or another PostgreSQL, makes another.
import { hash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { migrations } from '@clinic-data/backend/migrations'
import { clusterPath } from '@clinic-data/database/embedded/cluster-folder'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@clinic-data/database/embedded/embedded-postgres'
import { installedPackage } from '@clinic-data/database/embedded/postgres-binaries'

const kept = join(import.meta.dirname, '../../../node_modules/.cache/test-cluster')

/** The server's files end with the run, so nothing waits for the disk. Three processes of tests need their connections. */
const SETTINGS = { fsync: 'off', full_page_writes: 'off', max_connections: '300' }

/** Those of a few branches. Each takes some 60 MB. */
const MOST_KEPT = 3

/**
 * Starts a server on a copy of the kept cluster in this folder.
 * @param prepare - makes what the copies begin with. Called only when there is no cluster to copy.
 */
export async function startFromKept(
  dataDir: string,
  prepare: (ownerUrl: string) => Promise<void>,
): Promise<EmbeddedPostgres> {
  const start = () => startEmbeddedPostgres({ dataDir, log: () => undefined, settings: SETTINGS })
  if (copyKept(dataDir)) return start()
  const server = await start()
  await prepare(server.ownerUrl)
  await server.stop()
  keep(dataDir, join(kept, nameOfCluster()))
  return start()
}

/** Makes the folder one of a service with today's tables and no clinic. @returns false, and does nothing, where none is kept. */
export function copyKept(dataDir: string): boolean {
  const cluster = join(kept, nameOfCluster())
  if (!existsSync(cluster)) return false
  cpSync(cluster, dataDir, { recursive: true, verbatimSymlinks: true })
  // A copied folder may be open to others, which PostgreSQL refuses.
  chmodSync(clusterPath(dataDir), 0o700)
  return true
}

/** Whatever its contents follow from. */
function nameOfCluster(): string {
  const makers = ['kept-cluster.ts', 'run-database.ts'].map((file) => readFileSync(join(import.meta.dirname, file)))
  const { version } = JSON.parse(readFileSync(join(installedPackage(), 'package.json'), 'utf8'))
  return hash('sha256', JSON.stringify([version, process.getuid?.(), migrations, makers])).slice(0, 16)
}

/** It gets its name when it is complete. Another run may have been quicker, and others may still copy an earlier one. */
function keep(dataDir: string, cluster: string): void {
  mkdirSync(kept, { recursive: true, mode: 0o700 })
  const begun = `${cluster}.${randomBytes(4).toString('hex')}`
  cpSync(dataDir, begun, { recursive: true, verbatimSymlinks: true })
  if (existsSync(cluster)) rmSync(begun, { recursive: true })
  else renameSync(begun, cluster)
  const age = (name: string) => statSync(join(kept, name)).ctimeMs
  const newestFirst = readdirSync(kept).toSorted((a, b) => age(b) - age(a))
  for (const name of newestFirst.slice(MOST_KEPT)) rmSync(join(kept, name), { recursive: true, force: true })
}
