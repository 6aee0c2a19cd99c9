// The resources: who sees which, that each is what REST answers, and that reading one is limited and recorded as a call of its tool is.
import assert from 'node:assert/strict'
import test from 'node:test'
import { allScopes, readScopes, type Scope, TOOL_RESULT_CHARACTERS } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { ask, BASE_URL, emptyClinic, keyOf, servedClinic, startParts } from '@clinic-data/testing/run/test-service'
import { generations, type Send, send2026 } from './messages.ts'

const { service, clinic } = await servedClinic()

const REST: Readonly<Record<string, string>> = {
  'clinic://catalog/branches': '/v1/catalog/branches',
  'clinic://catalog/appointment_types': '/v1/catalog/appointments/types',
  'clinic://catalog/appointment_statuses': '/v1/catalog/appointments/statuses',
  'clinic://catalog/treatments': '/v1/catalog/treatments',
  'clinic://catalog/providers': '/v1/catalog/providers',
  'clinic://catalog/billing_accounts': '/v1/catalog/billing/accounts',
  'clinic://analytics/datasets': '/v1/metrics',
}
const GUIDE = 'clinic://analytics/guide'

interface Listed {
  uri: string
  name: string
  mimeType: string
}

const listed = async (key = clinic.key, send: Send = send2026): Promise<Listed[]> =>
  (await send(service, key, 'resources/list')).json.result.resources
const read = async (uri: string, key = clinic.key, send: Send = send2026) =>
  (await send(service, key, 'resources/read', { uri })).json
const isPage = ({ uri }: { uri: string }) => uri.startsWith(`${BASE_URL}/docs/`)

for (const [generation, send] of Object.entries(generations)) {
  test(`a client of ${generation} reads the clinic's resources as REST answers them, and the guide as it is served`, async () => {
    const all = await listed(clinic.key, send)
    assert.deepEqual(
      all
        .filter((one) => !isPage(one))
        .map(({ uri }) => uri)
        .toSorted(),
      [...Object.keys(REST), GUIDE].toSorted(),
    )
    assert.ok(all.filter(isPage).length > 10)
    assert.equal(new Set(all.map(({ name }) => name)).size, all.length)
    for (const { uri, mimeType } of all) {
      const { contents } = (await read(uri, clinic.key, send)).result
      const [content] = contents
      assert.deepEqual([contents.length, content.uri, content.mimeType], [1, uri, mimeType])
      assert.ok(content.text.length > 100 && content.text.length <= TOOL_RESULT_CHARACTERS, uri)
      const path = REST[uri] ?? (isPage({ uri }) ? uri.slice(BASE_URL.length) : null)
      if (path !== null) assert.equal(content.text, (await ask(service, REST[uri] ? clinic.key : null, path)).text)
    }
  })
}

test('each set of scopes sees the resources of its scopes, and is refused the others with a row', async () => {
  const scopeOf = (uri: string): Scope | null =>
    uri.startsWith('clinic://') ? (uri.startsWith('clinic://catalog/') ? 'catalog:read' : 'analytics:read') : null
  const all = await listed()
  for (const held of [[], ['catalog:read'], ['analytics:read'], readScopes] as const) {
    const key = await keyOf(service.owner, clinic.clinic, held)
    const open = all.filter(({ uri }) => scopeOf(uri) === null || held.includes(scopeOf(uri) as never))
    assert.deepEqual(await listed(key), open)
    for (const { uri } of all) {
      const { result, error } = await read(uri, key)
      if (open.some((one) => one.uri === uri)) assert.ok(result, uri)
      else {
        assert.equal(error.code, -32602)
        assert.deepEqual([error.data.status, error.data.required_scope], [403, scopeOf(uri)])
      }
    }
  }
})

test("another clinic's key reads its own reference data alone", async () => {
  const other = await keyOf(service.owner, await emptyClinic(service.owner), allScopes)
  for (const [uri, path] of Object.entries(REST))
    assert.equal((await read(uri, other)).result.contents[0].text, (await ask(service, other, path)).text)
  assert.notEqual(
    (await read('clinic://catalog/providers', other)).result.contents[0].text,
    (await read('clinic://catalog/providers')).result.contents[0].text,
  )
})

test('reading a resource of the clinic leaves the row of its operation, also when it is refused; a page of the guide none', async () => {
  const own = await emptyClinic(service.owner)
  const rows = () =>
    service.owner.read<{ operation: string; surface: string; status: number }>(
      { clinic_id: own.clinic_id, time_zone: 'UTC' },
      sql`select operation, surface, status from audit where clinic_id = ${own.clinic_id} order by id`,
    )
  const key = await keyOf(service.owner, own, ['catalog:read'])
  await listed(key)
  for (const uri of ['clinic://catalog/treatments', 'clinic://analytics/guide', 'clinic://analytics/datasets'])
    await read(uri, key)
  await read(`${BASE_URL}/docs/webhooks.md`, key)
  await read('clinic://catalog/none', key)
  assert.deepEqual(await rows(), [
    { operation: 'catalog.treatments.list', surface: 'mcp', status: 200 },
    { operation: 'metrics.describe', surface: 'mcp', status: 403 },
    { operation: 'metrics.describe', surface: 'mcp', status: 403 },
  ])
})

test('an address that is no resource is not found, whatever it names', async () => {
  const wrong = [
    'clinic://catalog/patients',
    'clinic://catalog/branches/',
    'CLINIC://catalog/branches',
    'clinic://patients/p1',
    'clinic://__proto__',
    'file:///etc/passwd',
    'http://169.254.169.254/latest/meta-data',
    `${BASE_URL}/v1/me`,
    `${BASE_URL}/docs/webhooks`,
    `${BASE_URL}/docs/../v1/patients`,
    'https://evil.example/docs/webhooks.md',
    '',
    'x'.repeat(50_000),
  ]
  for (const uri of wrong) {
    const { result, error } = await read(uri, clinic.key, generations[2025])
    assert.equal(result, undefined, uri)
    assert.equal(error.code, -32602)
    assert.ok(JSON.stringify(error).length < 3000)
  }
  const before = service.logLines.join('\n')
  assert.doesNotMatch(before, /evil\.example|x{50}/)
})

test('the lists are one page each, and there are no templates', async () => {
  for (const list of ['prompts/list', 'resources/list', 'resources/templates/list']) {
    const { json } = await send2026(service, clinic.key, list)
    assert.equal(json.result.cacheScope, 'private')
    assert.ok(json.result.ttlMs > 0)
    assert.equal((await send2026(service, clinic.key, list, { cursor: 'x' })).json.error.code, -32602)
    if (list === 'resources/templates/list') assert.deepEqual(json.result.resourceTemplates, [])
  }
})

test('prompts and resources count in the rate limit of their key', async () => {
  const limited = await startParts({ rate: { requests: 2, seconds: 60 } })
  try {
    const key = await keyOf(limited.owner, await emptyClinic(limited.owner), ['catalog:read', 'appointments:read'])
    assert.equal((await send2026(limited, key, 'resources/read', { uri: 'clinic://catalog/branches' })).status, 200)
    assert.equal((await send2026(limited, key, 'prompts/get', { name: 'recall_list' })).status, 200)
    assert.equal((await send2026(limited, key, 'resources/list')).status, 429)
    assert.equal((await ask(limited, key, '/v1/me')).status, 429)
  } finally {
    await limited.close()
  }
})
