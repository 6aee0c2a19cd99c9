// Collects bytes that arrive in pieces, up to a limit.

/** Null when there are more than `most`. */
export async function bytesWithin(
  arriving: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  most: number,
): Promise<Buffer | null> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of arriving) {
    size += piece.byteLength
    if (size > most) return null
    pieces.push(piece)
  }
  return Buffer.concat(pieces, size)
}
