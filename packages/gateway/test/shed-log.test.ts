// The log of calls that were refused for lack of room.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ShedLog } from '../src/http-backend/shed-log.ts'

test('many refused calls give one short line per ten seconds, with their number and without a stack', () => {
  let now = 0
  const lines: object[] = []
  const shed = new ShedLog({ warn: (line: object) => void lines.push(line) } as never, 'http://backend', () => now)
  for (let n = 0; n < 500; n++) shed.add()
  assert.deepEqual(lines, [{ backend: 'http://backend', refused: 1 }])
  now = 10_000
  shed.add()
  assert.deepEqual(lines[1], { backend: 'http://backend', refused: 500 })
  assert.equal(lines.length, 2)
})
