// Stores files (recordings, and the media of messages) in pieces, so that a range reads only its own.

import type { Clinic } from '@clinic-data/contract'
import type { Transaction } from '@clinic-data/database'
import { sql } from '@clinic-data/database'
import { derived, recordTable, type Stored } from './storing/record-table.ts'
import { storedOf, storeRows } from './storing/store-rows.ts'

export interface FileRecord {
  id: string
  content_type: string
  /** The name under which it is downloaded. */
  file_name: string
  content: Uint8Array
  created_at: string
}

/** The size of every piece of a file except the last. */
export const FILE_PIECE_BYTES = 256 * 1024

const files = recordTable<FileRecord>()({
  name: 'file',
  fields: {
    id: 'key',
    content_type: 'stored',
    file_name: 'stored',
    content: 'elsewhere',
    created_at: 'once',
  },
  more: [derived('size_bytes', ({ content }) => content.length)],
})

type StoredPiece = { file_id: string; position: number; content: Uint8Array }

const pieces = recordTable<StoredPiece>()({
  name: 'file_piece',
  fields: { file_id: 'key', position: 'key', content: 'stored' },
  // A byte is sent as two digits: half a megabyte per piece.
  rowsPerStatement: 8,
})

export async function storeFiles(tx: Transaction, clinic: Clinic, records: readonly FileRecord[]): Promise<Stored> {
  const latest = new Map(records.map((record) => [record.id, record]))
  const ids = await storeRows(tx, clinic, files, [...latest.values()])
  for (const record of latest.values()) {
    const rows = piecesOf(record)
    const stored = await storeRows(tx, clinic, pieces, rows)
    if (ids.inserted.has(record.id)) continue
    await tx.query(sql`
      delete from file_piece
      where clinic_id = ${clinic.clinic_id} and file_id = ${record.id} and position >= ${rows.length}`)
    if (stored.inserted.size + stored.updated.size > 0) ids.updated.add(record.id)
  }
  return storedOf(records, ids)
}

function piecesOf({ id: file_id, content }: FileRecord): StoredPiece[] {
  return Array.from({ length: Math.ceil(content.length / FILE_PIECE_BYTES) }, (_, position) => ({
    file_id,
    position,
    content: content.subarray(position * FILE_PIECE_BYTES, (position + 1) * FILE_PIECE_BYTES),
  }))
}
