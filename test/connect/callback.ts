// The page of an app to which people are sent back, on a port of this machine.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Callback extends AsyncDisposable {
  readonly url: string
  /** The address with which the next browser comes, once. */
  next(): Promise<URL>
}

export async function openCallback(): Promise<Callback> {
  let came = Promise.withResolvers<URL>()
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Connected</h1>')
    // A browser asks for an icon too.
    if (request.url?.startsWith('/callback')) came.resolve(new URL(request.url, url))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
  return {
    url,
    next: async () => {
      const address = await came.promise
      came = Promise.withResolvers()
      return address
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
