// At most one process uses a data folder.
//
// The lock is a listening local socket that is named after the folder, so the kernel itself releases it when its holder
// dies, however it dies: nothing can be left behind. Whoever connects is told the holder's process id.

import { createHash } from 'node:crypto'
import { unlinkSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

export type FolderLock = { release: () => Promise<void> }

export async function lockFolder(folder: string): Promise<FolderLock> {
  const address = await addressOf(folder)
  const server = createServer((socket) => socket.on('error', () => undefined).end(String(process.pid)))
  if (!(await listen(server, address))) {
    const holder = await holderAt(address)
    // On macOS the socket is a file, which outlives its holder: nobody answers there.
    if (holder === undefined && address.startsWith('/')) unlinkSync(address)
    if (holder !== undefined || !(await listen(server, address))) {
      throw new Error(`the data folder ${folder} is in use by process ${holder ?? '(unknown)'}`)
    }
  }
  server.unref()
  return { release: () => new Promise((resolve) => server.close(() => resolve())) }
}

// By inode: a folder has many paths. Linux has a name space for such sockets that holds no files, Windows has pipes.
async function addressOf(folder: string): Promise<string> {
  const { dev, ino } = await stat(folder, { bigint: true })
  const name = `clinic-data-${createHash('sha256').update(`${dev}:${ino}`).digest('hex').slice(0, 24)}`
  if (process.platform === 'linux') return `\0${name}`
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), name)
}

/** False when somebody else listens there. */
function listen(server: Server, address: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    )
    server.listen(address, () => {
      server.removeAllListeners('error')
      resolve(true)
    })
  })
}

async function holderAt(address: string): Promise<string | undefined> {
  const socket = connect(address)
  socket.setTimeout(2_000, () => socket.destroy())
  try {
    return await text(socket)
  } catch {
    return undefined
  }
}
