// An archive in the form of ZIP, which every computer opens, written while its files are read.
//
// Its directory comes last: a part of it, however long, is no archive. Beyond 4 GB it is ZIP64.
import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import { ZipFile } from 'yazl'

export interface ZippedFile {
  readonly name: string
  /** Where it is known before: a file with other bytes is a fault. */
  readonly size?: number
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/** Only their owner may read what is unpacked. */
const MODE = 0o100600

/** Texts become a tenth. Sound, pictures and PDFs are compressed already. */
const TEXT = /\.(json|txt)$/

/** The bytes of the archive, as fast as they are read. @throws Error when a file cannot be read to its end. */
export async function* zipOf(files: AsyncIterable<ZippedFile>, mtime: Date): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile()
  const output = new PassThrough()
  const fail = (error: Error) => output.destroy(error)
  zip.on('error', fail)
  zip.outputStream.pipe(output)
  const stopped = new AbortController()
  const added = addAll(zip, files, mtime, stopped.signal).catch(fail)
  try {
    yield* output as AsyncIterable<Uint8Array>
  } finally {
    output.destroy()
    stopped.abort()
    await added
  }
}

/** One after another: a file begins to be read when the one before it has been. */
async function addAll(zip: ZipFile, files: AsyncIterable<ZippedFile>, mtime: Date, signal: AbortSignal): Promise<void> {
  for await (const { name, size, content } of files) {
    const read = Readable.from(content, { objectMode: false })
    const known = size === undefined ? {} : { size }
    zip.addReadStream(read, name, { mtime, mode: MODE, compress: TEXT.test(name), ...known })
    // Whoever waits no longer for the archive ends the file, too.
    await once(read, 'end', { signal }).finally(() => read.destroy())
  }
  zip.end()
}
