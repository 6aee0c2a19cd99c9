// A stranger's server with the dearest documents of apps that are read: as long as they may be, with as many and as large keys.
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DOCUMENT_BOUNDS } from '@clinic-data/webhooks/receiver/document-client'

export interface StrangersServer {
  /** A document that nobody has read, with its keys in it or at another address. */
  newApp(keys: 'inside' | 'apart'): string
  close(): void
}

const MOST_KEYS = 20

/** @param hostOf the address of this machine at which an app has its document: a few hundred of one address are read in a minute. */
export async function serveApps(hostOf: (app: number) => string = () => '127.0.0.1'): Promise<StrangersServer> {
  let apps = 0
  const server = createServer((request, response) => {
    const url = `http://${request.headers.host}${request.url}`
    const jwks = { keys: Array.from({ length: MOST_KEYS }, dearKey) }
    const app = {
      client_id: url,
      redirect_uris: ['http://127.0.0.1/back'],
      token_endpoint_auth_method: 'private_key_jwt',
    }
    const apart = { ...app, jwks_uri: url.replace('apart', 'keys') }
    const content = url.includes('inside') ? { ...app, jwks } : url.includes('apart') ? apart : jwks
    response.writeHead(200, { 'content-type': 'application/json' }).end(filled(content))
  })
  server.listen(0, '0.0.0.0')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    newApp: (keys) => `http://${hostOf(apps++)}:${port}/${keys}/${randomUUID()}.json`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** As many bits and as large an exponent as are taken. The private key of it is nobody's. */
function dearKey() {
  return { kty: 'RSA', kid: 'k', n: number(512), e: Buffer.alloc(4, 0xff).toString('base64url') }
}

export function number(bytes: number): string {
  const value = randomBytes(bytes)
  value[0] = 0x80
  value[bytes - 1] = 0x01
  return value.toString('base64url')
}

function filled(content: object): string {
  const { length } = JSON.stringify({ ...content, filling: '' })
  return JSON.stringify({ ...content, filling: 'x'.repeat(DOCUMENT_BOUNDS.maxBytes - length) })
}
