// A proxy to the database whose connections a test can break.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

export type TcpProxy = {
  /** The url with this proxy in place of its server. */
  url: string
  /** Ends every connection and refuses new ones until `restore`. */
  cut: () => void
  restore: () => void
  /** From now on everything that the server sends is lost silently. A connection that lost something stays silent after `restore`. */
  swallow: () => void
  /** From now on everything that the server sends comes this many milliseconds later, in its order. */
  slow: (ms: number) => void
  /** How many bytes clients have sent so far. */
  received: () => number
  /** How many bytes servers have sent so far, whether they were passed on or not. */
  answered: () => number
  /** Lets so many more bytes through to the server, then ends every connection. */
  passOnly: (bytes: number) => void
  close: () => Promise<void>
}

export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target)
  const host = decodeURIComponent(hostname)
  const sockets = new Set<Socket>()
  let refusing = false
  let swallowing = false
  let delayMs = 0
  let received = 0
  let answered = 0
  let passing = Number.POSITIVE_INFINITY
  const server = createServer((client) => {
    if (refusing) return client.destroy()
    const upstream = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(Number(port), host)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    }
    client.on('data', (bytes) => pass(bytes, client, upstream)).on('close', () => upstream.destroy())
    // TCP loses nothing in the middle of a stream: a connection that lost something stays silent.
    let isSilent = false
    const answer = (bytes: Buffer) => {
      isSilent ||= swallowing
      if (!isSilent) client.write(bytes)
    }
    /** Resolves when everything up to now has been passed on. Null when nothing is late. */
    let earlier: Promise<unknown> | null = null
    const inTurn = (act: () => void) => {
      if (earlier === null && delayMs === 0) return act()
      const turn = Promise.all([earlier, delay(delayMs)]).then(act)
      earlier = turn
      void turn.then(() => {
        if (earlier === turn) earlier = null
      })
    }
    upstream
      .on('data', (bytes) => {
        answered += bytes.length
        inTurn(() => answer(bytes))
      })
      .on('close', () => inTurn(() => client.destroy()))
    return client
  })
  const pass = (bytes: Buffer, client: Socket, upstream: Socket) => {
    received += bytes.length
    if (bytes.length <= passing) {
      passing -= bytes.length
      upstream.write(bytes)
    } else {
      upstream.end(bytes.subarray(0, passing))
      client.destroy()
    }
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  const destroyAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: url.href,
    cut: () => {
      refusing = true
      destroyAll()
    },
    restore: () => {
      refusing = false
      swallowing = false
      passing = Number.POSITIVE_INFINITY
    },
    swallow: () => {
      swallowing = true
    },
    slow: (ms) => {
      delayMs = ms
    },
    received: () => received,
    answered: () => answered,
    passOnly: (bytes) => {
      passing = bytes
    },
    close: async () => {
      destroyAll()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
