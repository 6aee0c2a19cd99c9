// Reads a file that is to be imported, piece by piece.

import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

/** A pipe, a device or a socket stands there: it could be read once, or never ends, and an import reads a file several times. */
class NotRegular extends Error {}

/** @throws what `readingFault` puts into words */
export async function* piecesOf(path: string, bytes: number): AsyncGenerator<Buffer> {
  // Without waiting for whoever is to write into a pipe.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    if (!(await file.stat()).isFile()) throw new NotRegular()
    for await (const piece of file.createReadStream({ highWaterMark: bytes, autoClose: false })) yield piece
  } finally {
    await file.close()
  }
}

export function readingFault(error: unknown): string {
  if (error instanceof NotRegular) return 'is not a regular file'
  return `cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}`
}
