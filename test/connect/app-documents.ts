// The documents of apps on an https server of this machine, whose certificate the service trusts.
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { makeCertificate } from '@clinic-data/testing/certificate'

export interface AppDocuments extends AsyncDisposable {
  /** @returns the address of the document, which is the app's `client_id`. */
  publish(metadata: object): string
}

/** @param certificate - the file of the certificate that is to be trusted. */
export async function serveAppDocuments(certificate: string): Promise<AppDocuments> {
  const { key, cert } = makeCertificate()
  await writeFile(certificate, cert)
  const documents = new Map<string, object>()
  const server = createServer({ key, cert }, (request, response) => {
    const document = documents.get(request.url ?? '')
    response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(document ?? {}))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    publish(metadata) {
      const path = `/apps/${documents.size}.json`
      const client_id = `${origin}${path}`
      documents.set(path, { client_id, token_endpoint_auth_method: 'none', ...metadata })
      return client_id
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
