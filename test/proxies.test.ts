// `sc` and the SDK behind a proxy: the connection goes through CONNECT, and what it carries stays encrypted.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Server, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import test, { after, before } from 'node:test'
import { makeKey } from '@clinic-data/contract/key'
import { makeCertificate } from '@clinic-data/testing/certificate'
import { newFolder } from './sc.ts'

const root = dirname(import.meta.dirname)
const HOST = 'api.clinic-data.example'
const certificate = makeCertificate({ names: [HOST] })
const service = createTlsServer(certificate, (_, response) =>
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ data: [{ id: 'p1' }], next_cursor: served++ === 0 ? 'more' : null })),
)
const proxy = createServer()
let served = 0
let hosts: string[] = []
let folder: string
let variables: Record<string, string>

const listening = (server: Server) =>
  new Promise<number>((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)))

before(async () => {
  folder = await newFolder()
  const trusted = join(folder, 'trusted.pem')
  await writeFile(trusted, certificate.cert)
  const port = await listening(service)
  proxy.on('connect', ({ url, headers }: IncomingMessage, socket: Socket) => {
    hosts.push(`${url} ${headers['proxy-authorization'] ?? ''}`)
    const target = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.pipe(target).pipe(socket)
    })
    for (const one of [socket, target]) one.on('error', () => undefined)
  })
  variables = {
    HOME: folder,
    SC_API_KEY: makeKey(),
    SC_BASE_URL: `https://${HOST}`,
    NODE_EXTRA_CA_CERTS: trusted,
    HTTPS_PROXY: `http://dana:secret@127.0.0.1:${await listening(proxy)}`,
  }
})
after(async () => {
  proxy.closeAllConnections()
  service.closeAllConnections()
  proxy.close()
  service.close()
  await rm(folder, { recursive: true })
})

async function node(argv: readonly string[], more: Record<string, string> = {}) {
  hosts = []
  served = 0
  const child = spawn(process.execPath, argv, { cwd: root, env: { ...variables, ...more } })
  const [out, errors, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('close', resolve)),
  ])
  return { out, errors, code }
}

const SC = join(root, 'packages/cli/bin/sc.mjs')
const PERMITTED = `${HOST}:443 Basic ${Buffer.from('dana:secret').toString('base64')}`

test('sc reaches the service through HTTPS_PROXY, all pages on one connection, and ends', async () => {
  const { out, errors, code } = await node([SC, 'patients', 'list', '--all', '--columns', 'id'])
  assert.deepEqual([code, out], [0, 'id\np1\np1\n'], errors)
  assert.deepEqual(hosts, [PERMITTED])
})

test('NO_PROXY keeps sc from the proxy', async () => {
  const { code } = await node([SC, 'patients', 'list', '--no-retry'], { NO_PROXY: '.clinic-data.example' })
  assert.deepEqual([code, hosts], [6, []])
})

test('the SDK uses the proxy with the variable that its README names', async () => {
  const program = `import { ClinicDataClient } from '@clinic-data/client'
    const client = new ClinicDataClient({ apiKey: process.env.SC_API_KEY, baseUrl: process.env.SC_BASE_URL })
    const { body } = await client.send('GET', '/v1/patients')
    console.log(body.data[0].id)`
  const argv = ['--input-type=module', '-e', program]
  const { out, errors } = await node(argv, { NODE_USE_ENV_PROXY: '1' })
  assert.equal(out, 'p1\n', errors)
  assert.deepEqual(hosts, [PERMITTED])
})
