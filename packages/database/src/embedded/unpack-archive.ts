// Unpacks the tar archive of a base backup. It holds folders and files of less than 8 GB, and nothing else is accepted. Its data arrive,
// and nothing that would tell the server what to do.

import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

const BLOCK = 512
const FOLDER_MODE = 0o700
const FILE_MODE = 0o600

/**
 * A cluster's data are made of these, with the label that tells where its log begins. Settings, who may connect, signals that change what
 * a start does, and tablespaces elsewhere are not among them.
 */
const DATA_FOLDERS = [
  ...[
    'base',
    'global',
    'pg_commit_ts',
    'pg_dynshmem',
    'pg_logical',
    'pg_multixact',
    'pg_notify',
    'pg_replslot',
    'pg_serial',
  ],
  ...['pg_snapshots', 'pg_stat', 'pg_stat_tmp', 'pg_subtrans', 'pg_twophase', 'pg_wal', 'pg_xact'],
]
const DATA_FILES = ['PG_VERSION', 'backup_label', 'pg_tblspc']

/** Unpacks the data into an existing folder. @throws Error when the archive is not whole or holds a name that leads elsewhere. */
export async function unpackArchive(archive: Readable, folder: string): Promise<void> {
  const bytes = new ByteReader(archive)
  for (;;) {
    const header = await bytes.take(BLOCK)
    // Two empty blocks end an archive.
    if (header.every((byte) => byte === 0)) return bytes.drain()
    const { name, size, type } = entryOf(header)
    const path = join(folder, name)
    if (!isData(name)) await bytes.skip(padded(size))
    else if (type === '5') await mkdir(path, { recursive: true, mode: FOLDER_MODE })
    else await unpackFile(bytes, path, size)
  }
}

function isData(name: string): boolean {
  return DATA_FILES.includes(name) || DATA_FOLDERS.includes(name.split('/', 1)[0] ?? '')
}

function padded(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK
}

async function unpackFile(bytes: ByteReader, path: string, size: number): Promise<void> {
  const file = await open(path, 'wx', FILE_MODE)
  try {
    let left = size
    while (left > 0) {
      const some = await bytes.some(left)
      await file.writeFile(some)
      left -= some.length
    }
  } finally {
    await file.close()
  }
  await bytes.skip(padded(size) - size)
}

function entryOf(header: Buffer): { name: string; size: number; type: string } {
  const text = (from: number, length: number) =>
    header
      .subarray(from, from + length)
      .toString('latin1')
      .replace(/\0.*$/s, '')
  // The server begins the names of some folders with a dot.
  const name = text(0, 100).replace(/^\.\//, '').replace(/\/$/, '')
  const [size, type] = [text(124, 12).trim(), text(156, 1) || '0']
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0)
  // On Windows a backslash divides folders too, and a colon names a drive or a stream of a file.
  const isPlain = !/[\\:]/.test(name) && name.split('/').every((part) => !['', '.', '..'].includes(part))
  if (Number.parseInt(text(148, 8), 8) !== sum || !/^[0-7]+$/.test(size) || !/^[05]$/.test(type) || !isPlain)
    throw new Error('the archive of the backup holds an entry that no backup has')
  return { name, size: Number.parseInt(size, 8), type }
}

/** Takes a stream apart by numbers of bytes. */
class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(stream: Readable) {
    this.#chunks = stream[Symbol.asyncIterator]()
  }

  /** At least one byte, at most `limit`. */
  async some(limit: number): Promise<Buffer> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#chunks.next()
      if (done) throw new Error('the archive of the backup ends too early')
      this.#rest = value
    }
    const taken = this.#rest.subarray(0, limit)
    this.#rest = this.#rest.subarray(taken.length)
    return taken
  }

  async take(length: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for (let left = length; left > 0; left -= parts.at(-1)?.length ?? 0) parts.push(await this.some(left))
    return Buffer.concat(parts)
  }

  async skip(length: number): Promise<void> {
    for (let left = length; left > 0; ) left -= (await this.some(left)).length
  }

  /** Reads to the end, so that an error of the stream is not missed. */
  async drain(): Promise<void> {
    while (!(await this.#chunks.next()).done);
  }
}
