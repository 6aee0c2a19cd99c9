// The bounds of what is kept of other servers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TestClock } from '@clinic-data/testing/test-clock'
import { KeptCopies } from '../src/apps/kept-copies.ts'
import { OAuthError } from '../src/oauth-error.ts'

test('a flood of addresses leaves a bounded number of copies, and those in use stay', async () => {
  const clock = new TestClock()
  const loaded: string[] = []
  const copies = new KeptCopies({
    now: () => clock.now(),
    load: async (url) => {
      loaded.push(url)
      if (url.includes('broken')) throw new OAuthError('invalid_client', 'It is broken.')
      return { value: url, keptMs: 60_000 }
    },
  })
  const used = 'https://agent.example.com/app.json'
  for (let i = 0; i < 2_000; i++) {
    await copies.read(used)
    await copies.read(`https://flood${i}.example.com/${i % 2 ? 'app' : 'broken'}`).catch(() => undefined)
  }
  assert.ok(copies.size <= 500)
  assert.equal(loaded.filter((url) => url === used).length, 1)
})
