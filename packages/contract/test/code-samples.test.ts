// The samples of the reference hold whatever an example holds: no value ends a text, and each comes out as it went in.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { allOperations, type Operation, operations } from '../src/contract.ts'
import { type CodeSample, codeSamples } from '../src/projections/code-samples.ts'
import { filledPath } from '../src/routes.ts'

/** What ends or begins something in one of the languages, or may not stand in its source. */
const HOSTILE = [
  `'"'''"""\`\`\``,
  '\\ \\" \\n \\u0041 \\x41 \\',
  `$\{a} {b} $c $(d) %s %d #{e} {{f}}`,
  '\u0000\u0007\b\t\n\v\f\r\u001b\u007f\u0085\u2028\u2029\ufeff',
  'שלום é 😀 a+b&c=d?e#f/g;h%20',
  '// /* */ -- # <script> &amp;',
]

const base = operations['payments.create']
const hostile: Operation[] = HOSTILE.flatMap((text) => [
  { ...base, example: { params: { id: text }, body: { deep: { [text]: text }, list: [text, null, true, 1.5], text } } },
  { ...operations['patients.list'], example: { query: { query: text } } },
])

function sampleOf(operation: Operation, label: CodeSample['label']): string {
  return codeSamples(operation).find((one) => one.label === label)?.source ?? assert.fail(label)
}

/** The texts of a source, and what stands between them. A text that does not end is a fault. */
function textsOf(source: string, form: RegExp, decoded: (literal: string) => string) {
  const texts: string[] = []
  const rest = source.replaceAll(form, (literal) => {
    texts.push(decoded(literal))
    return ''
  })
  assert.doesNotMatch(rest, /["'`]/, source)
  assert.doesNotMatch(
    source,
    /[^\n\t -~\u00a0-\u2027\u202a-\ufefe\uff00-\uffff]/,
    'a character that a source may not hold',
  )
  return texts
}

const goTexts = (source: string) =>
  textsOf(source, /`[^`]*`|"(?:[^"\\\n]|\\.)*"/g, (one) => (one.startsWith('`') ? one.slice(1, -1) : JSON.parse(one)))

/** Of a raw text each line begins where its last one does. */
const csharpTexts = (source: string) =>
  textsOf(source, /"""\n[\s\S]*?\n {4}"""|"(?:[^"\\\n]|\\.)*"/g, (one) => {
    if (!one.startsWith('"""')) return JSON.parse(one)
    const lines = one.split('\n').slice(1, -1)
    assert.ok(lines.every((line) => line.startsWith('    ')))
    return lines.map((line) => line.slice(4)).join('\n')
  })

/** Requires what the texts of a program must be: the request of the example. */
function requireRequest({ example, path, body }: Operation, texts: readonly string[]): void {
  const at = texts.indexOf('SC_BASE_URL')
  const address = new URL(texts[at + 1] ?? '', 'http://service')
  if (!Object.hasOwn(example.params ?? {}, 'delivery_id')) {
    const wanted = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(example.params?.[name] ?? ''))
    assert.equal(address.pathname, wanted)
  }
  assert.deepEqual(Object.fromEntries(address.searchParams), example.query ?? {})
  if (body === undefined) return
  const sent = texts.find((text) => text.trimStart().startsWith('{'))
  assert.deepEqual(JSON.parse(sent ?? ''), example.body)
}

for (const [label, read] of [
  ['go', goTexts],
  ['csharp', csharpTexts],
] as const)
  test(`${label}: the texts of every sample end where they should, and are the example’s request`, () => {
    for (const operation of [...allOperations, ...hostile]) requireRequest(operation, read(sampleOf(operation, label)))
  })

test('TypeScript: a call gets the example’s values', async () => {
  const AsyncFunction = (async () => undefined).constructor as new (...parts: string[]) => (c: unknown) => Promise<void>
  for (const operation of hostile) {
    let given: unknown[] = []
    const take = (...values: unknown[]) => {
      given = values
      return []
    }
    const client = { payments: { create: take }, patients: { list: take } }
    await new AsyncFunction('client', sampleOf(operation, 'client'))(client)
    const { params, query, body } = operation.example
    assert.deepEqual(given, [...Object.values(params ?? {}), query ?? body])
  }
})

test('curl: a shell hands over the example’s address and body', () => {
  for (const operation of hostile) {
    const script = `curl() { printf '%s\\0' "$@"; }\n${sampleOf(operation, 'curl')}`
    const env = { PATH: process.env.PATH, SC_BASE_URL: 'http://service', SC_API_KEY: 'key' }
    const given = execFileSync('bash', ['-c', script], {
      encoding: 'utf8',
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    }).split('\0')
    const address = given.find((one) => one.startsWith('http://')) ?? assert.fail()
    const { params, query, body } = operation.example
    assert.equal(new URL(address).pathname, filledPath(operation, params))
    assert.deepEqual(Object.fromEntries(new URL(address).searchParams), query ?? {})
    if (body !== undefined) assert.deepEqual(JSON.parse(given[given.indexOf('-d') + 1] ?? ''), body)
  }
})

/** A client that prints what its methods are given. */
const RECORD = `
import json, sys
given = []
class Client:
    def __getattr__(self, name):
        return self
    def __call__(self, *ids, **values):
        given.append([ids, values])
        return []
for call in json.load(sys.stdin):
    exec(call, {"client": Client()})
print(json.dumps(given))
`

const noPython = spawnSync('python3', ['--version']).status === 0 ? false : 'there is no python3'

test('Python: a call gets the example’s values', { skip: noPython }, () => {
  const calls = JSON.stringify(hostile.map((operation) => sampleOf(operation, 'clinic_data')))
  const printed = execFileSync('python3', ['-c', RECORD], { encoding: 'utf8', input: calls })
  const wanted = hostile.map(({ example: { params, query, body } }) => [Object.values(params ?? {}), query ?? body])
  assert.deepEqual(JSON.parse(printed), wanted)
})
