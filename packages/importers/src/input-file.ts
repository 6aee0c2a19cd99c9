// Reads a file piece by piece.

import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

/** The path is a pipe, a device or a socket. It could be read only once or never ends; an import reads a file several times. */
class NotRegular extends Error {}

/** @throws an error that `readingFault` puts into words. */
export async function* piecesOf(path: string, bytes: number): AsyncGenerator<Buffer> {
  // Does not wait for a writer to open a pipe.
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
