// A pause says its reason and its end: counted down on a terminal, in one line elsewhere.
import assert from 'node:assert/strict'
import test from 'node:test'
import { reportedPause } from '@clinic-data/cli/output/reported-pause'
import { ConnectionError, RateLimitedError } from '@clinic-data/client/errors'

const limited = new RateLimitedError({ type: 'x/problems/rate-limited', title: 'Rate limited', status: 429 }, 429, null)

async function said(isTerminal: boolean, ms: number, error: Error) {
  const outcome = { text: '', waited: [] as number[] }
  const write = async (text: string) => {
    outcome.text += text
  }
  const pause = reportedPause({ isTerminal, columns: 80, write }, async (part) => {
    outcome.waited.push(part)
  })
  await pause(ms, undefined, error)
  return outcome
}

test('elsewhere than on a terminal a pause is one line, and a short one none', async () => {
  assert.deepEqual(await said(false, 59_000, limited), { text: 'rate limited; again in 59 s\n', waited: [59_000] })
  const { text } = await said(false, 4_100, new ConnectionError('the connection failed'))
  assert.equal(text, 'the connection failed; again in 5 s\n')
  assert.deepEqual(await said(true, 1_500, limited), { text: '', waited: [1_500] })
})

test('on a terminal the seconds count down in one line, which is cleared', async () => {
  const { text, waited } = await said(true, 2_500, limited)
  assert.deepEqual(waited, [1_000, 1_000, 500])
  const line = (left: number) => `\r\u001b[Krate limited; again in ${left} s`
  assert.equal(text, `${line(3)}${line(2)}${line(1)}\r\u001b[K`)
})

test('a reason that a server worded cannot steer the terminal', async () => {
  const { text } = await said(false, 4_000, new ConnectionError('away\u001b]0;x\u0007\u009b2J\nnow.'))
  assert.doesNotMatch(text.slice(0, -1), /\p{Cc}/u)
  assert.match(text, /^away.*again in 4 s\n$/)
})
