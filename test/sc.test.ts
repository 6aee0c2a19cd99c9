// `sc` from its user's view: requests, output, exit codes, and the handling of the key.
import assert from 'node:assert/strict'
import test from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { gzipSync } from 'node:zlib'
import { makeKey } from '@clinic-data/contract/key'
import { Call } from '@clinic-data/contract/resources/call'
import { exampleOf } from '@clinic-data/contract/schema'
import { insertPatient } from '@clinic-data/testing/grounds/rows'
import { emptyClinic, keyOf } from '@clinic-data/testing/run/test-service'
import { sc } from './sc.ts'
import { clinic, fake, json, problem, service, variables } from './sc-service.ts'

test('every fault of a call is reported at once, before anything is sent', async () => {
  const unreachable = { ...variables, SC_BASE_URL: 'http://127.0.0.1:1' }
  const words = [
    'leads',
    'create',
    '--source',
    'moon',
    '--phone',
    '1',
    '--phone',
    '2',
    '--meta',
    '[1]',
    '--attribution',
    '{',
  ]
  const { code, out, errors } = await sc(words, { variables: unreachable })
  assert.deepEqual([code, out], [2, ''])
  for (const fault of [
    /--first-name is required/,
    /--source must be one of social/,
    /--phone may be given once/,
    /--meta/,
    /--attribution/,
  ])
    assert.match(errors, fault)
  assert.match(errors, /hint: sc leads create --help/)
  for (const [typed, line] of [
    [['patients', 'get'], 'sc patients get --help'],
    [['--format', 'json', 'query', 'run', 'treatments', '-z', 'provider'], 'sc query --help'],
    [['patients', '-x'], 'sc patients --help'],
    [['-x'], 'sc --help'],
  ] as const) {
    const { errors: refusal } = await sc(typed, { variables: unreachable })
    assert.match(refusal, new RegExp(`hint"?: ?"?${line}`), typed.join(' '))
  }
  for (const wrong of [
    ['patients', 'lsit'],
    ['patients', 'list', '--phnoe', '1'],
    ['patients', 'get'],
    ['patients', 'get', 'p1', 'p2'],
    ['patients', 'get', '..'],
    ['patients', 'get', ''],
    ['patients', 'list', '--limit', '1e1'],
    ['patients', 'list', '--max', '5'],
    ['patients', 'list', '--all', '--max', '0'],
    ['patients', 'list', '--format', 'xml'],
    ['calls', 'list', '--has-recording', 'yes'],
    ['payments', 'create', 'p1', '--amount', '12,5', '--method-type', 'cash'],
    ['availability'],
    ['patients'],
  ]) {
    const outcome = await sc(wrong, { variables: unreachable })
    assert.deepEqual([outcome.code, outcome.out], [2, ''], wrong.join(' '))
    assert.ok(outcome.errors.length > 0)
  }
})

test('help and version are data, and need neither key nor service', async () => {
  for (const words of [[], ['--help'], ['patients', 'list', '--help'], ['listen', '--help'], ['--version']]) {
    const { code, out, errors } = await sc(words)
    assert.deepEqual([code, errors], [0, ''], words.join(' '))
    assert.ok(out.length > 0)
  }
  const { out } = await sc(['payments', 'create', '--help'])
  for (const part of [
    '<patient_id>',
    '--amount <amount>',
    'required',
    'credit_card',
    'scope payments:write',
    'Examples:\n  sc payments create',
  ])
    assert.ok(out.includes(part), part)
})

test('each kind of refusal has its exit code, a person reads error and hint, a program the problem', async () => {
  const poor = { ...variables, SC_API_KEY: await keyOf(service.owner, clinic.clinic, ['calls:read']) }
  const table: [code: number, words: string[], variables: Record<string, string>, errors: RegExp][] = [
    [2, ['patients', 'list', '--limit', '101'], variables, /^error: --limit: .*\nrequest_id: req_\w+\n$/],
    [2, ['patients', 'list', '--phone', ''], variables, /^error: --phone: /],
    [2, ['webhooks', 'create', '--url', 'http://x.example'], variables, /^error: --url: must be an https address/],
    [
      2,
      ['leads', 'create', '--first-name', 'D', '--source', 'bot'],
      variables,
      /^error: must have at least one of phone, email\nrequest_id: req_\w+\n$/,
    ],
    [
      2,
      ['query', 'treatments', '-m', 'net_revenue', '-b', 'weather'],
      variables,
      /^error: --by weather: must be one of: .*\nerror: --filter: /,
    ],
    [
      2,
      ['query', 'treatments', '-m', 'net_revenue', '-f', 'effective_date:between:2026-01-01..2026-11-31'],
      variables,
      /^error: --filter effective_date:between:2026-01-01\.\.2026-11-31: must be a date that exists/,
    ],
    [3, ['patients', 'get', 'no-such'], variables, /^error: No patient has the id no-such/],
    [4, ['whoami'], { ...variables, SC_API_KEY: makeKey() }, /^error: .*\nhint: sc login/],
    [4, ['patients', 'list'], poor, /\nhint: .*patients:read/],
    [4, ['whoami'], {}, /^error: there is no key\nhint: /],
    [4, ['whoami'], { ...variables, SC_API_KEY: 'sk_live_x' }, /^error: SC_API_KEY is not a key\nhint: /],
    [
      2,
      ['whoami'],
      { ...variables, SC_BASE_URL: `${variables.SC_BASE_URL}/v1/` },
      /^error: SC_BASE_URL: leave out \/v1, which sc adds\n$/,
    ],
    [2, ['whoami'], { SC_API_KEY: clinic.key }, /^error: there is no base address\nhint: set SC_BASE_URL/],
    [
      6,
      ['whoami', '--no-retry'],
      { ...variables, SC_BASE_URL: 'http://127.0.0.1:1' },
      /^error: .*http:\/\/127\.0\.0\.1:1 \(ECONNREFUSED\)\nhint: /,
    ],
    [
      1,
      ['payments', 'create', 'p1001', '--amount', '1', '--method-type', 'cash', '--currency', 'USD'],
      variables,
      /^error: /,
    ],
  ]
  for (const [code, words, environment, errors] of table) {
    const outcome = await sc(words, { variables: environment })
    assert.deepEqual([outcome.code, outcome.out], [code, ''], outcome.errors)
    assert.match(outcome.errors, errors)
    const [pretty, line] = [
      await sc([...words, '--format', 'json'], { variables: environment }),
      await sc([...words, '--format=agents'], { variables: environment }),
    ]
    assert.deepEqual([pretty.code, line.code, pretty.out, line.out], [code, code, '', ''])
    const parsed = JSON.parse(line.errors)
    assert.match(line.errors, /^[^\n]+\n$/)
    assert.ok(parsed.title)
    assert.match(parsed.code, /^[a-z]+(-[a-z]+)*$/)
    assert.equal(pretty.errors.split('\n')[0], '{')
    assert.ok(![outcome, pretty, line].some((one) => one.errors.includes(environment.SC_API_KEY ?? 'sk_live_')))
  }
})

test('a temporary failure is retried at most three times, a permanent one never, and with --no-retry none', async () => {
  for (const [status, code, times] of [
    [503, 1, 4],
    [404, 3, 1],
  ] as const) {
    let requests = 0
    const environment = await fake((_, response) => {
      requests++
      json(response, status, problem('x', status), { 'retry-after': '0' })
    })
    const outcome = await sc(['whoami'], { variables: environment })
    assert.deepEqual([outcome.code, requests], [code, times])
    requests = 0
    await sc(['whoami', '--no-retry'], { variables: environment })
    assert.equal(requests, 1)
  }
})

test('a wait of more than a minute is reported instead', async () => {
  const environment = await fake((_, response) =>
    json(response, 429, problem('rate-limited', 429), { 'retry-after': '61' }),
  )
  assert.equal((await sc(['whoami'], { variables: environment })).code, 5)
})

test('a payment is sent with its own key, the same on every attempt', async () => {
  const keys: unknown[] = []
  const environment = await fake((request, response) => {
    keys.push(request.headers['idempotency-key'])
    if (keys.length === 1) json(response, 503, problem('service-unavailable', 503), { 'retry-after': '0' })
    else json(response, 201, { data: { id: 'pay1' } })
  })
  const words = ['payments', 'create', 'p1', '--amount', '350', '--method-type', 'cash']
  assert.equal((await sc(words, { variables: environment })).code, 0)
  assert.ok(keys[0])
  assert.equal(keys[0], keys[1])
  await sc([...words, '--idempotency-key', 'mine'], { variables: environment })
  assert.equal(keys[2], 'mine')
})

test('an answer that breaks off is a network failure, and a compressed one is read', async () => {
  const broken = await fake((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' }).write('{"data":')
    response.destroy()
  })
  assert.equal((await sc(['whoami', '--no-retry'], { variables: broken })).code, 6)
  const body = gzipSync(JSON.stringify({ data: { clinic_id: 'דנה', scopes: [] } }))
  const zipped = await fake((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(body),
  )
  assert.match((await sc(['whoami'], { variables: zipped })).out, /clinic_id {2}דנה/)
  const torn = await fake((_, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      .end(body.subarray(0, 20)),
  )
  assert.equal((await sc(['whoami', '--no-retry'], { variables: torn })).code, 6)
})

test('sc says when there are more pages, --all reads them, and --max stops after that many rows', async () => {
  const first = await sc(['patients', 'list', '--limit', '7'], { variables })
  assert.equal(first.out.trimEnd().split('\n').length, 8)
  const cursor = /--cursor (\S+)\n$/.exec(first.errors)?.[1] ?? ''
  const second = await sc(['patients', 'list', '--limit', '7', '--cursor', cursor, '--format', 'json'], { variables })
  const everything = JSON.parse(
    (await sc(['patients', 'list', '--all', '--limit', '7', '--format', 'json'], { variables })).out,
  )
  assert.deepEqual([everything.data.length, everything.next_cursor], [20, null])
  assert.deepEqual(JSON.parse(second.out).data, everything.data.slice(7, 14))
  const some = JSON.parse(
    (await sc(['patients', 'list', '--all', '--max', '17', '--limit', '7', '--format', 'json'], { variables })).out,
  )
  assert.deepEqual(some.data, everything.data.slice(0, 17))
  const rest = await sc(['patients', 'list', '--all', '--cursor', some.next_cursor, '--format', 'json'], { variables })
  assert.deepEqual(JSON.parse(rest.out).data, everything.data.slice(17))
  const table = await sc(['patients', 'list', '--all', '--limit', '7'], { variables })
  assert.deepEqual([table.out.trimEnd().split('\n').length, table.errors], [21, ''])
})

test('--wide shows every column on a narrow terminal, ids included, and a pipe shows them without it', async () => {
  const words = ['appointments', 'list', '--limit', '2']
  const [narrow, wide, pipe] = await Promise.all([
    sc(words, { variables, columns: 60 }),
    sc([...words, '--wide'], { variables, columns: 60 }),
    sc(words, { variables }),
  ])
  const bare = (text: string) => stripVTControlCharacters(text)
  assert.doesNotMatch(narrow.out, /patient\.id/)
  assert.ok(
    bare(narrow.out)
      .split('\n')
      .every((line) => line.length <= 60),
  )
  assert.match(wide.out, /patient\.id .*branch\.id .*providers\.id .*updated_at/)
  assert.equal(bare(wide.out), pipe.out)
})

test('sc says on standard error which filter names an id that does not exist', async () => {
  for (const words of [
    ['appointments', 'list'],
    ['appointments', 'list', '--all'],
  ]) {
    const { code, errors } = await sc([...words, '--branch', 'nowhere'], { variables })
    assert.deepEqual(
      [code, errors],
      [0, 'warning: --branch: is the id of no branch of this clinic: the catalog lists the ids\nno rows\n'],
    )
  }
})

test('a call is shown with its transcript', async () => {
  const environment = await fake((_, response) => json(response, 200, { data: exampleOf(Call) }))
  const { code, out } = await sc(['calls', 'get', 'c7710'], { variables: environment })
  assert.equal(code, 0)
  assert.match(out, /^patients\.id +p1042$/m)
  assert.match(out, /\n\ntranscript\n *0:00 {2}agent +Carmel Dental, good morning\.\n$/)
})

test('Hebrew with niqqud, emoji and escape sequences in the data are whole in JSON and harmless in a table', async () => {
  const owner = await emptyClinic(service.owner)
  const names = ['דָּנָה', '👩‍⚕️ Levi', '\u001b[2J\u001b]0;owned\u0007', 'a\u202eb\u009b31m', '山田']
  for (const [i, last_name] of names.entries()) {
    await insertPatient(service.owner, owner, { id: `p${i}`, first_name: 'X', last_name }, [])
  }
  const environment = { ...variables, SC_API_KEY: await keyOf(service.owner, owner, ['patients:read']) }
  const whole = await sc(['patients', 'list', '--format', 'json'], { variables: environment })
  const stored = JSON.parse(whole.out).data.map((row: { last_name: string }) => row.last_name)
  assert.equal(stored.length, names.length)
  for (const text of [whole.out, (await sc(['patients', 'list'], { variables: environment })).out]) {
    assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\u202e]/u)
  }
  assert.ok(stored.includes('דָּנָה') && stored.includes('👩‍⚕️ Levi'))
})

test('only terminals get colours, unless the user wants none', async () => {
  const colours = async (options: Parameters<typeof sc>[1]) => {
    const { out, errors } = await sc(['patients', 'list', '--limit', '1'], options)
    return `${out}${errors}${(await sc(['patients', 'get', 'no-such'], options)).errors}`.includes('\u001b[')
  }
  assert.equal(await colours({ variables, columns: 80 }), true)
  assert.equal(await colours({ variables: { ...variables, NO_COLOR: '1' }, columns: 80 }), false)
  assert.equal(await colours({ variables }), false)
})

test('an interruption ends a command with 130', async () => {
  const interruption = new AbortController()
  const environment = await fake(() => interruption.abort(new Error('interrupted')))
  const { code, out, errors } = await sc(['whoami'], { variables: environment, signal: interruption.signal })
  assert.deepEqual([code, out, errors], [130, '', ''])
  const again = new AbortController()
  const other = await fake(() => again.abort(new Error('interrupted')))
  const seen = await sc(['whoami'], { variables: other, signal: again.signal, columns: 80 })
  assert.deepEqual([seen.code, seen.errors], [130, '\n'], "the terminal's ^C has the line for itself")
})

test('there are completion scripts for three shells', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) assert.match((await sc(['completion', shell])).out, /sc __complete/)
  assert.equal((await sc(['completion', 'tcsh'])).code, 2)
  assert.equal((await sc(['__complete', 'patients', 'l'])).out, 'list\n')
})
