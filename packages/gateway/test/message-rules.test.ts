// A header that says where a request goes or who sends it appears once, however it is spelled.
import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import test from 'node:test'
import { messageProblem } from '../src/connections/message-rules.ts'

function problemWith(rawHeaders: readonly string[], httpVersion = '1.1') {
  const message = { url: '/v1/me', httpVersion, headers: { host: 'a' }, rawHeaders }
  return messageProblem(message as unknown as IncomingMessage)
}

test('a repeated header is noticed in any mixture of spellings', () => {
  for (const name of ['Host', 'Authorization', 'Content-Type']) {
    const spellings = [name, name.toLowerCase(), name.toUpperCase(), name.replace(/.$/, (last) => last.toUpperCase())]
    for (const one of spellings) {
      assert.equal(problemWith([one, 'a', 'X-Other', 'b', 'x-other', 'c']), null)
      for (const other of spellings) {
        const [fault] = problemWith([one, 'a', 'X-Other', 'b', other, 'a'])?.members.errors ?? []
        assert.deepEqual(fault, { header: name, code: 'repeated', detail: 'must be given once' })
      }
    }
  }
})

test('a value that reads like a name is none', () => {
  assert.equal(problemWith(['Authorization', 'Host', 'X-Other', 'Authorization']), null)
})
