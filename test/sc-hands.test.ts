// `sc` as people use it: columns for eyes, fields for programs, any request by its path.
import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { keyOf } from '@clinic-data/testing/run/test-service'
import { newFolder, type ScOptions, sc } from './sc.ts'
import { clinic, fake, json, problem, service, variables } from './sc-service.ts'

const lines = (text: string) => stripVTControlCharacters(text).trimEnd().split('\n')
const appointments = ['appointments', 'list', '--limit', '2']

test('on a terminal the first columns are what a person looks for, and --columns chooses others', async () => {
  const { out } = await sc(appointments, { variables, columns: 80 })
  assert.match(lines(out)[0] ?? '', /^start +patient +status +type /)
  assert.match(lines(out)[1] ?? '', /^\d{4}-\d\d-\d\d \d\d:\d\d +\p{L}/u)
  for (const columns of [undefined, 80]) {
    const chosen = await sc([...appointments, '--columns', 'id,patient,status.name'], {
      variables,
      ...(columns && { columns }),
    })
    assert.match(lines(chosen.out)[0] ?? '', /^id +patient +status.name$/)
    assert.ok(!chosen.out.includes('{'))
  }
})

test('an unknown column or field is refused before anything is sent', async () => {
  const unreachable = { ...variables, SC_BASE_URL: 'http://127.0.0.1:1' }
  for (const flag of ['--columns', '--fields']) {
    const { code, errors } = await sc([...appointments, flag, 'id,weather'], { variables: unreachable })
    assert.equal(code, 2)
    assert.match(errors, /there is no weather\nhint: the fields are id, /)
  }
})

test('a field that only the detailed form has is refused in the concise one, and not left out in silence', async () => {
  const unreachable = { ...variables, SC_BASE_URL: 'http://127.0.0.1:1' }
  for (const [flag, field] of [
    ['--columns', 'first_name,balance.amount'],
    ['--fields', 'id,balance'],
  ] as const) {
    const list = ['patients', 'list', '--limit', '1', flag, field]
    const { code, errors } = await sc(list, { variables: unreachable })
    assert.equal(code, 2)
    assert.match(errors, /only the detailed form has balance\S*\nhint: add --response-format detailed\n/)
    const detailed = await sc([...list, '--response-format', 'detailed'], { variables })
    assert.equal(detailed.code, 0, detailed.errors)
    assert.match(detailed.out, /balance/)
  }
  const concise = await sc(['patients', 'list', '--limit', '1', '--columns', 'status'], { variables })
  assert.equal(concise.code, 0, concise.errors)
})

test('an empty list says so on standard error', async () => {
  for (const more of [[], ['--all']]) {
    const { code, errors } = await sc(['patients', 'list', '--query', 'nobodyhasthisname', ...more], { variables })
    assert.equal(code, 0)
    assert.match(errors, /^no rows\n/)
  }
})

test('--fields keeps these fields of each row, as JSON', async () => {
  const { out } = await sc([...appointments, '--fields', 'id,patient.id'], { variables })
  const { data, next_cursor } = JSON.parse(out)
  assert.equal(typeof next_cursor, 'string')
  assert.equal(data.length, 2)
  for (const row of data) assert.deepEqual([Object.keys(row), Object.keys(row.patient)], [['id', 'patient'], ['id']])
  const all = await sc(['patients', 'list', '--all', '--fields', 'id', '--format', 'agents'], { variables })
  assert.deepEqual(Object.keys(JSON.parse(all.out).data[0]), ['id'])
  assert.equal((await sc([...appointments, '--fields', 'id', '--format', 'table'], { variables })).code, 2)
})

test('sc api sends any request with the key, and a POST with an Idempotency-Key', async () => {
  for (const words of [['GET', '/v1/patients?limit=2'], ['/v1/patients?limit=2']]) {
    const { code, out } = await sc(['api', ...words], { variables })
    assert.deepEqual([code, JSON.parse(out).data.length], [0, 2])
  }
  assert.equal((await sc(['api', 'GET', '/v1/patients/no-such'], { variables })).code, 3)
  for (const wrong of [
    ['LOOK', '/v1/me'],
    ['GET', 'v1/me'],
    ['/v1/leads', '-d', '{'],
    ['/v1/leads', '-d', '@/no/file'],
  ])
    assert.equal((await sc(['api', ...wrong], { variables })).code, 2, wrong.join(' '))
  const seen: unknown[] = []
  const environment = await fake(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    seen.push([request.method, request.url, request.headers['idempotency-key']?.length ?? 0, body])
    json(response, 201, { data: {} })
  })
  const folder = await newFolder()
  const file = join(folder, 'lead.json')
  await writeFile(file, '{"a":1}')
  await sc(['api', 'POST', '/v1/leads', '-d', `@${file}`], { variables: environment })
  await sc(['api', 'post', '/v1/leads', '--data', '-'], { variables: environment, stdin: '{"a":1}' })
  await sc(['api', '/v1/leads', '-d', '{"a":1}', '--idempotency-key', 'mine'], { variables: environment })
  assert.deepEqual(
    seen,
    [36, 36, 4].map((length) => ['POST', '/v1/leads', length, '{"a":1}']),
  )
  await rm(folder, { recursive: true })
})

test('sc api repeats a temporary failure only where that is safe', async () => {
  for (const [words, times] of [
    [['GET', '/v1/anything'], 4],
    [['POST', '/v1/leads', '-d', '{}'], 4],
    [['POST', '/v1/anything', '-d', '{}'], 1],
    [['DELETE', '/v1/webhooks/w1'], 1],
  ] as const) {
    let requests = 0
    const environment = await fake((_, response) => {
      requests++
      json(response, 503, problem('service-unavailable', 503), { 'retry-after': '0' })
    })
    await sc(['api', ...words], { variables: environment })
    assert.equal(requests, times, words.join(' '))
  }
})

test('types of events are named in one text, by a flag that repeats, or both', async () => {
  const searches: string[] = []
  const environment = await fake((request, response) => {
    searches.push(new URL(request.url ?? '', 'http://x').searchParams.getAll('event_types').join(' '))
    json(response, 200, { data: [], meta: { next_cursor: null, resume_cursor: 'r' } })
  })
  for (const words of [
    ['--event-types', 'call.created,lead.created'],
    ['--event-types', 'call.created', '--event-types', 'lead.created'],
    ['--event-types', 'call.created', '--event-types', 'lead.created,chat.message'],
  ])
    assert.equal((await sc(['events', 'list', ...words], { variables: environment })).code, 0)
  assert.deepEqual(searches, [
    'call.created,lead.created',
    'call.created,lead.created',
    'call.created,lead.created,chat.message',
  ])
})

const unreachable = { ...variables, SC_BASE_URL: 'http://127.0.0.1:1' }

test('the habit --json is answered with --format json, and one -m for two measures with how to name both', async () => {
  const { errors } = await sc(['patients', 'list', '--json'], { variables: unreachable })
  assert.equal(errors, "error: unknown option '--json'\nhint: Did you mean --format json?\n")
  const query = await sc(['query', 'treatments', '-m', 'net_revenue,treatment_count'], { variables: unreachable })
  assert.match(query.errors, /^error: -m must be the name of one measure: -m net_revenue -m treatment_count$/m)
})

test('a guessed option is answered with the one that the command has', async () => {
  for (const [words, option, meant] of [
    ['query treatments -d branch', '-d', '-b'],
    ['--format json query treatments --group-by branch', '--group-by', '-b'],
    ['listen --event-types payment.recorded', '--event-types', '--events'],
    ['events list --events payment.recorded', '--events', '--event-types'],
  ] as const) {
    const { errors, code } = await sc(words.split(' '), { variables: unreachable })
    assert.equal(code, 2, words)
    assert.ok(errors.includes(`unknown option '${option}'`), errors)
    assert.ok(errors.includes(`Did you mean ${meant}?`), errors)
  }
  const elsewhere = await sc(['patients', 'list', '-d', 'x'], { variables: unreachable })
  assert.match(elsewhere.errors, /hint: sc patients list --help/)
})

test('rows on their way to a program are not counted on a terminal that shows its output too', async () => {
  const counting = await fake((_, response) => {
    const next_cursor = pages++ < 2 ? 'more' : null
    setTimeout(() => json(response, 200, { data: [{ id: 'p1' }], next_cursor }), 150)
  })
  let pages = 0
  const counted = async (more: ScOptions) => {
    pages = 0
    const { errors } = await sc(['patients', 'list', '--all', '--format', 'csv'], { variables: counting, ...more })
    return errors.includes('rows so far')
  }
  assert.equal(await counted({ columns: 80, output: 'pipe' }), false)
  assert.equal(await counted({ columns: 80, output: 'file' }), true)
})

test('a missing scope tells both ways to it, and that a new connection has only what it asks for', async () => {
  const poor = await keyOf(service.owner, clinic.clinic, ['patients:read'])
  const run = (...words: string[]) => sc(words, { variables: { ...variables, SC_API_KEY: poor } })
  const read = await run('appointments', 'list')
  assert.equal(read.code, 4)
  assert.match(read.errors, /hint: connect again: sc login --scopes reads \(add the other scopes that you need/)
  const write = await run('leads', 'create', '--first-name', 'Dana', '--source', 'website', '--phone', '050-123-4567')
  assert.match(write.errors, /hint: connect again: sc login --scopes reads,leads:write /)
  assert.match(
    write.errors,
    /hint: or get a key with leads:write from a clinic administrator, and store it with sc login --key\n/,
  )
})

test('sc says on standard error which values of a query’s filters are no ids', async () => {
  const words = ['query', 'appointments', '-m', 'appointment_count', '-f', 'start_date:between:2026-01-01..2026-12-31']
  const { code, errors } = await sc([...words, '-f', 'branch:in:Haifa,Nowhere'], { variables })
  assert.equal(code, 0)
  assert.match(
    errors,
    /^warning: branch \(Haifa, Nowhere\): has values that are the ids of no branch of this clinic: the catalog lists the ids\n/,
  )
})

test('a yes or no option alone means yes, and takes no other option for its value', async () => {
  const ids = async (...words: string[]) => {
    const { code, out, errors } = await sc(['calls', 'list', ...words, '--limit', '1', '--format', 'json'], {
      variables,
    })
    assert.deepEqual([code, errors], [0, ''], words.join(' '))
    return JSON.parse(out).data.map(({ id }: { id: string }) => id)
  }
  assert.deepEqual(await ids('--has-recording'), await ids('--has-recording', 'true'))
  assert.notDeepEqual(await ids('--has-recording'), await ids('--has-recording', 'false'))
})
