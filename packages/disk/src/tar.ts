// Archives in the form of POSIX `ustar`, which every `tar` reads (why no library: docs/decisions/0094).

export const TAR_BLOCK = 512
/** Two empty blocks end an archive. */
export const TAR_END = Buffer.alloc(2 * TAR_BLOCK)
/** The format has no more room. */
const LONGEST_NAME = 100
/** Eleven octal digits. */
const MOST_BYTES = 8 ** 11 - 1

export interface TarFile {
  readonly name: string
  /** Exactly as many bytes as the content has. */
  readonly size: number
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

interface HeaderOptions {
  mode?: number
  /** In Unix seconds. */
  modified?: number
  /** One character. Default: a file. */
  type?: string
}

/**
 * The block before a file's content.
 *
 * @throws RangeError for a name or a size that the format cannot hold.
 */
export function tarHeader(name: string, size: number, { mode = 0o600, modified = 0, type = '0' }: HeaderOptions = {}) {
  if (Buffer.byteLength(name) > LONGEST_NAME) throw new RangeError(`too long a name for a tar archive: ${name}`)
  if (size > MOST_BYTES) throw new RangeError(`too long a file for a tar archive: ${name}`)
  const block = Buffer.alloc(TAR_BLOCK)
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
  block.write(name, 0)
  block.write(octal(mode, 7), 100)
  block.write(octal(0, 7), 108)
  block.write(octal(0, 7), 116)
  block.write(octal(size, 11), 124)
  block.write(octal(modified, 11), 136)
  block.write(`        ${type}`, 148)
  block.write('ustar\x0000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${octal(sum, 6)} `, 148)
  return block
}

/** The bytes that follow a content of this size up to the next block. */
export const tarPadding = (size: number) => Buffer.alloc(-size & (TAR_BLOCK - 1))

/**
 * The bytes of an archive.
 *
 * @throws Error when a file has other bytes than its size says: an archive of it could not be read.
 */
export async function* tarOf(files: AsyncIterable<TarFile>, modified: number): AsyncGenerator<Uint8Array> {
  for await (const { name, size, content } of files) {
    yield tarHeader(name, size, { modified })
    let written = 0
    for await (const chunk of content) {
      written += chunk.length
      if (written > size) break
      yield chunk
    }
    if (written !== size) throw new Error(`${name} has other bytes than its size of ${size} says`)
    yield tarPadding(size)
  }
  yield TAR_END
}
