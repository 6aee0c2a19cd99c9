// The OpenAPI document of the ingest API: it lists every operation, and its schemas match examples and answers.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { askIngest, openIngest, tokenOf } from '@clinic-data/testing/grounds/ingest'
import { testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { ingestPage } from '../scripts/write-ingest-page.ts'
import { ingestOperations, recordsOperations } from '../src/ingest/operations.ts'
import { exampleFor, prepare } from './ingest-examples.ts'

const database = await testDatabase()
const { owner } = database
const ingest = await openIngest(database)
const document = JSON.parse((await ingest.inject('/ingest/openapi.json')).payload)

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
ajv.addSchema(document, 'document')
const checks = new Map<string, ReturnType<typeof ajv.compile>>()

/** The findings of the document's schema at a place about a value. Empty when it matches. */
function faults(place: readonly string[], value: unknown): string {
  const pointer = place.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
  const check = checks.get(pointer) ?? ajv.compile({ $ref: `document#/${pointer}` })
  checks.set(pointer, check)
  return check(value) ? '' : `${place.join(' ')}: ${ajv.errorsText(check.errors)}`
}

interface Content {
  examples: Record<string, { value: unknown }>
}

const JSON_BODY = ['content', 'application/json'] as const

function* contents(): Generator<[place: string[], content: Content]> {
  for (const [path, item] of Object.entries<Record<string, { requestBody?: object; responses: object }>>(
    document.paths,
  )) {
    for (const [method, { requestBody, responses }] of Object.entries(item)) {
      const bodies = {
        requestBody,
        ...Object.fromEntries(Object.entries(responses).map(([name, one]) => [`responses ${name}`, one])),
      }
      for (const [name, body] of Object.entries(bodies)) {
        const content = (body as { content?: Record<string, Content> } | undefined)?.content?.['application/json']
        if (content) yield [['paths', path, method, ...name.split(' '), ...JSON_BODY], content]
      }
    }
  }
}

test('the document describes every operation, under a tag that is explained', () => {
  const listed = Object.entries<
    Record<string, { operationId: string; summary: string; description: string; tags: string[] }>
  >(document.paths)
  const described = listed.flatMap(([path, item]) =>
    Object.entries(item).map(([method, one]) => ({ ...one, endpoint: `${method} ${path}` })),
  )
  const endpoints = ingestOperations.map(({ method, path }) => `${method.toLowerCase()} ${path}`)
  assert.deepEqual(described.map(({ endpoint }) => endpoint).sort(), endpoints.sort())
  assert.equal(new Set(described.map(({ operationId }) => operationId)).size, described.length)
  const tags = document.tags.map(({ name }: { name: string }) => name)
  for (const { summary, description, tags: own } of described) {
    assert.ok(summary.length > 5 && description.length > 10 && !summary.endsWith('.'), summary)
    assert.ok(
      own.every((tag) => tags.includes(tag)),
      summary,
    )
  }
})

test('docs/ingest.md names every operation', () => {
  const text = readFileSync(new URL('../../../docs/ingest.md', import.meta.url), 'utf8')
  assert.equal(text, ingestPage(), 'write it anew: npm run golden')
  const untold = ingestOperations.filter(({ path }) => !text.includes(`\`${path}\``))
  assert.deepEqual(
    untold.map(({ path }) => path),
    [],
  )
})

test('every example matches its schema, and there is one wherever JSON is taken or given', () => {
  let count = 0
  for (const [place, { examples }] of contents()) {
    const values = Object.values(examples)
    assert.ok(values.length > 0, place.join(' '))
    for (const { value } of values) {
      count += 1
      assert.equal(faults([...place, 'schema'], value), '')
    }
  }
  assert.ok(count > 3 * recordsOperations.length)
})

test('the answers to the examples match the schemas', async () => {
  for (const operation of recordsOperations) {
    const clinic = await testClinic(owner)
    const { token } = await tokenOf(owner, clinic)
    await prepare(owner, clinic, operation, (path, body) => askIngest(ingest, path, { token, body }))
    const example = exampleFor(operation, clinic)
    for (const body of [example, { records: [example] }]) {
      const { status, json } = await askIngest(ingest, operation.path, { token, body })
      assert.equal(
        faults(['paths', operation.path, 'post', 'responses', `${status}`, ...JSON_BODY, 'schema'], json),
        '',
      )
    }
  }
})

test('a problem matches the schema of problems', async () => {
  const clinic = await testClinic(owner)
  const { token } = await tokenOf(owner, clinic)
  for (const [asking, status] of [
    [{ token, body: {} }, 400],
    [{ token: null, body: {} }, 401],
    [{ token, body: {}, headers: { 'content-type': 'text/plain' } }, 415],
    [{ method: 'PUT', token, body: {} }, 405],
  ] as const) {
    const answer = await askIngest(ingest, '/patients', asking)
    assert.equal(answer.status, status)
    assert.equal(faults(['components', 'schemas', 'Problem'], answer.json), '')
  }
})
