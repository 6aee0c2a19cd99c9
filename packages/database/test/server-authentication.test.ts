// An impostor server gets no password and nothing that can replace one.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { DatabaseUnavailable, openDatabase, sql } from '../src/database.ts'
import { openTestDatabase, temporaryFolder } from './embedded.ts'

const PASSWORD = 'correct-horse-battery'

/** The ways in which a server may answer a greeting, by libpq's names. */
const ASKS: Readonly<Record<string, Buffer>> = {
  none: authentication(0),
  kerberos: authentication(2),
  password: authentication(3),
  md5: authentication(5, Buffer.from('salt')),
  scm: authentication(6),
  gss: authentication(7),
  sspi: authentication(9),
  'another mechanism': authentication(10, Buffer.from('PLAIN\0\0')),
  'scram without its proof': Buffer.concat([authentication(10, Buffer.from('SCRAM-SHA-256\0\0')), authentication(0)]),
}

const READY = Buffer.concat([message('K', Buffer.alloc(8)), message('Z', Buffer.from('I'))])

const servers: Server[] = []
after(() => {
  for (const server of servers) server.close()
})

test("an impostor at the embedded server's address gets no password, in no way of asking", async () => {
  for (const [name, ask] of Object.entries(ASKS)) {
    const impostor = await startImpostor(ask)
    await assert.rejects(open(impostor, '?require_auth=scram-sha-256'), DatabaseUnavailable, name)
    assertTold(impostor, name)
  }
})

test('a remote server gets no password in the clear unless the url accepts it', async () => {
  const { password: ask = Buffer.alloc(0) } = ASKS
  const impostor = await startImpostor(ask)
  await assert.rejects(open(impostor), /in the clear.*sslmode.*require_auth=password/)
  assertTold(impostor, 'password')
  const accepted = await startImpostor(ask)
  await assert.rejects(open(accepted, '?require_auth=md5,password'), DatabaseUnavailable)
  assert.ok(accepted.heard.includes(PASSWORD))
})

test('only a server behind a private socket may ask for a plain password, and a remote one for md5 or nothing', async (t) => {
  const folder = await temporaryFolder()
  t.after(folder.remove)
  const local = await startImpostor(ASKS.password, join(folder.path, '.s.PGSQL.5432'))
  await assert.rejects(open({ ...local, authority: `${encodeURIComponent(folder.path)}:5432` }), DatabaseUnavailable)
  assert.ok(local.heard.includes(PASSWORD))
  const remote = await startImpostor(ASKS.md5)
  await assert.rejects(open(remote), DatabaseUnavailable)
  assert.match(remote.heard.toString(), /md5[0-9a-f]{32}/)
})

test('an unknown method is refused when the database is opened', async () => {
  await assert.rejects(
    open({ authority: '127.0.0.1:1', heard: Buffer.alloc(0) }, '?require_auth=scram'),
    /require_auth/,
  )
})

test('the real server proves itself', async (t) => {
  const db = await openTestDatabase()
  t.after(db.close)
  const database = await openDatabase({ url: db.appUrl })
  assert.equal((await database.query(sql`select 1`)).rows.length, 1)
  await database.close()
})

type Impostor = { authority: string; heard: Buffer }

/** Asks in the scripted way, reports success, and records what it receives. Hangs up at the second message. */
async function startImpostor(ask: Buffer = Buffer.alloc(0), path?: string): Promise<Impostor> {
  const impostor: Impostor = { authority: '', heard: Buffer.alloc(0) }
  const server = createServer((socket: Socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write(Buffer.concat([ask, ...(ask === ASKS.none ? [READY] : [])]))
      socket.on('data', (bytes) => {
        impostor.heard = Buffer.concat([impostor.heard, bytes])
        socket.end()
      })
    })
  })
  servers.push(server)
  if (path === undefined) server.listen(0, '127.0.0.1')
  else server.listen(path)
  await once(server, 'listening')
  if (path === undefined) impostor.authority = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return impostor
}

async function open({ authority }: Impostor, query = ''): Promise<void> {
  const url = `postgres://somebody:${PASSWORD}@${authority}/nothing${query}`
  const database = await openDatabase({ url, readConnections: 1, writeConnections: 1 })
  await database.close()
}

/** At most the first message of SCRAM, which holds only a random number. */
function assertTold({ heard }: Impostor, name: string): void {
  assert.match(heard.toString('latin1'), /^(p\0\0\0.SCRAM-SHA-256\0\0\0\0.n,,n=\*,r=[\w+/=]+)?$/s, name)
}

function authentication(code: number, rest = Buffer.alloc(0)): Buffer {
  const body = Buffer.alloc(4)
  body.writeInt32BE(code)
  return message('R', Buffer.concat([body, rest]))
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5, type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
