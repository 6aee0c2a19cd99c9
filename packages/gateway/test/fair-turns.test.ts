// No address takes the event loop from the others, however much it sends at once.
import assert from 'node:assert/strict'
import test from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { FairTurns } from '../src/connections/fair-turns.ts'

/** More than one turn takes: each piece of work lasts one millisecond of this clock. */
const FLOOD = 100

function ground() {
  let now = 0
  const done: string[] = []
  const turns = new FairTurns(() => now)
  const arrive = (address: string, name = address) => {
    turns.run(
      () => address,
      () => {
        done.push(name)
        now += 1
      },
    )
  }
  return { arrive, done }
}

test('a request that arrives behind a flood of another address is served in the next turn', async () => {
  const { arrive, done } = ground()
  for (let n = 0; n < FLOOD; n++) arrive('flood')
  const inFirstTurn = done.length
  assert.ok(inFirstTurn < 10, `${inFirstTurn} requests were served before the loop went on`)
  arrive('other')
  await nextTurn()
  const at = done.indexOf('other')
  assert.ok(at !== -1 && at <= inFirstTurn + 1, `it was served after ${at} others`)
})

test('the addresses come one after the other, and the requests of each in their order', async () => {
  const { arrive, done } = ground()
  for (let n = 0; n < FLOOD; n++) arrive('flood')
  const before = done.length
  for (const name of ['a1', 'a2', 'a3']) arrive('a', name)
  for (const name of ['b1', 'b2', 'b3']) arrive('b', name)
  while (done.length < before + 9) await nextTurn()
  assert.deepEqual(done.slice(before, before + 9), ['flood', 'a1', 'b1', 'flood', 'a2', 'b2', 'flood', 'a3', 'b3'])
})

test('a turn counts what a request does after its promises', async () => {
  let now = 0
  let served = 0
  const turns = new FairTurns(() => now)
  const answer = async () => {
    for (let step = 0; step < 3; step++) {
      await null
      await new Promise<void>((resolve) => process.nextTick(resolve))
    }
    now += 1
    served += 1
  }
  const address = () => 'flood'
  // Takes the rest of this turn.
  turns.run(address, () => {
    now += 100
  })
  for (let n = 0; n < FLOOD; n++) turns.run(address, () => void answer())
  while (served < FLOOD) {
    const before = served
    await nextTurn()
    assert.ok(served - before < 10, `${served - before} requests were answered before the loop went on`)
  }
})

test('every request of a flood is served in the end, and the next one of a quiet loop at once', async () => {
  const { arrive, done } = ground()
  for (let n = 0; n < FLOOD; n++) arrive('flood')
  while (done.length < FLOOD) await nextTurn()
  await nextTurn()
  arrive('late')
  assert.equal(done.length, FLOOD + 1)
})

test('what arrives while others wait does not overtake them', async () => {
  const { arrive, done } = ground()
  for (let n = 0; n < FLOOD; n++) arrive('flood')
  await nextTurn()
  const before = done.length
  arrive('flood', 'last')
  assert.equal(done.length, before)
  while (done.length < FLOOD + 1) await nextTurn()
  assert.equal(done.at(-1), 'last')
})
