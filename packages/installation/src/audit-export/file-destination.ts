// Appends the audit log to a file for each clinic in a folder, and forces it to the disk. The file is opened anew for each stretch, so it may be
// renamed at any time (logrotate): the next stretch begins a new one.
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Destination, Unreachable } from '@clinic-data/audit/follow/destination'
import { keepFolder, syncFolder } from '@clinic-data/disk/kept-file'

const FILE_MODE = 0o600
const LINE_FEED = 10
/** Looks so many bytes further back for the end of the last whole line. */
const STEP_BYTES = 64 * 1024

export class FileDestination implements Destination {
  readonly name: string
  readonly #folder: string
  readonly #ending: string

  constructor(folder: string, format: 'ndjson' | 'ocsf') {
    this.#folder = folder
    this.name = pathToFileURL(folder).href
    // Lines of two formats in one file would not verify.
    this.#ending = format === 'ndjson' ? '.ndjson' : '.ocsf.ndjson'
  }

  async send(clinic_id: string, batches: AsyncIterable<readonly string[]>, signal: AbortSignal): Promise<void> {
    try {
      await this.#append(clinic_id, batches, signal)
    } catch (error) {
      if (!isOfSystem(error)) throw error
      // A full disk, a missing right: it is the same for every clinic.
      throw new Unreachable(`the folder ${this.#folder} cannot be written to: ${error.message}`, { cause: error })
    }
  }

  async #append(clinic_id: string, batches: AsyncIterable<readonly string[]>, signal: AbortSignal): Promise<void> {
    await keepFolder(this.#folder)
    const file = await open(join(this.#folder, `${clinic_id}${this.#ending}`), 'a+', FILE_MODE)
    try {
      const { size } = await file.stat()
      const begin = await endOfLines(file, size)
      if (begin < size) await file.truncate(begin)
      await written(file, batches, signal).catch(async (error: unknown) => {
        // Where this fails too, the next stretch cuts off a half line, and the verification knows whole ones again.
        await file.truncate(begin).catch(() => undefined)
        throw error
      })
      await file.sync()
      if (begin === 0) await syncFolder(this.#folder)
    } finally {
      await file.close()
    }
  }
}

async function written(
  file: FileHandle,
  batches: AsyncIterable<readonly string[]>,
  signal: AbortSignal,
): Promise<void> {
  for await (const lines of batches) {
    signal.throwIfAborted()
    await file.appendFile(`${lines.join('\n')}\n`)
  }
}

/** A process that was killed, or a disk that was full, may have left a half line. It was never acknowledged. */
async function endOfLines(file: FileHandle, size: number): Promise<number> {
  for (let end = size; end > 0; ) {
    const begin = Math.max(0, end - STEP_BYTES)
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(end - begin), position: begin })
    const at = buffer.subarray(0, bytesRead).lastIndexOf(LINE_FEED)
    if (at >= 0) return begin + at + 1
    end = begin
  }
  return 0
}

function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}
