// The endpoints of apps refuse what is no strict form, in words that an app reads, and tell of themselves. What a request means is decided
// behind the port: here it is written down, and answered as a test wants.
import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import { Problem } from '@clinic-data/contract'
import { type AnswerApp, type AppAnswer, type AppRequest, appEndpoints } from '@clinic-data/contract/app-request'
import { BASE_URL, startParts, type TestParts } from '@clinic-data/testing/run/test-service'

const CONSOLE_URL = 'https://console.clinic.example'
const FORM = 'application/x-www-form-urlencoded'
const forms = appEndpoints.filter((endpoint) => endpoint !== 'register')

const asked: AppRequest[] = []
let answer: () => AppAnswer = () => ({ status: 200, body: {} })
const answerApp: AnswerApp = async (_endpoint, request) => {
  asked.push(request)
  return answer()
}

let service: TestParts
before(async () => {
  service = await serviceWith({ consoleUrl: CONSOLE_URL, mayRegister: true })
})
after(() => service.close())
beforeEach(() => {
  asked.length = 0
  answer = () => ({ status: 200, body: {} })
})

function serviceWith(connect: { consoleUrl: string; mayRegister: boolean } | null, baseUrl = BASE_URL) {
  return startParts({ connect, baseUrl, wrap: (backend) => ({ ...backend, answerApp }) })
}

interface Sent {
  type?: string
  headers?: Record<string, string>
  method?: string
  /** Each test that is limited by address has its own. */
  from?: string
}

async function send(
  path: string,
  payload?: string,
  { type = FORM, from = '192.0.2.1', ...sent }: Sent = {},
  to = service,
) {
  const {
    statusCode,
    headers,
    payload: text,
  } = await to.gateway.app.inject({
    method: (sent.method ?? 'POST') as 'POST',
    url: path,
    remoteAddress: from,
    headers: { host: 'api.clinic.example', ...(type === '' ? {} : { 'content-type': type }), ...sent.headers },
    ...(payload !== undefined && { payload }),
  })
  return { status: statusCode, headers, text, json: text.startsWith('{') ? JSON.parse(text) : null }
}

/** A body that each endpoint would take. */
const good = (endpoint: string) =>
  endpoint === 'register' ? ['{"redirect_uris":[]}', 'application/json'] : ['client_id=a&token=b', FORM]

for (const [place, endpoint] of appEndpoints.entries()) {
  const from = `198.51.100.${place}`
  const path = `/oauth/${endpoint}`
  const [body = '', type = ''] = good(endpoint)
  const code = endpoint === 'register' ? 'invalid_client_metadata' : 'invalid_request'

  test(`${path} takes no other media type, charset or encoding, and nothing in its address`, async () => {
    const wrong: [string, Sent][] = [
      [path, { type: 'text/plain' }],
      [path, { type: endpoint === 'register' ? FORM : 'application/json' }],
      [path, { type: `${type}; charset=latin1` }],
      [path, { type: `${type}; boundary=x` }],
      [path, { type: '' }],
      [path, { type, headers: { 'content-encoding': 'gzip' } }],
      [`${path}?client_id=a`, { type }],
    ]
    for (const [at, sent] of wrong) {
      const { status, json } = await send(at, body, { from, ...sent })
      assert.deepEqual([status, json.error], [400, code], JSON.stringify([at, sent]))
      assert.match(json.error_description, /^Send /)
    }
    assert.equal(asked.length, 0)
  })

  test(`${path} passes a form whole, with the address and the app's own proof, and is not kept by anybody`, async () => {
    answer = () => ({ status: 200, body: { access_token: 'x'.repeat(5000) } })
    const authorization = `Basic ${Buffer.from('app:secret').toString('base64')}`
    const headers = { authorization, 'accept-encoding': 'gzip, br' }
    const {
      status,
      json,
      headers: told,
    } = await send(path, body, { type: `${type};charset=UTF-8`, headers, from: '203.0.113.9' })
    assert.equal(status, 200)
    assert.equal(json.access_token.length, 5000)
    assert.equal(told['cache-control'], 'no-store')
    assert.equal(told['content-encoding'], undefined, 'the length of a compressed answer would tell of its secret')
    const form = endpoint === 'register' ? { metadata: body } : { client_id: 'a', token: 'b' }
    assert.deepEqual(asked, [{ form, authorization, address: '203.0.113.9' }])
  })

  test(`${path} takes at most 64 KiB`, async () => {
    const { status, json } = await send(path, `${body}${' '.repeat(64 * 1024)}`, { type, from: '203.0.113.10' })
    assert.deepEqual([status, json.error], [413, code])
    assert.equal(asked.length, 0)
  })

  test(`${path} is open to POST alone, and to a page that asks first`, async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const { status, headers } = await send(path, undefined, { method, type: '' })
      assert.deepEqual([status, headers.allow], [405, 'POST, OPTIONS'], method)
    }
    const { status, headers, text } = await send(path, undefined, { method: 'OPTIONS', type: '' })
    assert.deepEqual([status, text], [204, ''])
    assert.equal(headers['access-control-allow-origin'], '*')
    assert.equal(headers['access-control-allow-methods'], 'POST')
    assert.match(String(headers['access-control-allow-headers']), /authorization, content-type/)
    assert.equal(headers['access-control-allow-credentials'], undefined)
  })

  test(`${path} tells pages of every origin its answers and its refusals`, async () => {
    for (const payload of [body, '%']) {
      const { headers } = await send(path, payload, { type, from: '203.0.113.11' })
      assert.equal(headers['access-control-allow-origin'], '*')
      assert.match(String(headers['access-control-expose-headers']), /WWW-Authenticate/)
    }
  })

  test(`${path} says 503 and when to come again while the backend is away, and no word of why`, async () => {
    answer = () => {
      throw new Problem('service-unavailable', 'Away.', { retry_after: 7 }, new Error('inside'))
    }
    const away = await send(path, body, { type, from: '203.0.113.12' })
    assert.deepEqual([away.status, away.json.error, away.headers['retry-after']], [503, 'temporarily_unavailable', '7'])
    assert.equal(away.headers['cache-control'], 'no-store')
    answer = () => {
      throw new Error('inside')
    }
    const broken = await send(path, body, { type, from: '203.0.113.12' })
    assert.deepEqual([broken.status, broken.json.error], [500, 'server_error'])
    assert.ok(!broken.text.includes('inside'))
  })

  test(`${path} is a line of the log by its name, without what was sent`, async () => {
    await send(path, body.replace('"redirect_uris"', '"sent_text"').replace('=b', '=sent_text'), {
      type,
      from: '203.0.113.13',
    })
    const line = service.logLines.map((text) => JSON.parse(text)).findLast(({ route }) => route === path)
    assert.deepEqual([line?.status, line?.operation], [200, null])
    assert.ok(!service.logLines.some((text) => text.includes('sent_text')))
  })
}

for (const endpoint of forms) {
  const path = `/oauth/${endpoint}`
  const from = `198.51.100.1${forms.indexOf(endpoint)}`

  test(`${path} tells all faults of a form at once, and repeats none of its values`, async () => {
    const { status, json } = await send(path, 'code=a&code=b&x%22=1&x%22=2&state=%ff&=v', { from })
    assert.deepEqual([status, json.error], [400, 'invalid_request'])
    for (const words of ['once: code, a parameter', 'value of state', 'no valid name'])
      assert.ok(json.error_description.includes(words), json.error_description)
    assert.match(json.error_description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
    assert.equal(asked.length, 0)
  })

  test(`${path} refuses a doubled parameter even if one of the two is empty`, async () => {
    assert.equal((await send(path, 'client_id=a&client_id=', { from })).json.error, 'invalid_request')
  })

  test(`${path} takes a parameter without a value for one that was left out`, async () => {
    await send(path, 'client_id=a&scope=&resource&redirect_uri=http%3A%2F%2F127.0.0.1%2Fa+b', { from })
    assert.deepEqual(asked[0]?.form, { client_id: 'a', redirect_uri: 'http://127.0.0.1/a b' })
  })

  test(`${path} takes at most 40 parameters, of at most 32 KiB, without NUL`, async () => {
    const many = Array.from({ length: 41 }, (_, n) => `p${n}=1`).join('&')
    for (const body of [many, `code=${'x'.repeat(32 * 1024 + 1)}`, 'code=%00', `${'n'.repeat(201)}=1`])
      assert.equal((await send(path, body, { from })).json.error, 'invalid_request')
    assert.equal(asked.length, 0)
    assert.equal((await send(path, many.replace(/&p40=1$/, ''), { from })).status, 200)
  })

  test(`${path} passes an empty body, which the app's own refusal names`, async () => {
    assert.equal((await send(path, '', { from })).status, 200)
    assert.deepEqual(asked[0]?.form, {})
  })
}

test('a registration is one JSON object', async () => {
  for (const body of ['', '[]', '"x"', '{', '{"a":"\\u0000"}', `{"a":"${'x'.repeat(33 * 1024)}"}`]) {
    const sent = { type: 'application/json', from: `203.0.114.${body.length % 200}` }
    const { status, json } = await send('/oauth/register', body, sent)
    assert.deepEqual([status, json.error], [400, 'invalid_client_metadata'], body.slice(0, 20))
  }
  assert.equal(asked.length, 0)
})

test('a refused secret in Basic is answered with the scheme that was used, and no other refusal is', async () => {
  answer = () => ({ status: 401, body: { error: 'invalid_client' } })
  const basic = { authorization: 'Basic YTpi' }
  const named = await send('/oauth/token', 'a=b', { headers: basic, from: '203.0.113.20' })
  assert.deepEqual([named.status, named.headers['www-authenticate']], [401, `Basic realm="${BASE_URL}"`])
  const other = await send('/oauth/token', 'a=b', { from: '203.0.113.20' })
  assert.deepEqual([other.status, other.headers['www-authenticate']], [401, undefined])
})

test('an answer without a body has none', async () => {
  answer = () => ({ status: 200, body: null })
  const { status, text } = await send('/oauth/revoke', 'token=a', { from: '203.0.113.21' })
  assert.deepEqual([status, text], [200, ''])
})

test('an address may register ten times a minute, with every address of its block', async () => {
  const [body = '', type = ''] = good('register')
  for (let n = 0; n < 10; n++)
    assert.equal((await send('/oauth/register', body, { type, from: `2001:db8::${n + 1}` })).status, 200)
  const refused = await send('/oauth/register', body, { type, from: '2001:db8::ffff' })
  assert.deepEqual([refused.status, refused.json.error], [429, 'temporarily_unavailable'])
  assert.ok(Number(refused.headers['retry-after']) >= 1)
  assert.equal((await send('/oauth/register', body, { type, from: '2001:db8:0:1::1' })).status, 200)
})

test('all blocks of a /48 may register as often as four of them', async () => {
  const [body = '', type = ''] = good('register')
  const statuses = []
  for (let n = 0; n < 41; n++)
    statuses.push((await send('/oauth/register', body, { type, from: `2001:db8:48:${n + 1}::1` })).status)
  assert.deepEqual(statuses, [...Array(40).fill(200), 429])
  assert.equal((await send('/oauth/register', body, { type, from: '2001:db8:49::1' })).status, 200)
})

test('an address may ask for 30 device codes a minute', async () => {
  const statuses = []
  for (let n = 0; n < 31; n++) statuses.push((await send('/oauth/device', 'a=b', { from: '203.0.113.30' })).status)
  assert.deepEqual(statuses, [...Array(30).fill(200), 429])
})

test('an address that guesses is slowed after sixty refusals, and no app of another address is', async () => {
  answer = () => ({ status: 400, body: { error: 'invalid_grant' } })
  const statuses = []
  for (let n = 0; n < 61; n++) statuses.push((await send('/oauth/token', 'a=b', { from: '203.0.113.31' })).status)
  assert.deepEqual(statuses, [...Array(60).fill(400), 429])
  assert.equal((await send('/oauth/token', 'a=b', { from: '203.0.113.32' })).status, 400)
  answer = () => ({ status: 200, body: {} })
  assert.equal((await send('/oauth/token', 'a=b', { from: '203.0.113.31' })).status, 200, 'a right one still passes')
})

test('refusals of an app that signs, and tokens given back that there are none of, count as guesses', async () => {
  const send61 = async (path: string, form: string, from: string) => {
    const statuses = []
    for (let n = 0; n < 61; n++) statuses.push((await send(path, form, { from })).status)
    return statuses.slice(58)
  }
  answer = () => ({ status: 400, body: { error: 'invalid_request' } })
  assert.deepEqual(await send61('/oauth/token', 'client_assertion=a.b.c', '203.0.113.34'), [400, 400, 429])
  assert.deepEqual(await send61('/oauth/token', 'client_id=a', '203.0.113.35'), [400, 400, 400])
  answer = () => ({ status: 400, body: { error: 'authorization_pending' } })
  assert.deepEqual(await send61('/oauth/token', 'client_assertion=a.b.c', '203.0.113.36'), [400, 400, 400])
  answer = () => ({ status: 200, body: null, is_guess: true })
  assert.deepEqual(await send61('/oauth/revoke', 'client_id=a', '203.0.113.37'), [200, 200, 429])
  answer = () => ({ status: 200, body: null })
  assert.deepEqual(await send61('/oauth/revoke', 'client_id=a', '203.0.113.38'), [200, 200, 200])
})

test('a device that asks sooner than it was told is slowed, also one that signs', async () => {
  answer = () => ({ status: 400, body: { error: 'slow_down' } })
  for (const [form, from] of [
    ['client_id=a', '203.0.113.41'],
    ['client_assertion=a.b.c', '203.0.113.42'],
  ] as const) {
    const statuses = []
    for (let n = 0; n < 61; n++) statuses.push((await send('/oauth/token', form, { from })).status)
    assert.deepEqual(statuses, [...Array(60).fill(400), 429])
  }
})

test('a document that is not read, or not for want of a place, counts as a guess', async () => {
  answer = () => ({ status: 503, body: { error: 'temporarily_unavailable' } })
  const statuses = []
  for (let n = 0; n < 61; n++) statuses.push((await send('/oauth/token', 'a=b', { from: '203.0.113.40' })).status)
  assert.deepEqual(statuses, [...Array(60).fill(503), 429])
})

test('a request that may have made us read a document counts as a guess where the backend gives no answer', async () => {
  answer = () => {
    throw new Problem('service-unavailable', 'Away.', { retry_after: 1 })
  }
  const send61 = async (body: string, from: string, headers: Record<string, string> = {}) => {
    const statuses = []
    for (let n = 0; n < 61; n++) statuses.push((await send('/oauth/token', body, { from, headers })).status)
    return statuses.slice(58)
  }
  const named = `client_id=${encodeURIComponent('https://agent.example.com/app.json')}`
  assert.deepEqual(await send61(named, '203.0.113.43'), [503, 503, 429])
  assert.deepEqual(await send61('client_assertion=a.b.c', '203.0.113.44'), [503, 503, 429])
  assert.deepEqual(await send61('', '203.0.113.45', { authorization: 'Basic YTpi' }), [503, 503, 429])
  assert.deepEqual(await send61('client_id=app_1', '203.0.113.46'), [503, 503, 503])
})

test('a device that waits for a person is not taken for one that guesses', async () => {
  answer = () => ({ status: 400, body: { error: 'authorization_pending' } })
  for (let n = 0; n < 70; n++) assert.equal((await send('/oauth/token', 'a=b', { from: '203.0.113.33' })).status, 400)
})
