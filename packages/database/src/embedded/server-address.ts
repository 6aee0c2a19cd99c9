// Where an embedded server listens: at a socket in its cluster's folder, which nobody else can enter. There is no port that another
// process could take when the server has ended. Only Windows, where Node.js cannot open such sockets, uses a port of the loopback
// address (docs/decisions/0023).

import { openSync } from 'node:fs'
import { clusterName } from './postmaster.ts'

export const HAS_SOCKETS = process.platform !== 'win32'

/** Only a part of the socket's name: every cluster has its own folder. */
export const SOCKET_PORT = 5432

/** The socket and its lock, which a killed server leaves behind. */
export const SOCKET_FILES = [`.s.PGSQL.${SOCKET_PORT}`, `.s.PGSQL.${SOCKET_PORT}.lock`]

/** The longest path of a socket that the system accepts, without the terminating byte. */
const LONGEST_SOCKET_PATH = process.platform === 'linux' ? 107 : 103
const LONGEST_FOLDER = LONGEST_SOCKET_PATH - `/.s.PGSQL.${SOCKET_PORT}`.length

/** Host and port for a url. */
export async function serverAuthority(cluster: string, port: number): Promise<string> {
  if (!HAS_SOCKETS) return `127.0.0.1:${port}`
  return `${encodeURIComponent(await socketFolder(cluster))}:${SOCKET_PORT}`
}

/** Folders whose paths are too long, kept open for as long as this process lives. */
const open = new Map<string, number>()

/** A short path through an open descriptor replaces one that is too long. */
async function socketFolder(cluster: string): Promise<string> {
  if (Buffer.byteLength(cluster) <= LONGEST_FOLDER) return cluster
  if (process.platform !== 'linux') {
    throw new Error(`the path of the data folder is too long for a socket: ${cluster}; name a shorter one`)
  }
  const name = await clusterName(cluster)
  const descriptor = open.get(name) ?? openSync(cluster, 'r')
  open.set(name, descriptor)
  return `/proc/${process.pid}/fd/${descriptor}`
}
