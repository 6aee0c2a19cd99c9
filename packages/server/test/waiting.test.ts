// If the database cannot be reached at the start of `serve`, every role that uses a database waits for it.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import test, { after } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { TLSSocket } from 'node:tls'
import * as schema from '@clinic-data/backend/migrations'
import { makeCertificate } from '@clinic-data/testing/certificate'
import { freePorts } from '@clinic-data/testing/free-port'
import { ownGround } from '@clinic-data/testing/own-ground'
import { startTcpProxy } from '@clinic-data/testing/tcp-proxy'

const PROGRAM = join(import.meta.dirname, '../bin/clinicd.mjs')
/** A service that waits for its database waits for ever, and a start takes a fraction of this on the busiest machine. */
const PATIENCE_MS = 120_000

const { url } = await ownGround(schema)
const proxy = await startTcpProxy(url)
const folder = await mkdtemp(join(tmpdir(), 'clinic-data-waiting-'))
const children: ChildProcess[] = []
after(async () => {
  for (const child of children) child.kill('SIGKILL')
  await proxy.close()
  await rm(folder, { recursive: true, force: true })
})

interface Line {
  msg: string
}

interface Started {
  child: ChildProcess
  lines: Line[]
  port: number
  adminPort: number
}

async function start(role: string, DATABASE_URL = proxy.url): Promise<Started> {
  const [port = 0, adminPort = 0] = await freePorts(2)
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--role', role], {
    env: {
      ...{ PATH: process.env.PATH, DATA_DIR: folder, DATABASE_URL, PORT: String(port), ADMIN_PORT: String(adminPort) },
      SECRET_KEYS: `t:${randomBytes(32).toString('base64')}`,
      BACKEND_TOKEN: randomBytes(24).toString('hex'),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  children.push(child)
  const lines: Line[] = []
  createInterface({ input: child.stderr as NodeJS.ReadableStream }).on('line', (line) => lines.push(JSON.parse(line)))
  return { child, lines, port, adminPort }
}

const statusOf = async (port: number, path: string) =>
  (await fetch(`http://127.0.0.1:${port}${path}`).catch(() => null))?.status ?? null

async function until(status: number, port: number, path: string, child: ChildProcess): Promise<void> {
  while ((await statusOf(port, path)) !== status) {
    assert.equal(child.exitCode, null)
    await delay(20)
  }
}

const waits = ({ lines }: Started) => lines.filter(({ msg }) => /database cannot be reached/.test(msg)).length

for (const role of ['all', 'backend', 'dispatcher']) {
  test(`--role ${role} waits for its database, says so once, and is not ready until it answers`, async () => {
    proxy.cut()
    const started = await start(role)
    const { child, port, adminPort } = started
    const place = role === 'all' ? port : adminPort
    await until(503, place, '/readyz', child)
    assert.equal(await statusOf(adminPort, '/healthz'), 200)
    proxy.restore()
    while (!started.lines.some(({ msg }) => msg === 'listening')) {
      assert.equal(child.exitCode, null)
      await delay(20)
    }
    assert.equal(waits(started), 1)
    assert.equal(await statusOf(adminPort, '/healthz'), 200)
    if (role === 'all') await until(200, port, '/readyz', child)
    child.kill('SIGTERM')
    assert.deepEqual(await once(child, 'exit'), [0, null], JSON.stringify(started.lines))
  })
}

test('SIGTERM ends a service that waits', async () => {
  proxy.cut()
  const { child, adminPort } = await start('backend')
  await until(503, adminPort, '/readyz', child)
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit', { signal: AbortSignal.timeout(PATIENCE_MS) }), [0, null])
})

/** Starts a service that cannot begin. @returns what it printed. */
async function refused(DATABASE_URL: string): Promise<string> {
  const child = spawn(process.execPath, [PROGRAM, 'serve'], {
    env: {
      ...{ PATH: process.env.PATH, DATA_DIR: folder, DATABASE_URL, PORT: '0', ADMIN_PORT: '0' },
      SECRET_KEYS: `t:${randomBytes(32).toString('base64')}`,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  children.push(child)
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const [[code], errors] = await Promise.all([once(child, 'exit', { signal }), text(child.stderr)])
  assert.deepEqual([code, errors.includes('waiting')], [1, false], errors)
  return errors
}

test('the service does not wait for a database that refuses its login', async () => {
  proxy.restore()
  const wrong = new URL(proxy.url)
  // Changes the name, not the password, because some test servers trust every known user.
  wrong.username = 'somebody_else'
  const errors = await refused(wrong.href)
  assert.match(errors, /^clinicd: .*(password authentication failed|role "somebody_else" does not exist)/m)
})

test('the service does not wait for a database that asks for a password when its address has none', async (t) => {
  // PostgreSQL's side of SCRAM, as far as a client without a password comes.
  const message = (code: number, content: string) => {
    const bytes = Buffer.from(`R........${content}`)
    bytes.writeInt32BE(bytes.length - 1, 1)
    bytes.writeInt32BE(code, 5)
    return bytes
  }
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write(message(10, 'SCRAM-SHA-256\0\0'))
      socket.once('data', (first) =>
        socket.write(message(11, `r=${/r=(.*)$/.exec(String(first))?.[1]}x,s=c2FsdA==,i=4096`)),
      )
    })
  })
  t.after(() => server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  for (const login of ['login', 'login:']) {
    const errors = await refused(`postgres://${login}@127.0.0.1:${port}/clinic`)
    assert.match(errors, /^clinicd: .*asks for a password, and the url of the database names none/m)
  }
})

test('the service does not wait for a database whose certificate it does not trust, and says how to trust it', async (t) => {
  const { key, cert } = makeCertificate()
  // PostgreSQL's greeting: a client asks for TLS, and the server says yes.
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write('S')
      new TLSSocket(socket, { isServer: true, key, cert }).on('error', () => undefined)
    })
  })
  t.after(() => server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const errors = await refused(`postgres://login:password@127.0.0.1:${port}/clinic?sslmode=verify-full`)
  assert.match(errors, /^clinicd: .*certificate is not trusted; name the file of its authority .*sslrootcert=/m)
})
