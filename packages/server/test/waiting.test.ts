// If the database cannot be reached at the start of `serve`, every role that uses a database waits for it.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import test, { after } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { TLSSocket } from 'node:tls'
import * as schema from '@clinic-data/backend/migrations'
import { makeCertificate } from '@clinic-data/testing/certificate'
import { freePorts } from '@clinic-data/testing/free-port'
import { optionsHere } from '@clinic-data/testing/grounds/in-this-process'
import { startTcpProxy } from '@clinic-data/testing/receivers/tcp-proxy'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { operator } from '@clinic-data/testing/shared/operator'
import { serve } from '../src/serve.ts'
import type { ServeOptions } from '../src/start.ts'

const { url } = await ownGround(schema)
const proxy = await startTcpProxy(url)
after(() => proxy.close())

/** Begins a start. @param signal - gives it up. */
async function start(role: ServeOptions['role'], signal?: AbortSignal) {
  const [port = 0, adminPort = 0] = await freePorts(2)
  const options = await optionsHere({
    DATABASE_URL: proxy.url,
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
    BACKEND_TOKEN: randomBytes(24).toString('hex'),
  })
  const waits = () => options.lines.filter((line) => /database cannot be reached/.test(line)).length
  return { port, adminPort, waits, starting: serve({ ...options, role, ...(signal && { signal }) }) }
}

const statusOf = async (port: number, path: string) =>
  (await fetch(`http://127.0.0.1:${port}${path}`).catch(() => null))?.status ?? null

async function until(status: number, port: number, path: string): Promise<void> {
  while ((await statusOf(port, path)) !== status) await delay(20)
}

for (const role of ['all', 'backend', 'dispatcher'] as const) {
  test(`--role ${role} waits for its database, says so once, and is not ready until it answers, nor when it is gone again`, async (t) => {
    proxy.cut()
    const { starting, waits, port, adminPort } = await start(role)
    t.after(async () => (await starting).stop())
    await Promise.race([starting, until(503, role === 'all' ? port : adminPort, '/readyz')])
    assert.equal(await statusOf(adminPort, '/healthz'), 200)
    proxy.restore()
    await starting
    assert.equal(waits(), 1)
    await until(200, adminPort, '/healthz')
    const ready = role === 'all' ? [port, adminPort] : [adminPort]
    for (const one of ready) await until(200, one, '/readyz')
    proxy.cut()
    for (const one of ready) await until(503, one, '/readyz')
    assert.equal(await statusOf(adminPort, '/healthz'), 200)
    proxy.restore()
    for (const one of ready) await until(200, one, '/readyz')
  })
}

test('a signal ends a service that waits', async () => {
  proxy.cut()
  const signalled = new AbortController()
  const { starting, adminPort } = await start('backend', signalled.signal)
  await Promise.race([starting, until(503, adminPort, '/readyz')])
  signalled.abort(new Error('SIGTERM'))
  await assert.rejects(starting, /SIGTERM|aborted/)
  assert.equal(await statusOf(adminPort, '/healthz'), null)
})

test('a signal ends a service whose database stops answering during its start', async () => {
  proxy.restore()
  proxy.swallow()
  const signalled = new AbortController()
  const before = proxy.received()
  const { starting } = await start('backend', signalled.signal)
  while (proxy.received() === before) await delay(5)
  signalled.abort(new Error('SIGTERM'))
  // Nothing is left to do. An attempt to connect that is waited for takes more than twice as long.
  const late = delay(2_000, 'it waits for the database', { ref: false })
  assert.equal(await Promise.race([starting.catch((error: Error) => error.message), late]), 'SIGTERM')
})

/** Starts a service that cannot begin. @returns what it printed. */
async function refused(DATABASE_URL: string): Promise<string> {
  const { code, errors } = await operator.run(['serve'], {
    DATABASE_URL,
    PORT: '0',
    ADMIN_PORT: '0',
    WORKERS: '1',
    SECRET_KEYS: `t:${randomBytes(32).toString('base64')}`,
  })
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

test('a pooler that refuses the settings of connections is not waited for', async (t) => {
  const fields = ['SFATAL', 'VFATAL', 'C08P01', 'Munsupported startup parameter: options', '']
  const refusal = Buffer.from(`E\0\0\0\0${fields.join('\0')}\0`)
  refusal.writeInt32BE(refusal.length - 1, 1)
  const pooler = createServer((socket) => socket.once('data', () => socket.end(refusal))).listen(0, '127.0.0.1')
  await once(pooler, 'listening')
  t.after(() => pooler.close())
  const { port } = pooler.address() as AddressInfo
  const options = await optionsHere({ DATABASE_URL: `postgres://clinicd@127.0.0.1:${port}/clinic` })
  const signal = AbortSignal.timeout(5_000)
  await assert.rejects(
    serve({ ...options, role: 'all', signal }),
    /unsupported startup parameter: options: a pooler such as/,
  )
})
