// A proxy that adds a key to every request and changes nothing else, for clients without an option for headers.
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface KeyProxy {
  /** Without a trailing slash. */
  readonly url: string
  /** Sets where requests go from now on. */
  forward(port: number, key: string): void
  close(): void
}

export async function startKeyProxy(): Promise<KeyProxy> {
  let target: { port: number; key: string } | null = null
  const server = createServer((incoming, outgoing) => {
    if (target === null) return void outgoing.writeHead(503).end()
    const { method, url, headers } = incoming
    const forwarded = request(
      {
        host: '127.0.0.1',
        port: target.port,
        method,
        path: url,
        headers: { ...headers, authorization: `Bearer ${target.key}` },
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      },
    )
    forwarded.on('error', () => outgoing.destroy())
    outgoing.on('close', () => forwarded.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://localhost:${port}`,
    forward: (to, key) => {
      target = { port: to, key }
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
