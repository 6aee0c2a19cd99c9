// A TCP proxy that fails on command, like a network between a gateway and its dependencies.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * `delay`: answers come that much later. `reset`: connections are reset when a request arrives. `black hole`: nothing comes back on
 * this connection any more. `truncate`: the answer ends after that many bytes. `garbage`: these bytes come instead of an answer.
 */
export type Fault =
  | { kind: 'none' }
  | { kind: 'delay'; ms: number }
  | { kind: 'reset' }
  | { kind: 'black hole' }
  | { kind: 'truncate'; bytes: number }
  | { kind: 'garbage'; bytes: string }

export interface FaultProxy {
  readonly port: number
  /** Applies from the next bytes on, even to open connections. */
  fault: Fault
  /** Faults for the next connections, one each, before `fault` applies. */
  readonly once: Fault[]
  /** Connections accepted so far. */
  accepted: number
  /** Connections that are open now. */
  readonly open: number
  close(): Promise<void>
}

export async function faultProxy(targetPort: number): Promise<FaultProxy> {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    proxy.accepted++
    const upstream = connect(targetPort, '127.0.0.1')
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => sockets.delete(socket))
    }
    let fault: Fault = { kind: 'none' }
    let sent = 0
    client.on('data', (chunk) => {
      if (fault.kind !== 'black hole') fault = proxy.once.shift() ?? proxy.fault
      if (fault.kind === 'reset') client.resetAndDestroy()
      else if (fault.kind === 'garbage') client.end(fault.bytes)
      else if (fault.kind !== 'black hole') upstream.write(chunk)
    })
    upstream.on('data', (chunk) => {
      if (fault.kind === 'delay') {
        const timer = setTimeout(() => client.write(chunk), fault.ms)
        client.once('close', () => clearTimeout(timer))
      } else if (fault.kind === 'truncate') {
        client.write(chunk.subarray(0, fault.bytes - sent))
        sent += chunk.length
        if (sent >= fault.bytes) client.end()
      } else if (!client.write(chunk)) {
        // A reader that takes its time slows the sender down, as it would without a proxy.
        upstream.pause()
        client.once('drain', () => upstream.resume())
      }
    })
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.end())
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const proxy: FaultProxy = {
    port: (server.address() as AddressInfo).port,
    fault: { kind: 'none' },
    once: [],
    accepted: 0,
    get open() {
      return sockets.size / 2
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((closed) => server.close(closed))
    },
  }
  return proxy
}
