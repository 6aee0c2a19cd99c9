// The line before the doors: so many at once, the others in their order, and nobody waits behind a full line.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WaitingLine } from '../src/ingest/waiting-line.ts'
import { problem } from './ask.ts'

test('as many as may run do, the others follow in their order, also after one that fails', async () => {
  const line = new WaitingLine({ atOnce: 2, longest: 10 })
  const running: ReturnType<typeof Promise.withResolvers<void>>[] = []
  const begun: number[] = []
  const all = Array.from({ length: 5 }, (_, i) =>
    line.run(async () => {
      begun.push(i)
      const work = Promise.withResolvers<void>()
      running.push(work)
      await work.promise
    }),
  )
  assert.deepEqual(begun, [0, 1])
  running[1]?.reject(new Error('failed'))
  await assert.rejects(all[1] ?? assert.fail(), /failed/)
  assert.deepEqual(begun, [0, 1, 2])
  for (const at of [0, 2, 3, 4]) {
    running[at]?.resolve()
    await all[at]
  }
  assert.deepEqual(begun, [0, 1, 2, 3, 4])
})

test('who comes when the line is full is asked to come again, and the line goes on', async () => {
  const line = new WaitingLine({ atOnce: 1, longest: 1 })
  const first = Promise.withResolvers<string>()
  const answers = [line.run(() => first.promise), line.run(async () => 'second')]
  await assert.rejects(
    line.run(async () => 'third'),
    problem('service-unavailable'),
  )
  first.resolve('first')
  assert.deepEqual(await Promise.all(answers), ['first', 'second'])
  assert.equal(await line.run(async () => 'fourth'), 'fourth')
})
