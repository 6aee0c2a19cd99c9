// A connection of which we read no more than a bound: whatever comes behind it is not even decrypted.
import type { Socket } from 'node:net'
import { Duplex, pipeline, Transform } from 'node:stream'

/**
 * @param mostBytes asked as bytes arrive, so that the bound may rise: what a server sends before it has proven its name needs less.
 * @returns a stream that fails with the first piece beyond the bound.
 */
export function boundedStream(socket: Socket, mostBytes: () => number): Duplex {
  const counted = new Transform({
    transform: (piece, _, done) =>
      socket.bytesRead > mostBytes() ? done(new Error('too many bytes')) : done(null, piece),
  })
  const readable = pipeline(socket, counted, () => undefined)
  return Duplex.from({ readable, writable: socket })
}
