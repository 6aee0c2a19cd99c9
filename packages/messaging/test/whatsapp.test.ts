// WhatsApp: the requests, and the outcome for each possible answer or none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX } from '@clinic-data/contract'
import type { Behaviour } from '@clinic-data/testing/receivers/cloud-api-server'
import { WhatsAppPlatform } from '../src/whatsapp.ts'
import { accountOf, answer, BRIEF_MS, message, never, setUp } from './whatsapp-set-up.ts'

test('a text is sent in the wire format with our id, and accepted under the platform’s', async (t) => {
  const { api, send } = await setUp(t)
  const outcome = await send({ kind: 'text', text: 'להתראות ביום שלישי 👋' })
  assert.equal(outcome.outcome, 'accepted')
  assert.match((outcome as { platform_message_id: string }).platform_message_id, /^wamid\./)
  assert.deepEqual(api.faults, [])
  assert.deepEqual(api.sends, [
    {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '+972501234567',
      type: 'text',
      text: { preview_url: false, body: 'להתראות ביום שלישי 👋' },
      biz_opaque_callback_data: 'out_70412',
    },
  ])
})

test('a template sends names for named variables, only values for positional ones, and nothing without variables', async (t) => {
  const { api, send } = await setUp(t)
  const template = { kind: 'template', name: 'reminder', language: 'he', category: 'utility' } as const
  const name = { name: 'first_name', value: 'נועה' }
  const day = { name: 'day', value: '14.7' }
  await send({ ...template, header_variables: [day], body_variables: [name, day] })
  const [tenth, second, first] = ['10', '2', '1'].map((position) => ({ name: position, value: `v${position}` }))
  await send({
    ...template,
    header_variables: [],
    body_variables: [tenth, second, first].filter((one) => one !== undefined),
  })
  await send({ ...template, header_variables: [], body_variables: [] })
  assert.deepEqual(api.faults, [])
  const parameter = (text: string, parameter_name?: string) => ({
    type: 'text',
    ...(parameter_name && { parameter_name }),
    text,
  })
  const common = { name: 'reminder', language: { code: 'he' } }
  assert.deepEqual(
    api.sends.map(({ template }) => template),
    [
      {
        ...common,
        components: [
          { type: 'header', parameters: [parameter('14.7', 'day')] },
          { type: 'body', parameters: [parameter('נועה', 'first_name'), parameter('14.7', 'day')] },
        ],
      },
      { ...common, components: [{ type: 'body', parameters: [parameter('v1'), parameter('v2'), parameter('v10')] }] },
      common,
    ],
  )
})

test('an authentication template sends its code for the text and for the button', async (t) => {
  const { api, send } = await setUp(t)
  const code = { name: 'code', value: '123456' }
  const common = { kind: 'template', name: 'login_code', language: 'he', category: 'authentication' } as const
  await send({ ...common, header_variables: [], body_variables: [code] })
  const parameters = [{ type: 'text', text: '123456' }]
  assert.deepEqual(api.faults, [])
  assert.deepEqual(api.sends[0]?.template, {
    name: 'login_code',
    language: { code: 'he' },
    components: [
      { type: 'body', parameters },
      { type: 'button', sub_type: 'url', index: '0', parameters },
    ],
  })
})

const refusals: [string, number, unknown, RegExp][] = [
  [
    'a recipient who cannot be reached',
    400,
    { code: 131026, message: 'Message undeliverable' },
    /^Message undeliverable \(131026\)$/,
  ],
  [
    'details before the message',
    400,
    { code: 131047, message: 'x', error_data: { details: 'More than 24 hours' } },
    /^More than 24 hours \(131047\)$/,
  ],
  ['a template that does not exist', 404, { code: 132001, message: 'Template name does not exist' }, /132001/],
  ['a spam restriction, which lasts for days', 400, { code: 131048, message: 'Spam rate limit hit' }, /131048/],
  ['a known verdict, whatever the status', 500, { code: 131045, message: 'Incorrect certificate' }, /131045/],
  ['an account that is restricted', 403, { code: 368, message: 'Temporarily blocked' }, /368/],
  ['an unknown code of a refusing status', 400, { code: 987654, message: 'Something new' }, /Something new \(987654\)/],
  ['a refusing status without a reason', 404, undefined, /^The platform gave no reason$/],
  [
    'a permission that is missing',
    403,
    { code: 200, message: 'token abc lacks it' },
    /^The platform does not accept the clinic's credentials \(200\)$/,
  ],
]

for (const [what, status, error, reason] of refusals) {
  test(`refused: ${what}`, async (t) => {
    const { api, send } = await setUp(t)
    api.next.push(answer(status, error))
    const outcome = await send()
    assert.equal(outcome.outcome, 'refused')
    assert.match((outcome as { reason: string }).reason, reason)
  })
}

test('refused: credentials that are not accepted, without a message', async (t) => {
  const { api, send } = await setUp(t)
  api.next.push(answer(401, { code: 190 }))
  assert.deepEqual(await send(), {
    outcome: 'refused',
    reason: "The platform does not accept the clinic's credentials (190)",
  })
})

test('a reason is cut to its limit at whole characters and can be stored', async (t) => {
  const { api, send } = await setUp(t)
  api.next.push(answer(400, { code: 100, message: `\0${'👋'.repeat(MAX.failure_reason)}\ud800` }))
  const { reason } = (await send()) as { reason: string }
  assert.equal(Array.from(reason).length, MAX.failure_reason)
  assert.match(reason, /👋 \(100\)$/u)
  assert.ok(reason.isWellFormed() && !reason.includes('\0'))
})

const notNow: [string, number, unknown, Record<string, string> | undefined, number | null][] = [
  ['the limit on calls of the app', 400, { code: 4 }, undefined, 60_000],
  ['the limit on calls of the business', 400, { code: 80007 }, undefined, 60_000],
  ['the limit on messages per second', 400, { code: 130429 }, undefined, 1000],
  ['the limit on messages to one person', 400, { code: 131056 }, undefined, 6000],
  ['the wait that the platform asks for', 400, { code: 80007 }, { 'retry-after': '120' }, 120_000],
  ['a wait that is too long', 429, undefined, { 'retry-after': '999999' }, 3_600_000],
  ['a wait that is a date', 429, undefined, { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }, null],
  ['too many requests without a reason', 429, undefined, undefined, null],
  ['a service that is unavailable', 500, { code: 131016 }, undefined, null],
  ['a number in maintenance', 500, { code: 131057 }, undefined, null],
  ['a server that is unavailable', 503, { code: 133004 }, undefined, null],
]

for (const [what, status, error, headers, after_ms] of notNow) {
  test(`certainly not accepted, but may be accepted later: ${what}`, async (t) => {
    const { api, send } = await setUp(t)
    api.next.push(answer(status, error, headers))
    const outcome = await send()
    assert.deepEqual([outcome.outcome, (outcome as { after_ms: unknown }).after_ms], ['retry', after_ms])
  })
}

const doubtful: [string, Behaviour][] = [
  ['no answer', { kind: 'silence' }],
  ['a reset after the request was read', { kind: 'reset' }],
  ['an answer that breaks off in the middle', { kind: 'cut' }],
  ['an acceptance that is not JSON', { kind: 'answer', status: 200, body: '<html>welcome</html>' }],
  ['an acceptance that is not UTF-8', { kind: 'answer', status: 200, body: Buffer.from([0x22, 0xff, 0x22]) }],
  ['an acceptance without an id', { kind: 'answer', status: 200, body: { messages: [{}] } }],
  ['an acceptance with an id that is not a text', { kind: 'answer', status: 200, body: { messages: [{ id: 7 }] } }],
  [
    'an acceptance with an id too long to keep',
    { kind: 'answer', status: 200, body: { messages: [{ id: 'w'.repeat(300) }] } },
  ],
  [
    'an answer that is too long',
    { kind: 'answer', status: 200, body: { messages: [{ id: 'w' }], rest: 'x'.repeat(70_000) } },
  ],
  ['a redirect', { kind: 'answer', status: 307, body: '', headers: { location: '/elsewhere' } }],
  ['an unknown error', answer(500, { code: 131000, message: 'Something went wrong' })],
  ['a general error', answer(400, { code: 1, message: 'Invalid request or possible server error' })],
  ['a general outage', answer(503, { code: 2, message: 'Temporary due to downtime' })],
  ['an unknown code that is transient', answer(400, { code: 987654, is_transient: true })],
  ['an unknown code of a failing status', answer(500, { code: 987654 })],
  ['an unknown code in the range about messages, of a failing status', answer(500, { code: 131999 })],
  ['a bad gateway', answer(502, undefined)],
  ['a gateway timeout', answer(504, undefined)],
  ['an outage without a code', answer(503, undefined)],
  ['a request timeout', answer(408, undefined)],
]

for (const [what, behaviour] of doubtful) {
  test(`unknown: ${what}`, async (t) => {
    const { api, send } = await setUp(t, behaviour.kind === 'silence' ? { answerMs: BRIEF_MS } : {})
    api.next.push(behaviour)
    const outcome = await send()
    assert.equal(outcome.outcome, 'unknown', JSON.stringify(outcome))
    await api.read(1)
  })
}

test('nothing is sent without a usable token or a WhatsApp account', async (t) => {
  const { api, platform } = await setUp(t)
  const broken = [() => '', () => 'two\nlines', () => Promise.reject(new Error('the store is away'))]
  for (const accessToken of broken) {
    const other = new WhatsAppPlatform({ accessToken, baseUrl: api.origin })
    assert.equal((await other.send(accountOf(api), message(), never)).outcome, 'retry')
    await assert.rejects(other.fetchMedia(accountOf(api), '1', { maxBytes: 1 }, never), /no usable access token/)
  }
  const elsewhere = { ...accountOf(api), account_id: '1/../2' }
  assert.equal((await platform.send(elsewhere, message(), never)).outcome, 'refused')
  assert.equal(await platform.fetchMedia(elsewhere, '1', { maxBytes: 1 }, never), null)
  assert.equal(api.requests, 0)
})

test('no outcome and no error contains the token, even if the platform quotes it', async (t) => {
  const { api, platform, send } = await setUp(t)
  const quoting = { message: `Malformed access token ${api.token}`, error_data: { details: `see ${api.token}` } }
  const logged: unknown[] = []
  for (const [status, code] of [
    [401, 190],
    [400, 100],
    [400, 987],
    [429, 4],
    [500, 1],
  ] as const) {
    api.next.push(answer(status, { ...quoting, code }))
    logged.push(await send())
    api.next.push(answer(status, { ...quoting, code }))
    logged.push(await platform.fetchMedia(accountOf(api), '5', { maxBytes: 10 }, never).catch((error) => error.stack))
  }
  assert.equal(logged.length, 10)
  assert.ok(!JSON.stringify(logged).includes(api.token.slice(0, 12)), JSON.stringify(logged))
})

test('the API is called only over TLS, except on this machine', () => {
  const make = (baseUrl: string, version = 'v25.0') =>
    new WhatsAppPlatform({ accessToken: () => 'x', baseUrl, version })
  for (const address of ['http://graph.facebook.com', 'ftp://127.0.0.1', 'graph.facebook.com', '']) {
    assert.throws(() => make(address), TypeError)
  }
  assert.throws(() => make('https://graph.facebook.com', '../v1'), TypeError)
  assert.doesNotThrow(() => make('https://graph.facebook.com/'))
  assert.doesNotThrow(() => make('http://127.0.0.1:8080/stand-in/'))
})
