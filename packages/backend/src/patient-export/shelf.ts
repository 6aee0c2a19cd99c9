// The stored files that rows of an export refer to: each gets a place in the archive, and its bytes follow behind the rows.
import type { StoredFile } from '@clinic-data/contract'
import type { Database } from '@clinic-data/database'
import { bytesOfFile } from '@clinic-data/records/file-bytes'

/** The only part of a name that is kept: anybody may have sent the name. */
const ENDING = /\.[a-z0-9]{1,8}$/i

type Folder = 'recordings' | 'media' | 'documents'

interface Placed {
  readonly name: string
  readonly id: string
  readonly size_bytes: number
}

export interface ShelvedFile {
  readonly name: string
  readonly size: number
  readonly content: AsyncIterable<Uint8Array>
}

export class Shelf {
  readonly #placed = new Map<string, Placed>()

  /** A file that several rows refer to is there once. @returns its name in the archive */
  place(folder: Folder, file: StoredFile | null): string | null {
    if (file === null) return null
    const { file_id: id, file_name, size_bytes } = file
    const known = this.#placed.get(id)
    if (known !== undefined) return known.name
    const [ending = ''] = ENDING.exec(file_name) ?? []
    const name = `${folder}/${this.#placed.size + 1}${ending.toLowerCase()}`
    this.#placed.set(id, { name, id, size_bytes })
    return name
  }

  async *files(database: Database, clinic_id: string): AsyncGenerator<ShelvedFile> {
    for (const { name, id, size_bytes } of this.#placed.values())
      yield { name, size: size_bytes, content: bytesOfFile(database, clinic_id, { id, size_bytes }) }
  }
}
