// Tests what the console's page decides by itself: times by the clinic's clock, ranges of days, the state of keys, questions as addresses
// and queries, the texts that leave the page, and what a refusal means.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ConsoleKey } from '@clinic-data/console-parts/api'
import { addressOf } from '@clinic-data/console-parts/requests/ask'
import { mayPass, RefusedError, refusalOf, UnreachableError } from '@clinic-data/console-parts/requests/refusal'
import { failures } from '@clinic-data/console-words/en/webhook-failures'
import { curlLine, mcpLine, scLine, shellWord } from '@clinic-data/contract/projections/question-lines'
import { presetOf, scopesOf } from '@clinic-data/contract/usual-scopes'
import { failureWords } from '../src/deliveries/failure-words.ts'
import { csvOf } from '../src/explore/csv.ts'
import { namedRange, nameOfRange, nextPeriod } from '../src/explore/days.ts'
import { bodyOf, type Question, questionOf, searchOf } from '../src/explore/question.ts'
import { statesOf } from '../src/keys/key-state.ts'
import { clinicInstant } from '../src/webhooks/clinic-instant.ts'

test('a time that is typed is the clinic’s, also in the hours around a change of its clock', () => {
  const zone = 'Europe/London'
  assert.equal(clinicInstant('2026-07-12T09:30', zone), '2026-07-12T08:30:00.000Z')
  assert.equal(clinicInstant('2026-01-12T09:30', zone), '2026-01-12T09:30:00.000Z')
  assert.equal(clinicInstant('2026-03-29T02:30', zone), '2026-03-29T01:30:00.000Z')
  assert.equal(clinicInstant('2026-03-29T00:30', zone), '2026-03-29T00:30:00.000Z')
  assert.equal(clinicInstant('2026-03-27T09:30', 'Asia/Jerusalem'), '2026-03-27T06:30:00.000Z')
  assert.equal(clinicInstant('2026-03-27T01:30', 'Asia/Jerusalem'), '2026-03-26T23:30:00.000Z')
})

test('each named range has its days, the last one today, and is found again by them', () => {
  const now = '2026-03-05'
  assert.deepEqual(namedRange('week', now), { from: '2026-02-27', to: now })
  assert.deepEqual(namedRange('month', now), { from: '2026-02-04', to: now })
  assert.deepEqual(namedRange('last_month', now), { from: '2026-02-01', to: '2026-02-28' })
  assert.deepEqual(namedRange('last_month', '2026-01-31'), { from: '2025-12-01', to: '2025-12-31' })
  assert.deepEqual(namedRange('year', now), { from: '2025-04-01', to: now })
  assert.deepEqual(namedRange('this_year', now), { from: '2026-01-01', to: now })
  assert.equal(nameOfRange({ from: '2026-03-01', to: now }, now), 'this_month')
  assert.equal(nameOfRange({ from: '2026-03-02', to: now }, now), null)
})

test('a period is followed by the next one of its length', () => {
  const next = (['day', 'week', 'month', 'quarter', 'year'] as const).map((grain) => nextPeriod('2026-10-01', grain))
  assert.deepEqual(next, ['2026-10-02', '2026-10-08', '2026-11-01', '2027-01-01', '2027-10-01'])
})

test('no text in the CSV is a formula, and numbers stay numbers', () => {
  const texts = ['=1+1', '+1', '-1', '@x', '\t=1', ' =1', '＝1', '\r=1', '"=1"', 'a"b', 'a,b', 'a\nb', 'plain']
  const csv = csvOf(['name', 'figure'], [...texts.map((text) => [text, -1.5]), [null, 0], [true, 1]])
  const cells = [
    ...[`'=1+1`, `'+1`, `'-1`, `'@x`, `"'\t'=1"`, `' =1`, `'＝1`, `"'\r'=1"`],
    ...[`"""=1"""`, `"a""b"`, `"a,b"`, `"a\nb"`, 'plain'],
  ]
  const lines = ['name,figure', ...cells.map((cell) => `${cell},-1.5`), ',0', 'true,1']
  assert.equal(csv, `\uFEFF${lines.join('\r\n')}\r\n`)
})

test('no part of a text in the CSV becomes a formula in a spreadsheet that takes lines apart at ; or tabs', () => {
  const texts = ['a;=1+1;b', 'a; "@x"', 'a\t+1', 'a\n\n=1', '\r-1', 'a;b', 'a, -5 = b']
  const [, ...lines] = csvOf(
    ['id', 'name'],
    texts.map((text) => [1, text]),
  ).split(/\r\n(?=1,|$)/)
  for (const line of lines)
    for (const separator of [';', '\t'])
      for (const cell of line.split(/[\r\n]/).flatMap((row) => row.split(separator)))
        assert.doesNotMatch(cell, /^[\s"]*[=+\-@]/, JSON.stringify(line))
  assert.deepEqual(lines.slice(-3), ['1,"a;b"', '1,"a, -5 = b"', ''])
})

test('a text in a line for a shell is one word, and runs nothing', () => {
  assert.deepEqual(['leads', '$(x)', "'; x; '", '', '*', '~'].map(shellWord), [
    ...['leads', "'$(x)'", `''\\''; x; '\\'''`, "''", "'*'", "'~'"],
  ])
})

test('a line of sc uses its short forms only where they say the same', () => {
  const question = (value: string | readonly string[]) => ({
    dataset: 'leads' as const,
    measures: ['lead_count'],
    filters: [{ field: 'utm_source', op: 'in' as const, value: [value].flat() }],
  })
  const at = 'https://a.example'
  assert.equal(scLine(question(['x', 'y']), at), `SC_BASE_URL=${at} sc query leads -m lead_count -f utm_source:in:x,y`)
  for (const marked of ['x,y', '1..2', 'true', ' x'])
    assert.match(scLine(question(['x', marked]), at), /^SC_BASE_URL=\S+ sc api POST \/v1\/query -d '/, marked)
  assert.ok(curlLine(question("o'x"), at).includes(`o'\\''x`))
})

test('a line for a shell holds no character that steers the terminal or turns its text', () => {
  for (const code of [0x1b, 0x7f, 0x9b, 0x202e, 0x2066, 0x2028, 0xe0041]) {
    const value = `a${String.fromCodePoint(code)}b`
    const body = {
      dataset: 'leads' as const,
      measures: ['lead_count'],
      filters: [{ field: 'utm_source', op: 'eq' as const, value }],
    }
    for (const line of [scLine, curlLine, mcpLine].map((lineOf) => lineOf(body, 'https://a.example'))) {
      assert.doesNotMatch(line, /[\p{Cc}\p{Cf}\u2028\u2029]/u, line)
      assert.ok(JSON.stringify(JSON.parse(/'(\{.*\})'$/.exec(line)?.[1] ?? '')).includes(JSON.stringify(value)), line)
    }
  }
})

test('an address holds its question whole, also with values that hold its marks', () => {
  const question: Question = {
    dataset: 'leads',
    measures: ['lead_count'],
    from: '2026-03-01',
    to: '',
    by: [
      { field: 'created_date', grain: 'week' },
      { field: 'source', grain: null },
    ],
    where: [{ field: 'utm_source', op: 'not_in', values: ['a,b', 'c;d:e', '50%'] }],
    order: { by: 'lead_count', dir: 'desc' as const },
    limit: 25,
  }
  assert.deepEqual(questionOf(searchOf(question)), question)
  assert.deepEqual(questionOf({ ...searchOf(question), where: 'a:drop:x;b:eq:%zz;c:eq:1' })?.where, [
    { field: 'c', op: 'eq', values: ['1'] },
  ])
})

test('a question asks for its days and its whole conditions', () => {
  const question: Question = {
    dataset: 'leads',
    measures: ['lead_count'],
    by: [],
    order: null,
    limit: 100,
    from: '2026-03-01',
    to: '2026-03-05',
    where: [
      { field: 'source', op: 'eq', values: [] },
      { field: 'is_new', op: 'eq', values: ['true'] },
      { field: 'source', op: 'in', values: ['bot'] },
    ],
  }
  const whole = [
    { field: 'is_new', op: 'eq', value: true },
    { field: 'source', op: 'in', value: ['bot'] },
  ]
  const between = { field: 'created_date', op: 'between', value: ['2026-03-01', '2026-03-05'] }
  assert.deepEqual(bodyOf(question, 'created_date').filters, [between, ...whole])
  const since = { field: 'created_date', op: 'gte', value: '2026-03-01' }
  assert.deepEqual(bodyOf({ ...question, to: '' }, 'created_date').filters, [since, ...whole])
  const until = { field: 'created_date', op: 'lte', value: '2026-03-05' }
  assert.deepEqual(bodyOf({ ...question, from: '' }, 'created_date').filters, [until, ...whole])
})

test('a key that has a newer one beside it is being replaced, and one that ended or is stopped says so', () => {
  const now = Date.parse('2026-07-12T06:30:00Z')
  const key = (id: string, ended: object = {}) =>
    ({ id, name: 'bi', revoked_at: null, expires_at: null, stopped_at: null, ...ended }) as unknown as ConsoleKey
  const at = new Date(now).toISOString()
  const listed = [
    ...[key('revoked', { revoked_at: at }), key('expired', { expires_at: at }), key('newest'), key('before')],
    ...[key('other', { name: 'crm' }), key('both', { revoked_at: at, expires_at: at })],
    ...[key('stopped', { name: 'agency', stopped_at: at }), key('ended', { stopped_at: at, revoked_at: at })],
  ]
  assert.deepEqual(
    statesOf(listed, now).map(({ state }) => state),
    ['revoked', 'expired', 'active', 'replaced', 'active', 'revoked', 'stopped', 'revoked'],
  )
})

test('an agent’s key neither reads conversations nor writes, and a preset is found by exactly its permissions', () => {
  const agent = scopesOf('agent') ?? []
  assert.ok(agent.length > 0 && agent.every((scope) => scope.endsWith(':read')))
  assert.ok(!agent.includes('chat:read') && !agent.includes('calls:read'))
  assert.equal(presetOf(agent), 'agent')
  assert.equal(presetOf(agent.slice(1)), 'own')
  assert.equal(presetOf([...agent, 'leads:write']), 'own')
})

test('a value in a path stays within its part of the path, and an empty one of the query is left out', () => {
  const address = addressOf('/v1/patients/{id}', { id: '../x?y#z' }, { limit: 5, cursor: null, name: '', q: 'a&b' })
  assert.equal(address, '/v1/patients/..%2Fx%3Fy%23z?limit=5&q=a%26b')
})

test('a request is repeated after a lost connection or a fault of the service, and not after a refusal', async () => {
  const refused = (status: number, headers = {}, body: object = {}) =>
    refusalOf(Response.json(body, { status, headers: { 'retry-after': '7', ...headers } }))
  assert.equal(mayPass(new UnreachableError('no answer')), true)
  assert.deepEqual(
    (await Promise.all([400, 401, 403, 404, 409, 429, 500, 503].map((status) => refused(status)))).map(mayPass),
    [false, false, false, false, false, false, true, true],
  )
  const refusal = await refused(
    400,
    { 'x-request-id': 'r1' },
    { errors: [{ pointer: '#/filters/0/value', detail: 'd', code: 'c' }] },
  )
  assert.ok(refusal instanceof RefusedError)
  assert.deepEqual(
    [refusal.faults, refusal.placedFaults],
    [{ filters: 'd' }, [{ place: '/filters/0/value', code: 'c' }]],
  )
  assert.deepEqual([refusal.retryAfterSeconds, refusal.requestId], [7, 'r1'])
  assert.equal((await refusalOf(new Response('<html>', { status: 502 }))).status, 502)
})

test('a failure is told by its status only when the answer was the failure', () => {
  const wordsOf = (error: string, response_status: number | null) => failureWords(failures, { error, response_status })
  assert.equal(wordsOf('http_4xx', 401), failures.statuses[401])
  assert.equal(wordsOf('http_4xx', 499), failures.errors.http_4xx)
  assert.equal(wordsOf('timeout', 401), failures.errors.timeout)
  assert.equal(wordsOf('subscription_disabled', 401), failures.errors.subscription_disabled)
  assert.equal(wordsOf('later_kind', null), failures.other)
})
