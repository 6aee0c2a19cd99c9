// Stores files: recordings, and the media of messages, in pieces of which a range reads only what it needs.

import { type Clinic, MAX } from '@clinic-data/contract'
import type { Transaction } from '@clinic-data/database'
import { sql } from '@clinic-data/database'
import { type Bounds, type Fault, faultsOf, id, instant, text } from './bounds.ts'
import { columnsOf, type RecordTable, type StoreCounts } from './record-table.ts'
import { countsOf, storeRows } from './store-rows.ts'

export type FileRecord = {
  id: string
  content_type: string
  file_name: string
  content: Uint8Array
  created_at: string
}

/** The size of every piece of a file but its last. */
export const FILE_PIECE_BYTES = 256 * 1024

const bounds: Bounds<FileRecord> = {
  id,
  content_type: text(MAX.content_type),
  file_name: text(MAX.file_name),
  content: (value) =>
    value instanceof Uint8Array && value.length <= MAX.file ? null : `is not a content of at most ${MAX.file} bytes`,
  created_at: instant,
}

export function checkFile(record: FileRecord): Fault[] {
  return faultsOf(bounds, record)
}

const { fields, derived, once } = columnsOf<FileRecord>()

const files: RecordTable<FileRecord> = {
  name: 'file',
  key: fields('id'),
  columns: [
    ...fields('content_type', 'file_name'),
    derived('size_bytes', ({ content }) => content.length),
    ...once(fields('created_at')),
  ],
}

type StoredPiece = { file_id: string; position: number; content: Uint8Array }
const piece = columnsOf<StoredPiece>()

const pieces: RecordTable<StoredPiece> = {
  name: 'file_piece',
  key: piece.fields('file_id', 'position'),
  columns: piece.fields('content'),
  // A byte travels as two digits: half a megabyte a piece.
  rowsPerStatement: 8,
}

export async function storeFiles(
  tx: Transaction,
  clinic: Clinic,
  records: readonly FileRecord[],
): Promise<StoreCounts> {
  const latest = new Map(records.map((record) => [record.id, record]))
  const ids = await storeRows(tx, clinic, files, [...latest.values()])
  for (const record of latest.values()) {
    const given = piecesOf(record)
    const stored = await storeRows(tx, clinic, pieces, given)
    if (ids.inserted.has(record.id)) continue
    await tx.query(sql`
      delete from file_piece
      where clinic_id = ${clinic.clinic_id} and file_id = ${record.id} and position >= ${given.length}`)
    if (stored.inserted.size + stored.updated.size > 0) ids.updated.add(record.id)
  }
  return countsOf(records, ids)
}

function piecesOf({ id: file_id, content }: FileRecord): StoredPiece[] {
  return Array.from({ length: Math.ceil(content.length / FILE_PIECE_BYTES) }, (_, position) => ({
    file_id,
    position,
    content: content.subarray(position * FILE_PIECE_BYTES, (position + 1) * FILE_PIECE_BYTES),
  }))
}
