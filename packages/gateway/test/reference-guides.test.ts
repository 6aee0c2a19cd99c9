// The guides of the reference: samples in several languages, and the addresses that people type.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { about, guide, MOST_ABOUT } from '@clinic-data/contract/projections/guide'
import { openapi } from '@clinic-data/contract/projections/openapi'
import fastify from 'fastify'
import { blocks } from '../src/reference/markdown.ts'
import { pageRoutes } from '../src/reference/page-routes.ts'

const languagesOf = (markup: string) => [...markup.matchAll(/data-choose="(\w+)"/g)].map(([, label]) => label)

test('neighbouring fences with labels are one sample in several languages, and others stay alone', () => {
  const markup = blocks(
    [
      '```sh',
      'export A=1',
      '```',
      '',
      '```sh curl',
      'curl <a>',
      '```',
      '',
      '```ts client',
      'call()',
      '```',
      '',
      'Text.',
    ].join('\n'),
  ).toString()
  assert.deepEqual(languagesOf(markup), ['curl', 'client'])
  assert.match(markup, /<code class="language-sh">export A=1<\/code>/)
  assert.match(
    markup,
    /data-language="curl".*<code>curl &lt;a&gt;<\/code>.*data-language="client".*<code>call\(\)<\/code>/s,
  )
  assert.match(markup, /<p>Text\.<\/p>$/)
})

test('every request of the guides stands in all languages, and /docs/quickstart leads to the first', async () => {
  const app = fastify()
  pageRoutes(app, 'https://api.clinic.example')
  try {
    for (const [slug, samples] of [
      ['quick-start', 3],
      ['pagination', 1],
      ['webhooks', 1],
    ] as const) {
      const { body } = await app.inject(`/docs/${slug}`)
      const shown = Array.from({ length: samples }, () => [
        'curl',
        'client',
        'clinic_data',
        'go',
        'csharp',
        'sc',
      ]).flat()
      assert.deepEqual(languagesOf(body), shown, slug)
    }
    const { statusCode, headers } = await app.inject('/docs/quickstart')
    assert.deepEqual([statusCode, headers.location], [302, '/docs/quick-start'])
  } finally {
    await app.close()
  }
})

test('no guide shows a request in one language alone', () => {
  for (const [, head = '', text = ''] of guide('https://api.clinic.example').matchAll(/^```(.*)\n([\s\S]*?)^```$/gm))
    if (text.includes('$SC_BASE_URL/v1')) assert.match(head, /^\w+ \w+$/, text)
})

const signed = { body: '{"id":"evt5512"}', secret: 'whsec_sample' }
/** As a delivery carries it, one of other bytes, none, and texts that are none. */
const signatures = [
  `sha256=${createHmac('sha256', signed.secret).update(signed.body).digest('hex')}`,
  `sha256=${createHmac('sha256', signed.secret).update('{}').digest('hex')}`,
  null,
  '',
  'sha256=é',
]
const answers = [true, false, false, false, false]
const sampleOf = (language: string, begins: string) =>
  new RegExp(`\`\`\`${language}\\n(${begins}[\\s\\S]*?)\`\`\``).exec(guide('https://api.clinic.example'))?.[1] ??
  assert.fail(language)
const asked = JSON.stringify({ ...signed, signatures })
/** As Go and Java write it, in ASCII. */
const quoted = (text: string | null) =>
  JSON.stringify(text).replaceAll(/[^\x20-\x7e]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)

function temporary(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'clinic-data-guide-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

test('the check of a delivery that the guide prints for Node.js refuses every signature but the right one', () => {
  const program = `${sampleOf('js', 'import \\{ createHmac')}
    const { body, secret, signatures } = ${asked}
    console.log(JSON.stringify(signatures.map((one) => isAuthentic(Buffer.from(body), one, secret))))`
  const out = execFileSync(process.execPath, ['--input-type=module', '--eval', program])
  assert.deepEqual(JSON.parse(String(out)), answers)
})

const python = spawnSync('python3', ['--version']).status === 0
test('and so does the one for Python', { skip: !python && 'no Python on this machine' }, () => {
  const program = `${sampleOf('python', 'import hashlib')}
import json
asked = json.loads(${JSON.stringify(asked)})
print(json.dumps([is_authentic(asked["body"].encode(), one, asked["secret"]) for one in asked["signatures"]]))`
  assert.deepEqual(JSON.parse(String(execFileSync('python3', ['-c', program]))), answers)
})

const go = spawnSync('go', ['version']).status === 0
test('and the one for Go', { skip: !go && 'no Go on this machine' }, (t) => {
  const folder = temporary(t)
  const check = sampleOf('go', 'package hooks').replace('package hooks', 'package main')
  const calls = signatures.map(
    (one) => `isAuthentic([]byte(${quoted(signed.body)}), ${quoted(one ?? '')}, ${quoted(signed.secret)})`,
  )
  writeFileSync(join(folder, 'check.go'), check)
  writeFileSync(
    join(folder, 'main.go'),
    `package main\nfunc main() {\n${calls.map((call) => `print(${call}, " ")`).join('\n')}\n}`,
  )
  const { stderr } = spawnSync('go', ['run', 'check.go', 'main.go'], { cwd: folder, encoding: 'utf8' })
  assert.deepEqual(stderr.trim().split(' '), answers.map(String))
})

const java = spawnSync('javac', ['-version']).status === 0
test('and the one for Java', { skip: !java && 'no Java on this machine' }, (t) => {
  const file = join(temporary(t), 'Deliveries.java')
  const calls = signatures.map(
    (one) => `isAuthentic(${quoted(signed.body)}.getBytes(UTF_8), ${quoted(one)}, ${quoted(signed.secret)})`,
  )
  const main = `public static void main(String[] none) throws Exception { System.out.print(java.util.List.of(${calls.join()})); }`
  writeFileSync(file, sampleOf('java', 'import static').replace(/\}\n$/, `${main}\n}\n`))
  assert.deepEqual(String(execFileSync('java', [file])), `[${answers.join(', ')}]`)
})

test('the guide says what to repeat, how amounts stay exact, and how several signatures are told apart', () => {
  const text = guide('https://api.clinic.example')
  assert.match(text, /Retry only these: 429, 500, 502, 503, and 409 with `Retry-After`/)
  assert.match(text, /several are separated by spaces/)
  assert.match(text, /exact in a 64-bit float/)
})

test('the head of the document, which generators copy into every file, is short and leads to pages that there are', async () => {
  const [app, base] = [fastify(), 'https://api.clinic.example']
  pageRoutes(app, base)
  const text = about(base)
  assert.equal(openapi(base).info.description, text)
  assert.ok(text.length <= MOST_ABOUT, String(text.length))
  const linked = [...text.matchAll(/https:\/\/api\.clinic\.example(\/[a-z-/]+)/g)].map(([, path = '']) => path)
  assert.ok(linked.length > 4)
  for (const path of linked) assert.equal((await app.inject(path)).statusCode, 200, path)
  await app.close()
})

test('one click adds the server to VS Code and to Cursor, without a key', async () => {
  const app = fastify()
  pageRoutes(app, 'https://api.clinic.example')
  try {
    const { body } = await app.inject('/docs/connect-an-agent')
    const [, vscode = ''] = /href="vscode:mcp\/install\?([^"]+)"/.exec(body) ?? []
    const url = 'https://api.clinic.example/mcp'
    assert.deepEqual(JSON.parse(decodeURIComponent(vscode)), { name: 'clinic', type: 'http', url })
    const [, cursor = ''] = /href="(cursor:[^"]+)"/.exec(body) ?? []
    const { host, pathname, searchParams } = new URL(cursor.replaceAll('&amp;', '&'))
    assert.deepEqual(
      [host, pathname, searchParams.get('name')],
      ['anysphere.cursor-deeplink', '/mcp/install', 'clinic'],
    )
    assert.deepEqual(JSON.parse(atob(searchParams.get('config') ?? '')), { url })
  } finally {
    await app.close()
  }
})
