// The proxies of `deploy/` in front of two real services: what they let through, what they keep from the internet, and what a client
// notices when one of the services is killed.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { createAdministrator, makeSignInLink } from '@clinic-data/administration/administrators'
import * as schema from '@clinic-data/backend/migrations'
import { allOperations, type Operation } from '@clinic-data/contract'
import { filledPath } from '@clinic-data/contract/routes'
import { sql, utcSession } from '@clinic-data/database'
import { ClientAddress } from '@clinic-data/gateway/connections/client-address'
import { limitedServer } from '@clinic-data/gateway/connections/limited-server'
import { freePort } from '@clinic-data/testing/free-port'
import { type ServiceHere, serveHere } from '@clinic-data/testing/grounds/in-this-process'
import { type ClinicdProcess, startClinicd } from '@clinic-data/testing/programs/clinicd-process'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { sized } from '@clinic-data/testing/run/size'
import { emptyClinic, keyOf } from '@clinic-data/testing/run/test-service'
import { API, CONSOLE, type FrontName, FrontProxy, frontNames, hasFront, type Upstreams } from './front-proxy.ts'

// Its own: the background work of a service looks at every clinic of its database.
const { url, owner, opened } = await ownGround(schema)

const CLIENTS = 4
const VERIFY_TOKEN = randomBytes(16).toString('hex')
/** In CI long enough for several looks at whether a service lives. */
const READS = { before: 60, after: sized({ everyday: 200, long: 1_000 }) }

let staying: ServiceHere
let killed: ClinicdProcess
const fronts = new Map<FrontName, FrontProxy>()
before(async () => {
  const settings = {
    DATABASE_URL: url,
    SECRET_KEYS: `t:${randomBytes(32).toString('base64')}`,
    BASE_URL: `https://${API}`,
    CONSOLE_URL: `https://${CONSOLE}`,
    TRUSTED_PROXIES: '127.0.0.1',
    RATE_LIMIT: '1000000/60',
    // With it there is the port, which no proxy may pass on.
    BACKEND_TOKEN: randomBytes(24).toString('hex'),
    WHATSAPP_APP_SECRET: randomBytes(16).toString('hex'),
    WHATSAPP_VERIFY_TOKEN: VERIFY_TOKEN,
  }
  staying = await serveHere(settings)
  opened.defer(() => staying.stop())
  killed = await startClinicd([], settings)
  for (const name of frontNames.filter(hasFront)) fronts.set(name, await FrontProxy.start(name, staying, killed))
})
after(() => Promise.all([...fronts.values()].map((front) => front.stop())))

const skip = frontNames.some(hasFront) ? false : 'no proxy on this machine'
const noSockets = spawnSync('which', ['ss']).status === 0 ? false : 'no ss on this machine (Debian package iproute2)'

for (const name of frontNames) {
  describe(`${name} in front`, { skip: hasFront(name) ? false : `no ${name} on this machine` }, () => {
    let front: FrontProxy
    before(() => {
      front = fronts.get(name) ?? assert.fail(`${name} was not started`)
    })

    test('the API answers by https, and plain http leads there', async () => {
      const clinic = await emptyClinic(owner)
      const authorization = `Bearer ${await keyOf(owner, clinic, ['patients:read'])}`
      const me = await front.ask('/v1/me', { headers: { authorization } })
      assert.equal(me.status, 200, me.text)
      assert.match(String(me.headers['strict-transport-security']), /max-age=31536000/)
      const plain = await front.askPlain('/v1/me?secret=1')
      assert.equal(plain.status, 308)
      assert.match(String(plain.headers.location), new RegExp(`^https://${API}(:\\d+)?/v1/me\\?secret=1$`))
    })

    test('the audit log holds the address of the connection, whatever the client claims to be', async () => {
      const clinic = await emptyClinic(owner)
      const authorization = `Bearer ${await keyOf(owner, clinic, ['patients:read'])}`
      await front.ask('/v1/me', { headers: { authorization, 'x-forwarded-for': '203.0.113.9' } })
      const rows = await owner.read<{ address: string }>(
        utcSession(clinic.clinic_id),
        sql`select address from audit where clinic_id = ${clinic.clinic_id} order by stored_at, id`,
      )
      assert.deepEqual(
        rows.map(({ address }) => address),
        ['127.0.0.1'],
      )
    })

    test('an agent reaches the MCP server, which answers only to the public name', async () => {
      const clinic = await emptyClinic(owner)
      const headers = {
        authorization: `Bearer ${await keyOf(owner, clinic, ['patients:read'])}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      }
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
      const listed = await front.ask('/mcp', { method: 'POST', headers, body })
      assert.equal(listed.status, 200, listed.text)
      assert.match(listed.text, /search_patients|patients/)
    })

    test('nothing private is open: no ingest API, no metrics, no port of the backend, on either name', async () => {
      for (const path of ['/ingest/v1/patients', '/ingest/openapi.json', '/metrics', '/port/ready', '/console/']) {
        assert.equal((await front.ask(path)).status, 404, `${API}${path}`)
        if (path === '/console/') continue
        assert.equal((await front.ask(path, { host: CONSOLE })).status, 404, `${CONSOLE}${path}`)
      }
      for (const path of ['/v1/me', '/docs', '/console/../metrics', '/console/%2e%2e/metrics']) {
        assert.ok([400, 404].includes((await front.ask(path, { host: CONSOLE })).status), `${CONSOLE}${path}`)
      }
    })

    test('of the ingest API the webhook of WhatsApp alone passes, and takes nothing unsigned', async () => {
      const path = '/ingest/whatsapp'
      const setUp = `${path}?hub.mode=subscribe&hub.verify_token=${VERIFY_TOKEN}&hub.challenge=42`
      const { status, text } = await front.ask(setUp)
      assert.deepEqual([status, text], [200, '42'])
      assert.equal((await front.ask(path, { method: 'POST', body: '{}' })).status, 401)
      for (const other of [
        `${path}/../v1/patients`,
        `${path}/%2e%2e/openapi.json`,
        `${path}/../openapi.json`,
        `${path}/x`,
      ])
        assert.ok([400, 404].includes((await front.ask(other)).status), other)
      assert.equal((await front.ask(setUp, { host: CONSOLE })).status, 404)
    })

    test('the console signs in behind it, with a cookie that only https carries, and exports the activity', async () => {
      assert.equal((await front.ask('/', { host: CONSOLE })).headers.location, '/console/')
      const clinic = await emptyClinic(owner)
      const { clinic_id } = clinic
      const now = new Date()
      const administrator = { clinic_id, email: 'noa@clinic.example', name: 'Noa Levi', now }
      const { id } = await createAdministrator(owner, administrator)
      const { token } = await makeSignInLink(owner, { clinic_id, id, now })
      const post = (path: string, body: object, headers: Record<string, string> = {}) =>
        front.ask(`/console/api/${path}`, {
          method: 'POST',
          host: CONSOLE,
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json', 'x-console': '1', origin: `https://${CONSOLE}`, ...headers },
        })
      const signedIn = await post('sign-in/link', { token })
      assert.equal(signedIn.status, 200, signedIn.text)
      const set = String(signedIn.headers['set-cookie'])
      assert.match(set, /^__Host-console_session=/)
      assert.match(set, /; Secure/)
      const cookie = set.split(';', 1).join('')
      const session = await front.ask('/console/api/session', { host: CONSOLE, headers: { cookie } })
      assert.equal(session.status, 200, session.text)
      const exported = await post('activity/export', { as: 'rows' }, { cookie })
      assert.equal(exported.status, 200, exported.text)
      assert.match(exported.text, /\n\{"end":\{"rows":\d+,"records_only_until":null\}\}\n$/)
    })
  })
}

/** As many as `deploy/nginx.conf` says, where the machine allows them. */
const MOST_WAITING = 4_096

test('connections that come at once wait for each of them', { skip: skip || noSockets }, () => {
  const allowed = Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'))
  for (const [name, front] of fronts) assert.equal(front.mostWaiting, Math.min(allowed, MOST_WAITING), name)
})

test('nginx lets go of a kept connection sooner than the service ends it', () => {
  const { keepAliveTimeout } = limitedServer(() => undefined, { clientAddress: new ClientAddress([]) })
  for (const file of ['deploy/nginx-upstreams.conf', 'deploy/compose/nginx-upstreams.conf', 'docs/pair.md']) {
    const text = readFileSync(join(import.meta.dirname, '../..', file), 'utf8')
    const upstreams = [...text.matchAll(/^upstream \w+ \{\n[^}]*\}/gm)].map(([upstream]) => upstream)
    assert.equal(upstreams.length, 2, file)
    for (const upstream of upstreams) {
      const [, seconds] = /^ {2}keepalive_timeout (\d+)s;$/m.exec(upstream) ?? []
      assert.ok(Number(seconds) * 1000 <= keepAliveTimeout / 2, `${file}: ${upstream}`)
    }
  }
})

/** What the service does with a request that arrives twice decides whether nginx may send it to another. */
const MAY_ARRIVE_TWICE: Record<Operation['effect'], (hasKey: boolean) => boolean> = {
  none: () => true,
  repeatable: () => true,
  'once a key': (hasKey) => hasKey,
  'each time': () => false,
}
const POSTED = [
  ...allOperations.filter(({ method }) => method === 'POST' || method === 'PATCH'),
  { id: 'mcp', method: 'POST', path: '/mcp', effect: 'none', ids: {} } as const,
]

for (const { id, method, path: template, effect, ids } of POSTED) {
  for (const hasKey of [true, false]) {
    const isRepeated = MAY_ARRIVE_TWICE[effect](hasKey)
    const fate = isRepeated ? 'goes to another' : 'is answered 503, because it may have happened'
    test(`behind nginx ${id} ${hasKey ? 'with' : 'without'} an Idempotency-Key, whose service ends under it, ${fate}`, {
      skip: hasFront('nginx') ? false : 'no nginx on this machine',
    }, async () => {
      const bodies: string[] = []
      /** The first of both that gets a request ends under it. */
      const service = createServer(async (request, response) => {
        bodies.push(await text(request))
        if (bodies.length === 1) request.socket.destroy()
        else response.writeHead(201).end()
      })
      const others = [service, createServer((request, response) => service.emit('request', request, response))]
      const front = await FrontProxy.start('nginx', ...(await Promise.all(others.map(listening))))
      try {
        const path = filledPath({ path: template }, Object.fromEntries(Object.keys(ids).map((name) => [name, 'one'])))
        const headers: Record<string, string> = hasKey ? { 'idempotency-key': 'one' } : {}
        const answer = await front.ask(path, { method, headers, body: '{"a":1}' })
        assert.equal(answer.status, isRepeated ? 201 : 503, answer.text)
        assert.deepEqual(bodies, isRepeated ? ['{"a":1}', '{"a":1}'] : ['{"a":1}'])
        if (!isRepeated) assert.equal(JSON.parse(answer.text).code, 'service-unavailable')
      } finally {
        await front.stop()
        for (const server of others) server.close()
      }
    })
  }
}

test('behind nginx a write that finds no service alive is told so as a problem', {
  skip: hasFront('nginx') ? false : 'no nginx on this machine',
}, async () => {
  const nobody = `http://127.0.0.1:${await freePort()}`
  const front = await FrontProxy.start('nginx', { address: nobody, adminAddress: nobody })
  try {
    const headers = { 'idempotency-key': 'one' }
    const answer = await front.ask('/v1/leads', { method: 'POST', headers, body: '{}' })
    assert.deepEqual([answer.status, JSON.parse(answer.text).code], [503, 'service-unavailable'])
  } finally {
    await front.stop()
  }
})

test('the end of one of two services costs no read, behind each of them', { skip }, async () => {
  const clinic = await emptyClinic(owner)
  const headers = { authorization: `Bearer ${await keyOf(owner, clinic, ['patients:read'])}` }
  const failed: string[] = []
  const read = async (front: FrontProxy, times: number) => {
    for (let i = 0; i < times / CLIENTS; i++) {
      const { status, text } = await front.ask('/v1/me', { headers })
      if (status !== 200) failed.push(`${status} ${text}`)
    }
  }
  const readAll = (times: number) =>
    Promise.all([...fronts.values()].flatMap((front) => Array.from({ length: CLIENTS }, () => read(front, times))))
  await readAll(READS.before)
  assert.ok(staying.lines.includes('request') && killed.answering.size > 0, 'both serve')
  const going = readAll(READS.after)
  await killed.end('SIGKILL')
  await going
  assert.deepEqual(failed, [])
})

async function listening(server: Server): Promise<Upstreams> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { address, adminAddress: address }
}
