// The guides of the reference: samples in several languages, and the addresses that people type.
import assert from 'node:assert/strict'
import { test } from 'node:test'
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

test('every sample of the two guides that are read most stands in all four languages, and /docs/quickstart leads to the first', async () => {
  const app = fastify()
  pageRoutes(app, 'https://api.clinic.example')
  try {
    for (const [slug, samples] of [
      ['quick-start', 2],
      ['webhooks', 1],
    ] as const) {
      const { body } = await app.inject(`/docs/${slug}`)
      const shown = Array.from({ length: samples }, () => ['curl', 'client', 'httpx', 'sc']).flat()
      assert.deepEqual(languagesOf(body), shown, slug)
    }
    const { statusCode, headers } = await app.inject('/docs/quickstart')
    assert.deepEqual([statusCode, headers.location], [302, '/docs/quick-start'])
  } finally {
    await app.close()
  }
})
