// Stored files (recordings, media): kept in pieces, so that a range reads only what it needs and no file stands in memory.
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { type ByteRange, type FileReference, MAX, type OpenedFile } from '@clinic-data/contract'
import { type ClinicSession, type Database, sql, type Transaction } from '@clinic-data/database'
import { FILE_PIECE_BYTES } from './records/files.ts'

export interface NewFile {
  content_type: string
  file_name: string
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/**
 * Stores a file as part of a clinic's transaction.
 *
 * @throws RangeError when the content is larger than `MAX.file`.
 */
export async function storeFile(
  tx: Transaction,
  clinic_id: string,
  now: Date,
  { content_type, file_name, content }: NewFile,
): Promise<{ file_id: string; size_bytes: number }> {
  const file_id = `file_${randomUUID()}`
  await tx.query(sql`insert into file (clinic_id, id, content_type, file_name, size_bytes, created_at)
    values (${clinic_id}, ${file_id}, ${content_type}, ${file_name}, 0, ${now})`)
  let size_bytes = 0
  let position = 0
  for await (const piece of pieces(content)) {
    size_bytes += piece.length
    if (size_bytes > MAX.file) throw new RangeError(`a file holds at most ${MAX.file} bytes`)
    await tx.query(sql`insert into file_piece (clinic_id, file_id, position, content)
      values (${clinic_id}, ${file_id}, ${position}, ${piece})`)
    position += 1
  }
  await tx.query(sql`update file set size_bytes = ${size_bytes} where clinic_id = ${clinic_id} and id = ${file_id}`)
  return { file_id, size_bytes }
}

interface FileRow {
  is_valid: boolean
  id: string | null
  content_type: string
  file_name: string
  size_bytes: number
}

/** The file that a link names, while the key or ingest token that asked for it is valid; its bytes are read as they are taken. */
export async function openFile(
  database: Database,
  now: Date,
  { clinic_id, key_id, file_id }: FileReference,
  range: ByteRange | null,
): Promise<OpenedFile> {
  // What a file holds does not depend on the clinic's zone.
  const session = { clinic_id, time_zone: 'UTC' }
  const [row] = await database.read<FileRow>(
    session,
    sql`select k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now}) as is_valid,
        f.id, f.content_type, f.file_name, f.size_bytes
      from (
        select revoked_at, expires_at from api_key where clinic_id = ${clinic_id} and id = ${key_id} union all
        select revoked_at, null from ingest_token where clinic_id = ${clinic_id} and id = ${key_id}) k
      left join file f on f.clinic_id = ${clinic_id} and f.id = ${file_id}`,
  )
  if (row === undefined || !row.is_valid) return { state: 'revoked' }
  if (row.id === null) return { state: 'missing' }
  const { content_type, file_name, size_bytes } = row
  const part = range === null ? { first: 0, last: size_bytes - 1 } : partOf(range, size_bytes)
  if (part === null) return { state: 'unsatisfiable', size_bytes }
  const stream = Readable.from(bytesOf(database, session, row.id, part), { objectMode: false })
  return { state: 'open', content_type, file_name, size_bytes, ...part, stream }
}

interface Part {
  first: number
  last: number
}

/** Null when none of the range's bytes lie in the file. */
function partOf({ first, last }: ByteRange, size_bytes: number): Part | null {
  const end = size_bytes - 1
  const part =
    first === null
      ? { first: Math.max(0, size_bytes - (last ?? 0)), last: end }
      : { first, last: Math.min(last ?? end, end) }
  return part.first <= part.last ? part : null
}

async function* bytesOf(database: Database, session: ClinicSession, file_id: string, { first, last }: Part) {
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
  for await (const chunk of content) {
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
