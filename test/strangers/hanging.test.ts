// A stranger's server that hangs, where gateway and backend are apart: what its documents hold up there, and for how long.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import * as schema from '@clinic-data/backend/migrations'
import { makeKey } from '@clinic-data/contract/key'
import { newSecretKeys, serveHere } from '@clinic-data/testing/grounds/in-this-process'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { until } from '@clinic-data/testing/until'
import { DOCUMENT_BOUNDS } from '@clinic-data/webhooks/receiver/document-client'
import { sendAsStranger } from './send-as-stranger.ts'
import { BASE_URL, proof } from './stranger-requests.ts'

const ground = await ownGround(schema)
const shared = {
  BASE_URL,
  CONSOLE_URL: 'http://127.0.0.1:8590',
  BACKEND_TOKEN: 't'.repeat(40),
  SECRET_KEYS: newSecretKeys(),
}
const reading = { DATABASE_URL: ground.url, WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' }
const backend = await serveHere({ ...shared, ...reading }, 'backend')
const behind = { BACKEND_URL: backend.adminAddress, TRUSTED_PROXIES: '127.0.0.1/32' }
const gateway = await serveHere({ ...shared, ...behind }, 'gateway')

/** Those that wait for the answer of `/hanging`. We have ended the others. */
const held = new Set<ServerResponse>()
const server = createServer((request, response) => {
  const url = `http://${request.headers.host}${request.url}`
  const jwks_uri = url.replace('slow', 'keys')
  const signing = { client_id: url, token_endpoint_auth_method: 'private_key_jwt', jwks_uri }
  const document = JSON.stringify({ ...signing, redirect_uris: ['http://127.0.0.1/back'] })
  // As late as a document may come, and its keys never.
  if (url.includes('slow')) void delay(DOCUMENT_BOUNDS.timeoutMs * 0.8).then(() => response.end(document))
  else if (url.includes('hanging')) {
    held.add(response)
    response.on('close', () => held.delete(response))
  }
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => {
  server.closeAllConnections()
  server.close()
})
const { port } = server.address() as AddressInfo
const urlOf = (name: string) => `http://127.0.0.1:${port}/${name}.json`
const ask = (client_id: string, from?: string) =>
  sendAsStranger(gateway, 'POST /oauth/token', {
    ...proof(client_id, { grant_type: 'refresh_token' }),
    ...(from && { from }),
  })

test('a document and its keys that hang are given up before the gateway gives up', async () => {
  // The gateway would say 503.
  assert.equal(await ask(urlOf('slow')), 401)
})

test('requests that wait for a document leave a client the gateway’s places for the backend', async () => {
  // A round in which this machine was slower than the document may be says nothing.
  for (let round = 1; round <= ROUNDS; round++) if (await leftPlaces(round)) return
  assert.fail('the gateway’s places were taken until the document was given up')
})

const ROUNDS = 4

/** @returns false when the document was given up before a client with a key was answered. */
async function leftPlaces(round: number): Promise<boolean> {
  const froms = Array.from({ length: 80 }, (_, i) => (i < 60 ? `198.51.100.${round}` : `192.0.2.${round}`))
  let answered = 0
  const flood = froms.map(async (from) => {
    const status = await ask(urlOf(`hanging${round}`), from)
    answered++
    return status
  })
  // Twenty places are of strangers.
  await until(
    async () => answered >= froms.length - 20,
    () => `${answered} are answered`,
  )
  const headers = { authorization: `Bearer ${makeKey()}` }
  assert.equal(await sendAsStranger(gateway, 'GET /v1/patients', { headers }), 401)
  const isHanging = held.size === 1
  for (const response of held) response.writeHead(404).end()
  const told = new Set(await Promise.all(flood))
  assert.deepEqual([...told].sort(), [401, 503])
  return isHanging
}
