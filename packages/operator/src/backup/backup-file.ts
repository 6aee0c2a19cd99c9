// The file of a backup: one line of JSON that says what it holds, the compressed archive of the database's files, and a MAC over both,
// which nobody can make without the installation's secret keys.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { type SecretKey, type SecretKeys, signingKeys } from '@clinic-data/contract/secret-keys'

/** Raised when an earlier version could not read the file. */
const FORMAT = 'clinic-data backup 2'
/** Ends with a SHA-256, which shows damage, and which whoever changes the file can make anew. */
const UNAUTHENTICATED_FORMAT = 'clinic-data backup 1'
/** A MAC's and a checksum's. */
const SEAL_BYTES = 32
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
  /** The id of the secret key that authenticates the file. */
  readonly mac_key: string
}

export interface BackupFile {
  readonly manifest: BackupManifest
  /** False for a file of an earlier version: nothing shows whether somebody has changed it. */
  readonly isAuthenticated: boolean
  readonly path: string
  /** The manifest was read from this. */
  readonly line: string
  /** The archive's place in the file. */
  readonly start: number
  readonly end: number
}

/** The content of a file. `atEnd` runs before its MAC is given out: when it throws, there is no backup. */
export async function* backupContent(
  manifest: BackupManifest,
  secretKeys: SecretKeys,
  archive: Readable,
  atEnd: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const seal = macBy(signingKeys(secretKeys, 'backup-file').current)
  // Shows damage also to whoever has lost the secret keys.
  const packed = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } })
  // A failure of one ends the other, and the loop.
  pipeline(archive, packed).catch(() => undefined)
  try {
    const line = Buffer.from(`${JSON.stringify({ format: FORMAT, ...manifest })}\n`)
    seal.update(line)
    yield line
    for await (const chunk of packed as AsyncIterable<Buffer>) {
      seal.update(chunk)
      yield chunk
    }
    await atEnd()
    yield seal.digest()
  } finally {
    // Who takes the content may end at any part of it.
    packed.destroy()
  }
}

/** Reads what a file says of itself. @throws Error when it is no backup, or one of a later version. */
export async function openBackup(path: string): Promise<BackupFile> {
  const file = await open(path, 'r')
  try {
    const line = await firstLine(file)
    const header = objectOf(line)
    if (typeof header?.format !== 'string' || !header.format.startsWith('clinic-data backup'))
      throw new Error(`${path} is not a backup of clinicd`)
    if (![FORMAT, UNAUTHENTICATED_FORMAT].includes(header.format))
      throw new Error(`${path} was made by clinicd ${header.version}, a newer version: restore it with that one`)
    const { size } = await file.stat()
    const start = Buffer.byteLength(line) + 1
    const isAuthenticated = header.format === FORMAT
    return {
      manifest: header as typeof header & BackupManifest,
      isAuthenticated,
      path,
      line,
      start,
      end: size - SEAL_BYTES,
    }
  } finally {
    await file.close()
  }
}

/**
 * Null: the key that authenticates the file is lost. Then damage is found as far as the compression shows it, and a change by
 * somebody is not.
 */
export type Authentication = SecretKeys | null

/** Reads the whole file. @throws Error when it is not what was written: damaged, cut short, or changed by somebody without the keys. */
export async function verifyBackup(backup: BackupFile, secretKeys: Authentication): Promise<void> {
  const content = secretKeys === null ? archiveOf(backup, null) : checkedBytes(backup, secretKeys)
  for await (const _ of content);
}

/**
 * The archive, unpacked. It is checked again as it is read, for the file may have been exchanged meanwhile: the stream ends with an
 * error instead of its end.
 */
export function archiveOf(backup: BackupFile, secretKeys: Authentication): Readable {
  async function* archive() {
    const unpacked = createZstdDecompress()
    const checked = pipeline(checkedBytes(backup, secretKeys), unpacked)
    // Told by the stream, or below.
    checked.catch(() => undefined)
    try {
      yield* unpacked
      await checked
    } catch (error) {
      const isOfCompression = /^Z(STD)?_/.test((error as NodeJS.ErrnoException).code ?? '')
      throw isOfCompression ? damaged(backup, error) : error
    }
  }
  return Readable.from(archive())
}

async function* checkedBytes(backup: BackupFile, secretKeys: Authentication): AsyncGenerator<Buffer> {
  const { path, line, start, end } = backup
  const seal = sealOf(backup, secretKeys)
  if (seal === undefined || end <= start) throw damaged(backup)
  seal?.update(`${line}\n`)
  for await (const chunk of createReadStream(path, { start, end: end - 1 }) as AsyncIterable<Buffer>) {
    seal?.update(chunk)
    yield chunk
  }
  if (seal === null) return
  const written = await buffer(createReadStream(path, { start: end }))
  const expected = seal.digest()
  if (expected.length !== written.length || !timingSafeEqual(expected, written)) throw damaged(backup)
}

function damaged({ path }: BackupFile, cause?: unknown): Error {
  return new Error(`${path} is damaged, not whole or changed: restore another copy of it, or another backup`, { cause })
}

/** Undefined when the file names a key that nobody has. Null when that key is lost. */
function sealOf({ isAuthenticated, manifest }: BackupFile, secretKeys: Authentication) {
  if (!isAuthenticated) return createHash('sha256')
  if (secretKeys === null) return null
  const key = signingKeys(secretKeys, 'backup-file').byId.get(manifest.mac_key)
  return key && macBy(key)
}

function macBy({ key }: SecretKey) {
  return createHmac('sha256', key)
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
