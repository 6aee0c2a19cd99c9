// Stored files (recordings, media): kept in pieces, so that a range reads only its own pieces and no file is held in memory.
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { type ByteRange, type FileReference, MAX, type OpenedFile } from '@clinic-data/contract'
import { safeFileName } from '@clinic-data/contract/file-name'
import { liesWithin } from '@clinic-data/contract/network'
import {
  type ClinicDatabase,
  type ClinicSession,
  type Database,
  type Statement,
  sql,
  type Transaction,
  utcSession,
} from '@clinic-data/database'
import { FILE_PIECE_BYTES } from './files.ts'
import { patientsOfFile } from './resources/patients-of-file.ts'

export interface NewFile {
  content_type: string
  file_name: string
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

export interface StoredFile {
  file_id: string
  size_bytes: number
}

/**
 * Stores a file whose bytes are available, as part of a clinic's transaction.
 *
 * @throws RangeError when the content is larger than `MAX.file`.
 */
export async function storeFile(
  tx: Transaction,
  clinic_id: string,
  now: Date,
  { content, ...described }: NewFile,
): Promise<StoredFile> {
  const file = new GrowingFile(clinic_id, now, described)
  for await (const group of groups(content)) await file.append(tx, group)
  if (file.size_bytes === 0) await file.append(tx, [])
  return file
}

/**
 * Stores a file whose bytes are still arriving. No transaction waits for them: each group of pieces has its own. An upload that
 * breaks off is removed at once. If that fails too, nothing refers to the file, and it is removed a day later.
 *
 * @param unchecked removes it even if whoever sends it may write no longer.
 * @returns null for an empty file, which is not stored.
 */
export async function receiveFile(
  { database, unchecked }: { database: ClinicDatabase; unchecked: ClinicDatabase },
  clinic: ClinicSession,
  now: Date,
  { content, ...described }: NewFile,
): Promise<StoredFile | null> {
  const { clinic_id } = clinic
  const file = new GrowingFile(clinic_id, now, described)
  try {
    for await (const group of groups(content)) await database.write(clinic, (tx) => file.append(tx, group))
  } catch (error) {
    const removal = sql`delete from file where clinic_id = ${clinic_id} and id = ${file.file_id}`
    await unchecked.write(clinic, (tx) => tx.query(removal)).catch(() => undefined)
    throw error
  }
  return file.size_bytes === 0 ? null : file
}

/** A file while its pieces are being stored. After each transaction its row holds the current length. */
class GrowingFile implements StoredFile {
  readonly file_id = `file_${randomUUID()}`
  size_bytes = 0
  readonly #clinic_id: string
  readonly #now: Date
  readonly #described: Omit<NewFile, 'content'>
  #pieces = 0

  constructor(clinic_id: string, now: Date, described: Omit<NewFile, 'content'>) {
    this.#clinic_id = clinic_id
    this.#now = now
    this.#described = described
  }

  async append(tx: Transaction, group: readonly Buffer[]): Promise<void> {
    const size_bytes = group.reduce((size, { length }) => size + length, this.size_bytes)
    await tx.query(this.#row(size_bytes))
    for (const [at, piece] of group.entries()) {
      await tx.query(sql`insert into file_piece (clinic_id, file_id, position, content)
        values (${this.#clinic_id}, ${this.file_id}, ${this.#pieces + at}, ${piece})`)
    }
    this.size_bytes = size_bytes
    this.#pieces += group.length
  }

  #row(size_bytes: number): Statement {
    const [clinic_id, { content_type, file_name }] = [this.#clinic_id, this.#described]
    if (this.#pieces > 0) {
      return sql`update file set size_bytes = ${size_bytes} where clinic_id = ${clinic_id} and id = ${this.file_id}`
    }
    return sql`insert into file (clinic_id, id, content_type, file_name, size_bytes, created_at)
      values (${clinic_id}, ${this.file_id}, ${content_type}, ${file_name}, ${size_bytes}, ${this.#now})`
  }
}

/** Pieces per transaction: one megabyte in memory for each arriving file. */
const PIECES_AT_ONCE = 4

async function* groups(content: NewFile['content']): AsyncGenerator<Buffer[]> {
  let group: Buffer[] = []
  for await (const piece of pieces(content)) {
    group.push(piece)
    if (group.length < PIECES_AT_ONCE) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}

interface FileRow {
  is_valid: boolean
  networks: string[] | null
  id: string | null
  content_type: string
  file_name: string
  size_bytes: number
  patient_ids: string[]
}

/** Opens the file that a link names, as long as its key or ingest token is valid and may be used from the address. Reads the bytes only as they are consumed. */
export async function openFile(
  database: Database,
  now: Date,
  { clinic_id, key_id, file_id }: FileReference,
  { range, address }: { range: ByteRange | null; address: string | null },
): Promise<OpenedFile> {
  const session = utcSession(clinic_id)
  const [row] = await database.read<FileRow>(
    session,
    sql`select k.refused_at is null and (k.expires_at is null or k.expires_at > ${now}) as is_valid, k.networks,
        f.id, f.content_type, f.file_name, f.size_bytes, ${patientsOfFile(clinic_id, file_id)} as patient_ids
      from (
        select coalesce(revoked_at, stopped_at) as refused_at, expires_at, networks from api_key where clinic_id = ${clinic_id} and id = ${key_id} union all
        select revoked_at, null, null from ingest_token where clinic_id = ${clinic_id} and id = ${key_id}) k
      left join file f on f.clinic_id = ${clinic_id} and f.id = ${file_id}`,
  )
  if (row === undefined || !row.is_valid) return { state: 'revoked' }
  if (row.networks !== null) {
    if (address === null) return { state: 'revoked' }
    if (!liesWithin(address, row.networks)) return { state: 'elsewhere' }
  }
  if (row.id === null) return { state: 'missing' }
  const { content_type, size_bytes, patient_ids } = row
  const part = range === null ? { first: 0, last: size_bytes - 1 } : partOf(range, size_bytes)
  if (part === null) return { state: 'unsatisfiable', size_bytes, patient_ids }
  const stream = Readable.from(bytesOf(database, session, row.id, part), { objectMode: false })
  const file_name = safeFileName(row.file_name, content_type)
  return { state: 'open', content_type, file_name, size_bytes, patient_ids, ...part, stream }
}

/** All bytes of a stored file, read as they are consumed. */
export function bytesOfFile(
  database: ClinicDatabase,
  clinic_id: string,
  { id, size_bytes }: { id: string; size_bytes: number },
): AsyncIterable<Uint8Array> {
  return bytesOf(database, utcSession(clinic_id), id, { first: 0, last: size_bytes - 1 })
}

interface Part {
  first: number
  last: number
}

/** Null when none of the range's bytes are in the file. */
function partOf({ first, last }: ByteRange, size_bytes: number): Part | null {
  const end = size_bytes - 1
  const part =
    first === null
      ? { first: Math.max(0, size_bytes - (last ?? 0)), last: end }
      : { first, last: Math.min(last ?? end, end) }
  return part.first <= part.last ? part : null
}

async function* bytesOf(database: ClinicDatabase, session: ClinicSession, file_id: string, { first, last }: Part) {
  for (let at = first; at <= last; ) {
    const position = Math.floor(at / FILE_PIECE_BYTES)
    const start = position * FILE_PIECE_BYTES
    const [piece] = await database.read<{ content: Buffer }>(
      session,
      sql`select content from file_piece
        where clinic_id = ${session.clinic_id} and file_id = ${file_id} and position = ${position}`,
    )
    const bytes = piece?.content.subarray(at - start, last + 1 - start)
    if (bytes === undefined || bytes.length === 0) throw new Error(`piece ${position} of a file is missing`)
    yield bytes
    at += bytes.length
  }
}

async function* pieces(content: NewFile['content']): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = []
  let length = 0
  let size_bytes = 0
  for await (const chunk of content) {
    size_bytes += chunk.length
    if (size_bytes > MAX.file) throw new RangeError(`a file holds at most ${MAX.file} bytes`)
    held.push(chunk)
    length += chunk.length
    if (length < FILE_PIECE_BYTES) continue
    const joined = Buffer.concat(held)
    let at = 0
    for (; length - at >= FILE_PIECE_BYTES; at += FILE_PIECE_BYTES) yield joined.subarray(at, at + FILE_PIECE_BYTES)
    held = [joined.subarray(at)]
    length -= at
  }
  if (length > 0) yield Buffer.concat(held)
}
