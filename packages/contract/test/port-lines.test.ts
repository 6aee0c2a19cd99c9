// The lines of a message of several answers arrive as they were sent, however the network cuts them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { PORT_LIMITS } from '../src/port/port.ts'
import { type PortReply, UnusableAnswer } from '../src/port/port-answer.ts'
import { PortLines, portLine, type SentReply } from '../src/port/port-lines.ts'

function read(pieces: readonly Buffer[]): [number, PortReply][] {
  const taken: [number, PortReply][] = []
  const lines = new PortLines((place, reply) => taken.push([place, reply]))
  for (const piece of pieces) lines.read(piece)
  return taken
}

function asSent([place, { rows, ...reply }]: [number, PortReply]): [number, SentReply] {
  return [place, rows === undefined ? reply : { ...reply, rows: Buffer.from(rows).toString() }]
}

test('lines come as they were sent, wherever the bytes are cut', () => {
  const reply = fc.record(
    { status: fc.integer({ min: 100, max: 599 }), text: fc.json(), rows: fc.json() },
    { requiredKeys: ['status', 'text'], noNullPrototype: true },
  )
  const sent = fc.array(fc.tuple(fc.nat(63), reply), { maxLength: 5 })
  fc.assert(
    fc.property(sent, fc.array(fc.nat(2000)), (replies, cuts) => {
      const bytes = Buffer.from(replies.map(([place, one]) => portLine(place, one)).join(''))
      const ends = [...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length]
      const taken = read(ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end)))
      assert.deepEqual(taken.map(asSent), replies)
    }),
  )
})

test('an answer without a body has an empty text, and a line without its end is none', () => {
  assert.deepEqual(read([Buffer.from('3 204 \n4 200 {"da')]), [[3, { status: 204, text: '' }]])
})

test('a line of another form, or longer than an answer may be, is refused', () => {
  for (const line of ['\n', 'x 200 {}\n', '1 20 {}\n', '-1 200 {}\n', '1 200\n', '1 200\t{}\n']) {
    assert.throws(() => read([Buffer.from(line)]), UnusableAnswer, line)
  }
  const piece = Buffer.alloc(1024 * 1024, 0x20)
  assert.throws(() => read(Array(PORT_LIMITS.response_bytes / piece.length + 1).fill(piece)), UnusableAnswer)
})
