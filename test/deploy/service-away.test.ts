// What the proxies of `deploy/` answer when no `clinicd` behind them does: the problem that the contract promises, and a page.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { problems } from '@clinic-data/contract'
import { makeKey } from '@clinic-data/contract/key'
import { PROBLEM_TYPE } from '@clinic-data/contract/problem-body'
import { startClinicd } from '@clinic-data/testing/clinicd-process'
import { freePorts } from '@clinic-data/testing/free-port'
import { API, CONSOLE, FrontProxy, frontNames, hasFront, type Upstreams } from './front-proxy.ts'

async function nowhere(): Promise<Upstreams> {
  const [publicPort, privatePort] = await freePorts(2)
  return { address: `http://127.0.0.1:${publicPort}`, adminAddress: `http://127.0.0.1:${privatePort}` }
}

/** A gateway whose backend gives no usable answer. */
async function gatewayOfBrokenBackend(t: TestContext): Promise<string> {
  const backend = createServer((_, response) => response.end('no answer of the port')).listen(0, '127.0.0.1')
  await once(backend, 'listening')
  t.after(() => backend.close())
  const gateway = await startClinicd(['--role', 'gateway'], {
    BACKEND_URL: `http://127.0.0.1:${(backend.address() as AddressInfo).port}`,
    BACKEND_TOKEN: randomBytes(24).toString('hex'),
    SECRET_KEYS: `t:${randomBytes(32).toString('base64')}`,
    BASE_URL: `https://${API}`,
    TRUSTED_PROXIES: '127.0.0.1',
  })
  t.after(() => gateway.end('SIGKILL'))
  return gateway.address
}

for (const name of frontNames) {
  describe(`${name} in front of nothing`, { skip: hasFront(name) ? false : `no ${name} on this machine` }, () => {
    async function startFront(t: TestContext, upstreams: Upstreams): Promise<FrontProxy> {
      const front = await FrontProxy.start(name, upstreams)
      t.after(() => front.stop())
      return front
    }

    test('an integrator gets the problem that the contract promises, for a read, a write and an agent', async (t) => {
      const front = await startFront(t, await nowhere())
      const [status, title] = problems['service-unavailable']
      const body = JSON.stringify({ first_name: 'Dana' })
      const write = { method: 'POST', body, headers: { 'content-type': 'application/json' } }
      for (const [path, asked] of [
        ['/v1/patients?limit=5', {}],
        ['/v1/leads', write],
        ['/mcp', write],
        ['/ingest/whatsapp', write],
      ] as const) {
        const answer = await front.ask(path, asked)
        assert.equal(answer.status, 503, path)
        const { 'content-type': type, 'retry-after': wait, 'x-request-id': requestId, ...headers } = answer.headers
        assert.equal(type, PROBLEM_TYPE)
        assert.match(String(wait), /^[1-9]$/)
        assert.match(String(requestId), /^req_[0-9A-Za-z_-]{32,60}$/)
        assert.equal(headers['cache-control'], 'no-store')
        assert.match(String(headers['strict-transport-security']), /max-age=31536000/)
        const { detail, ...problem } = JSON.parse(answer.text)
        assert.match(detail, /Retry-After.*Idempotency-Key/)
        assert.deepEqual(problem, {
          type: `https://${API}/problems/service-unavailable`,
          ...{ code: 'service-unavailable', title, status, request_id: requestId, retry_after: Number(wait) },
        })
      }
    })

    test('no log holds the path or the query of a request that failed, because they can name a patient', async (t) => {
      const front = await startFront(t, await nowhere())
      for (const host of [API, CONSOLE])
        assert.equal((await front.ask('/console/patient-1?phone=%2B972501234567', { host })).status, 503)
      assert.doesNotMatch(front.said, /patient-1|972501234567/)
    })

    test('a person who opens the console gets a page that says so, and loads itself again', async (t) => {
      const front = await startFront(t, await nowhere())
      const page = await front.ask('/console/', { host: CONSOLE })
      assert.equal(page.status, 503)
      assert.match(String(page.headers['content-type']), /^text\/html/)
      assert.equal(page.headers['cache-control'], 'no-store')
      assert.match(String(page.headers['strict-transport-security']), /max-age=31536000/)
      const seconds = String(page.headers['retry-after'])
      assert.match(page.text, new RegExp(`<meta http-equiv="refresh" content="${seconds}">`))
      assert.match(page.text, /The console is away for a moment/)
    })

    test('an answer of the service itself passes as it is, also an error', async (t) => {
      const front = await startFront(t, { ...(await nowhere()), address: await gatewayOfBrokenBackend(t) })
      const answer = await front.ask('/v1/me', { headers: { authorization: `Bearer ${makeKey()}` } })
      assert.equal(answer.status, 502, answer.text)
      assert.equal(JSON.parse(answer.text).code, 'upstream-error')
    })
  })
}
