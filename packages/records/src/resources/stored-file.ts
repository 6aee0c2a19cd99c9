// A stored file as the answer of a link operation. The gateway signs a link to it.
import type { StoredFile } from '@clinic-data/contract'
import { safeFileName } from '@clinic-data/contract/file-name'
import { sql } from '@clinic-data/database'

export interface StoredFileColumns {
  file_id: string | null
  content_type: string
  file_name: string
  size_bytes: number
}

/** Columns of a left joined relation `file`. */
export const storedFileColumns = sql`file.id as file_id, file.content_type, file.file_name, file.size_bytes`

/** Null while there is no file. */
export function renderStoredFile({
  file_id,
  content_type,
  file_name,
  size_bytes,
}: StoredFileColumns): StoredFile | null {
  return file_id === null
    ? null
    : { file_id, content_type, file_name: safeFileName(file_name, content_type), size_bytes }
}
