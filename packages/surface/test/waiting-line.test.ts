// The ingest API's waiting line: it limits how many run at once, keeps their order, and refuses when it is full.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problem } from '@clinic-data/testing/grounds/ask'
import { WaitingLine } from '../src/waiting-line.ts'

test('no more than the limit run at once, and the others follow in order, even after a failure', async () => {
  const line = new WaitingLine({ atOnce: 2, share: 2, longest: 10 })
  const running: ReturnType<typeof Promise.withResolvers<void>>[] = []
  const begun: number[] = []
  const all = Array.from({ length: 5 }, (_, i) =>
    line.run('a', async () => {
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

test('a request to a full line is asked to come again, and the line continues', async () => {
  const line = new WaitingLine({ atOnce: 1, share: 1, longest: 1 })
  const first = Promise.withResolvers<string>()
  const answers = [line.run('a', () => first.promise), line.run('a', async () => 'second')]
  await assert.rejects(
    line.run('a', async () => 'third'),
    problem('service-unavailable'),
  )
  first.resolve('first')
  assert.deepEqual(await Promise.all(answers), ['first', 'second'])
  assert.equal(await line.run('a', async () => 'fourth'), 'fourth')
})

/** Work that ends when the test says so, and a list of what has begun. */
function workbench() {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => async () => {
    begun.push(name)
    await new Promise<void>((resolve) => ends.set(name, resolve))
  }
  const end = async (name: string, running: Promise<unknown> | undefined) => {
    ends.get(name)?.()
    await running
  }
  return { begun, work, end }
}

test('a clinic that fills the line leaves a turn to others at once, and they take turns with it', async () => {
  const line = new WaitingLine({ atOnce: 3, share: 2, longest: 100 })
  const { begun, work, end } = workbench()
  const busy = Array.from({ length: 100 }, (_, i) => line.run('busy', work(`busy ${i}`)))
  const quiet = line.run('quiet', work('quiet 0'))
  assert.deepEqual(begun, ['busy 0', 'busy 1', 'quiet 0'])
  const others = ['quiet 1', 'third 0', 'third 1'].map((name) => line.run(name.split(' ')[0] ?? '', work(name)))
  await end('busy 0', busy[0])
  await end('busy 1', busy[1])
  await end('quiet 0', quiet)
  assert.deepEqual(begun.slice(3), ['busy 2', 'quiet 1', 'third 0'])
  await end('quiet 1', others[0])
  assert.deepEqual(begun.slice(6), ['busy 3'])
  await end('third 0', others[1])
  assert.deepEqual(begun.slice(7), ['third 1'])
})

test('a clinic with a full line is refused, and another one waits', async () => {
  const line = new WaitingLine({ atOnce: 1, share: 1, longest: 1 })
  const { begun, work, end } = workbench()
  const first = line.run('busy', work('busy 0'))
  void line.run('busy', work('busy 1'))
  await assert.rejects(line.run('busy', work('busy 2')), problem('service-unavailable'))
  void line.run('quiet', work('quiet 0'))
  await end('busy 0', first)
  assert.deepEqual(begun, ['busy 0', 'busy 1'])
})
