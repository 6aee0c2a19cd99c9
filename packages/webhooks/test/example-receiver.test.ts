// The receiver of a demo answers for names that nobody can have, and for no others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ExampleReceiver } from '../src/receiver/example-receiver.ts'
import { TargetClient } from '../src/receiver/target-client.ts'

const receiver = new ExampleReceiver(new TargetClient({ resolveName: async () => [] }))
const request = { headers: {}, body: '{}' }
const EXAMPLES = [
  'https://crm.example.com/hooks',
  'https://example.org',
  'https://a.b.example',
  'https://EXAMPLE.net/x',
]
const OTHERS = [
  ...[
    'https://example.com.attacker.test/',
    'https://notexample.com/',
    'https://example.dev/',
    'http://crm.example.com/',
  ],
  ...['https://crm.example.com@127.0.0.1/', 'https://127.0.0.1/', 'no address'],
]

test('a delivery to a name of examples arrives without a connection', async () => {
  for (const url of EXAMPLES) {
    assert.equal(await receiver.check(url), null, url)
    assert.equal((await receiver.post({ url, ...request })).response_status, 204, url)
  }
})

test('a path names the answer that somebody wants to see, and it fails as from any receiver', async () => {
  for (const [path, status, error] of [
    ['/status/500', 500, 'http_5xx'],
    ['/status/410', 410, 'http_4xx'],
    ['/status/302', 302, 'redirect'],
    ['/status/202', 202, null],
    ['/status/099', 204, null],
    ['/status/500/x', 204, null],
  ] as const) {
    const answer = await receiver.post({ url: `https://example.com${path}`, ...request })
    assert.deepEqual([answer.response_status, answer.error], [status, error], path)
  }
})

test('any other address is the guarded client’s', async () => {
  for (const url of OTHERS) {
    assert.notEqual(await receiver.check(url), null, url)
    assert.equal((await receiver.post({ url, ...request })).response_status, null, url)
  }
})

test('an attempt that may not start, or was aborted, does not arrive', async () => {
  const [url = ''] = EXAMPLES
  const refused = await receiver.post({ url, ...request, mayStart: () => false })
  const aborted = await receiver.post({ url, ...request, signal: AbortSignal.abort() })
  assert.deepEqual([refused.error, aborted.error], ['aborted', 'aborted'])
})
