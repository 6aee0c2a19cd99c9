// What a stranger, without a key and without a session, can make the service do: each endpoint has a bound, and a route without one fails.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { serveApps } from './app-documents.ts'
import { COUNT_HEADER, countBuiltins, countShared, type Work, watchRoutes, workOf } from './counted-work.ts'
import { sendAsStranger } from './send-as-stranger.ts'
import { BASE_URL, type Endpoint, endpointOf, type Sent } from './stranger-requests.ts'

const url = process.env.TEST_DATABASE_URL ?? assert.fail('run the tests with npm test: it starts the database')
countBuiltins(Number(new URL(url).port))
const routes = watchRoutes()
// Loaded after the functions are counted.
const { serveHere } = await import('@clinic-data/testing/grounds/in-this-process')
const { ownGround } = await import('@clinic-data/testing/run/own-ground')
const schema = await import('@clinic-data/backend/migrations')
countShared({
  ...(await import('@clinic-data/contract/body-memory')),
  ...(await import('@clinic-data/database/connections/fair-line')),
  ...(await import('@clinic-data/gateway/limits/concurrency-limit')),
  ...(await import('@clinic-data/surface/waiting-line')),
})

const ground = await ownGround(schema)
const apps = await serveApps()
after(() => apps.close())
const service = await serveHere({
  DATABASE_URL: ground.url,
  BASE_URL,
  CONSOLE_URL: 'http://127.0.0.1:8590',
  BACKEND_TOKEN: 't'.repeat(40),
  CONNECT_REGISTRATION: '1',
  WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  TRUSTED_PROXIES: '127.0.0.1/32',
  WHATSAPP_APP_SECRET: 's'.repeat(32),
  WHATSAPP_VERIFY_TOKEN: 'v'.repeat(32),
})
/** Fastify makes one of HEAD for each GET: the same work. */
const reached = [...new Set(routes)].filter((route) => !route.startsWith('HEAD '))

test('each route that a stranger can reach has a bound of what it costs', () => {
  assert.ok(reached.length > 300)
  assert.deepEqual(
    reached.filter((route) => endpointOf(route, apps) === null),
    [],
  )
})

test('the dearest request of a stranger to each route costs no more than its bound', async (t) => {
  const over: string[] = []
  for (const route of reached) {
    const endpoint = endpointOf(route, apps)
    if (endpoint === null) continue
    for (const [at, make] of endpoint.send.entries())
      over.push(...(await faultsOf(route, endpoint, make(), `${route} ${at}`)))
  }
  for (const name of [
    'POST /oauth/token 0',
    'POST /oauth/token 1',
    'POST /oauth/register 0',
    'POST /console/api/sign-in 0',
  ])
    t.diagnostic(`${name}: ${JSON.stringify(workOf(name))}`)
  assert.deepEqual(over, [])
})

async function faultsOf(route: string, { status, most }: Endpoint, sent: Sent, name: string): Promise<string[]> {
  const headers = { ...sent.headers, [COUNT_HEADER]: name }
  const got = await sendAsStranger(service, route, { ...sent, headers })
  const work = workOf(name)
  const over = (Object.keys(most) as (keyof Work)[]).filter((kind) => work[kind] > most[kind])
  return [
    ...(status.includes(got) ? [] : [`${name}: ${got}`]),
    ...over.map((kind) => `${name}: ${kind} ${work[kind]}, and at most ${most[kind]}`),
  ]
}
