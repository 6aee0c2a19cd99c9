// Tests what the proxies of `deploy/` answer when no `clinicd` behind them does: the problem that the contract promises, and a page.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { problems } from '@clinic-data/contract'
import { PROBLEM_TYPE } from '@clinic-data/contract/problem-body'
import { freePorts } from '@clinic-data/testing/free-port'
import { API, CONSOLE, FrontProxy, frontNames, hasFront, type Upstreams } from './front-proxy.ts'

async function nowhere(): Promise<Upstreams> {
  const [publicPort, privatePort] = await freePorts(2)
  return { address: `http://127.0.0.1:${publicPort}`, adminAddress: `http://127.0.0.1:${privatePort}` }
}

/** A service that answers errors says this, as bytes that no proxy makes. */
const ERROR = { status: 502, body: '{"code":"upstream-error",  "status":502}' }

for (const name of frontNames) {
  const skip = hasFront(name) ? false : `no ${name} on this machine`
  // Caddy looks for a service for a second before it gives up.
  describe(`${name} in front of nothing`, { skip, concurrency: true }, () => {
    let front: FrontProxy
    before(async () => {
      front = await FrontProxy.start(name, await nowhere())
    })
    after(() => front.stop())

    test('an integrator gets the problem that the contract promises, for a read, a write and an agent', async () => {
      const [status, title] = problems['service-unavailable']
      const body = JSON.stringify({ first_name: 'Dana' })
      const write = { method: 'POST', body, headers: { 'content-type': 'application/json' } }
      for (const [path, request] of [
        ['/v1/patients?limit=5', {}],
        ['/v1/leads', write],
        ['/mcp', write],
        ['/ingest/whatsapp', write],
      ] as const) {
        const answer = await front.ask(path, request)
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
          code: 'service-unavailable',
          title,
          status,
          request_id: requestId,
          retry_after: Number(wait),
        })
      }
    })

    test('no log holds the path or the query of a request that failed, because they can name a patient', async () => {
      const path = '/console/patient-1?phone=%2B972501234567'
      const answers = await Promise.all([API, CONSOLE].map((host) => front.ask(path, { host })))
      for (const { status } of answers) assert.equal(status, 503)
      assert.doesNotMatch(front.said, /patient-1|972501234567/)
    })

    test('a person who opens the console gets a page that says so, and loads itself again', async () => {
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
      const service = createServer(({ url }, response) => {
        if (url === '/healthz') return response.end()
        return response.writeHead(ERROR.status, { 'content-type': PROBLEM_TYPE }).end(ERROR.body)
      }).listen(0, '127.0.0.1')
      await once(service, 'listening')
      t.after(() => {
        service.closeAllConnections()
        service.close()
      })
      const address = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
      const front = await FrontProxy.start(name, { ...(await nowhere()), address })
      t.after(() => front.stop())
      const { status, headers, text } = await front.ask('/v1/me')
      assert.deepEqual([status, headers['content-type'], text], [ERROR.status, PROBLEM_TYPE, ERROR.body])
    })
  })
}
