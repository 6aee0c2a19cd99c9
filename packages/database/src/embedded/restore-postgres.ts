// Makes the cluster of a data folder from a base backup. The folder is as before until the cluster is complete.

import { existsSync } from 'node:fs'
import { readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { keepFolder } from '@clinic-data/disk/kept-file'
import { clusterPath, makeCluster } from './cluster-folder.ts'
import { type EmbeddedUrls, urlsOf } from './embedded-postgres.ts'
import { lockFolder } from './folder-lock.ts'
import { installedPackage, postgresBinaries } from './postgres-binaries.ts'
import { stopServer } from './postmaster.ts'
import { serverAccount } from './server-account.ts'
import { launchServer } from './server-launch.ts'

export function hasCluster(dataDir: string): boolean {
  return existsSync(clusterPath(dataDir))
}

/** The version of the installed server's files, which no other version can read. */
export async function embeddedMajor(): Promise<number> {
  const { version } = JSON.parse(await readFile(join(installedPackage(), 'package.json'), 'utf8'))
  return Number.parseInt(version, 10)
}

export interface Restoring {
  readonly dataDir: string
  readonly archive: Readable
  /** Changes the data before the folder has a database: after a failure here there is none. */
  readonly prepare?: (urls: EmbeddedUrls) => Promise<void>
}

/** @throws Error when the folder has a cluster, or another process uses it. */
export async function restoreEmbeddedPostgres({ prepare, archive, ...options }: Restoring): Promise<void> {
  await keepFolder(options.dataDir)
  const dataDir = await realpath(options.dataDir)
  const lock = await lockFolder(dataDir)
  try {
    if (hasCluster(dataDir)) throw new Error(`the data folder ${dataDir} already holds a database`)
    const account = await serverAccount(clusterPath(dataDir))
    const native = await postgresBinaries(dataDir, account)
    const onServer = async (cluster: string) => {
      const launch = { cluster, native, account, logFile: join(dataDir, 'postgres.log'), port: undefined }
      const postmaster = await launchServer(launch)
      await prepare?.(await urlsOf(dataDir, postmaster, cluster))
      await stopServer(cluster)
    }
    await makeCluster(dataDir, native, account, { archive, ...(prepare && { prepare: onServer }) })
  } finally {
    await lock.release()
  }
}
