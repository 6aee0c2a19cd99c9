// The service for the tests of `sc`: a real one with a clinic, and one with scripted answers.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before } from 'node:test'
import { makeKey } from '@clinic-data/contract/key'
import { smallClinic, startService, type TestClinic, type TestService } from '@clinic-data/testing/run/test-service'

export let service: TestService
export let clinic: TestClinic
export let variables: { SC_API_KEY: string; SC_BASE_URL: string }
export const closing: (() => unknown)[] = []

before(async () => {
  service = await startService()
  clinic = await smallClinic(service, 20)
  variables = { SC_API_KEY: clinic.key, SC_BASE_URL: await service.address() }
})

after(async () => {
  for (const close of closing) await close()
  await service.close()
})

/** A service with scripted answers. */
export async function fake(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<typeof variables> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  closing.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  return { SC_API_KEY: makeKey(), SC_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

export const json = (response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}) =>
  response
    .writeHead(status, { 'content-type': status < 400 ? 'application/json' : 'application/problem+json', ...headers })
    .end(JSON.stringify(body))

export const problem = (slug: string, status: number) => ({
  type: `https://x.example/problems/${slug}`,
  title: slug,
  status,
})
