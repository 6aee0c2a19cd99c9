// A service with a small clinic on a port of its own, for as long as a check needs it.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { globalSetup, globalTeardown } from '@clinic-data/testing/run/run-database'
import { smallClinic, startParts, type TestPartsOptions } from '@clinic-data/testing/run/test-service'

/** The address of the service, and a key with every scope. */
export interface Access {
  url: string
  key: string
}

export async function withService(
  use: (access: Access) => Promise<void>,
  options: TestPartsOptions = {},
): Promise<void> {
  await globalSetup()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const service = await startParts({ ...options, baseUrl: url })
  try {
    const { key } = await smallClinic(service)
    await service.gateway.app.listen({ host: '127.0.0.1', port })
    await use({ url, key })
  } finally {
    await service.close()
    await globalTeardown()
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
