// When times in the future are searched for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TIMES_LOOK_MS } from '../src/engine/engine-limits.ts'
import { FutureLooks } from '../src/engine/future-looks.ts'

test('a search is due at first, once a minute, when the clock has gone back, and until one has ended well', () => {
  const looks = new FutureLooks()
  const at = (ms: number) => new Date(Date.UTC(2026, 6, 12) + ms)
  assert.equal(looks.isDue(at(0)), true)
  assert.equal(looks.isDue(at(1)), true, 'the first one failed')
  looks.looked(at(1))
  assert.equal(looks.isDue(at(TIMES_LOOK_MS)), false)
  assert.equal(looks.isDue(at(TIMES_LOOK_MS + 1)), true)
  looks.looked(at(TIMES_LOOK_MS + 1))
  assert.equal(looks.isDue(at(-1)), true)
  assert.equal(looks.isDue(at(0)), true, 'the one after the jump failed')
  looks.looked(at(0))
  assert.equal(looks.isDue(at(2)), false)
})
