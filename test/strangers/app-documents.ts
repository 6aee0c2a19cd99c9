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

export async function serveApps(): Promise<StrangersServer> {
  const server = createServer((request, response) => {
    const url = `${origin}${request.url}`
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
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    newApp: (keys) => `${origin}/${keys}/${randomUUID()}.json`,
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
