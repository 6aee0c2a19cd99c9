// The file of a backup: one line of JSON that says what it holds, the compressed archive of the database's files, and the SHA-256 of
// both, which shows a file that is damaged or cut short.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'

/** Raised when an earlier version could not read the file. */
const FORMAT = 'clinic-data backup 1'
const CHECKSUM_BYTES = 32
/** Far more than the line of any version. */
const LONGEST_LINE = 1_000_000

export interface BackupManifest {
  /** The version of `clinicd` that made it. */
  readonly version: string
  /** The backup holds everything that was acknowledged before this instant, and may hold later changes. */
  readonly made_at: string
  /** The version and the processor whose PostgreSQL can read the archive. */
  readonly postgres: number
  readonly processor: string
  readonly migrations: readonly { readonly id: string; readonly checksum: string }[]
  /** The installation's secret keys: ids, and marks by which the keys are recognised but not found. */
  readonly secret_keys: Readonly<Record<string, string>>
}

export interface BackupFile {
  readonly manifest: BackupManifest
  readonly path: string
  /** The archive's place in the file. */
  readonly start: number
  readonly end: number
}

/** The content of a file. `atEnd` runs before its checksum is given out: when it throws, there is no backup. */
export async function* backupContent(
  manifest: BackupManifest,
  archive: Readable,
  atEnd: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const checksum = createHash('sha256')
  const line = Buffer.from(`${JSON.stringify({ format: FORMAT, ...manifest })}\n`)
  checksum.update(line)
  yield line
  const packed = createZstdCompress()
  // A failure of one ends the other, and the loop.
  pipeline(archive, packed).catch(() => undefined)
  for await (const chunk of packed as AsyncIterable<Buffer>) {
    checksum.update(chunk)
    yield chunk
  }
  await atEnd()
  yield checksum.digest()
}

/** Reads what a file says of itself. @throws Error when it is no backup, or one of a later version. */
export async function openBackup(path: string): Promise<BackupFile> {
  const file = await open(path, 'r')
  try {
    const line = await firstLine(file)
    const told = objectOf(line)
    if (typeof told?.format !== 'string' || !told.format.startsWith('clinic-data backup'))
      throw new Error(`${path} is not a backup of clinicd`)
    if (told.format !== FORMAT)
      throw new Error(`${path} was made by clinicd ${told.version}, a newer version: restore it with that one`)
    const { size } = await file.stat()
    const start = Buffer.byteLength(line) + 1
    return { manifest: told as unknown as BackupManifest, path, start, end: size - CHECKSUM_BYTES }
  } finally {
    await file.close()
  }
}

/** Reads the whole file. @throws Error when a byte of it has changed or is missing. */
export async function verifyBackup({ path, start, end }: BackupFile): Promise<void> {
  const checksum = createHash('sha256')
  let given = Buffer.alloc(0)
  if (end > start) {
    await pipeline(createReadStream(path, { end: end - 1 }), checksum)
    for await (const chunk of createReadStream(path, { start: end })) given = Buffer.concat([given, chunk])
  }
  if (end <= start || !checksum.digest().equals(given))
    throw new Error(`${path} is damaged or not whole: its checksum does not match`)
}

/** The archive, unpacked. An error of the file becomes one of the stream. */
export function archiveOf({ path, start, end }: BackupFile): Readable {
  const unpacked = createZstdDecompress()
  pipeline(createReadStream(path, { start, end: end - 1 }), unpacked).catch(() => undefined)
  return unpacked
}

async function firstLine(file: FileHandle): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(LONGEST_LINE), 0, LONGEST_LINE, 0)
  const text = buffer.subarray(0, bytesRead)
  return text.subarray(0, Math.max(0, text.indexOf('\n'))).toString()
}

function objectOf(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null
  } catch {
    return null
  }
}
