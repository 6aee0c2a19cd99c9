// Many connections at once without an HTTP client, for behaviour that no client would show.
import { connect, type Socket } from 'node:net'

export interface RawSocket {
  readonly socket: Socket
  isClosed(): boolean
}

interface RawOptions {
  /** Reads nothing, so that the answers fill the buffers. */
  unread?: boolean
  localAddress?: string
}

/** Opens connections to an address. A refused one counts as closed. Resolves once each is connected or refused. */
export async function rawSockets(
  address: string,
  count: number,
  { unread = false, localAddress }: RawOptions = {},
): Promise<RawSocket[]> {
  const { hostname, port } = new URL(address)
  const opening = Array.from({ length: count }, () => {
    const socket = connect({ host: hostname, port: Number(port), ...(localAddress ? { localAddress } : {}) })
    let closed = false
    socket.on('error', () => undefined)
    const settled = new Promise<void>((resolve) => {
      socket.once('connect', resolve)
      socket.once('close', () => {
        closed = true
        resolve()
      })
    })
    if (unread) socket.pause()
    else socket.resume()
    return settled.then((): RawSocket => ({ socket, isClosed: () => closed }))
  })
  return Promise.all(opening)
}

export function closeAll(sockets: readonly RawSocket[]): void {
  for (const { socket } of sockets) socket.destroy()
}
