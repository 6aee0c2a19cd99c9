// Makes the cluster of a data folder from a base backup. The folder is as before until the cluster is complete.

import { existsSync } from 'node:fs'
import { readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { keepFolder } from '@clinic-data/disk/kept-file'
import { clusterPath, makeCluster } from './cluster-folder.ts'
import { lockFolder } from './folder-lock.ts'
import { installedPackage, postgresBinaries } from './postgres-binaries.ts'
import { serverAccount } from './server-account.ts'

export function hasCluster(dataDir: string): boolean {
  return existsSync(clusterPath(dataDir))
}

/** The version of the installed server's files, which no other version can read. */
export async function embeddedMajor(): Promise<number> {
  const { version } = JSON.parse(await readFile(join(installedPackage(), 'package.json'), 'utf8'))
  return Number.parseInt(version, 10)
}

/** @throws Error when the folder has a cluster, or another process uses it. */
export async function restoreEmbeddedPostgres(options: { dataDir: string; archive: Readable }): Promise<void> {
  await keepFolder(options.dataDir)
  const dataDir = await realpath(options.dataDir)
  const lock = await lockFolder(dataDir)
  try {
    if (hasCluster(dataDir)) throw new Error(`the data folder ${dataDir} already holds a database`)
    const account = await serverAccount(clusterPath(dataDir))
    await makeCluster(dataDir, await postgresBinaries(dataDir, account), account, options.archive)
  } finally {
    await lock.release()
  }
}
