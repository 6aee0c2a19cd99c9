// The memory for bodies is limited, and a stalled body does not keep others out.
import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { BodyMemory } from '../src/input/body-memory.ts'
import { Problem } from '../src/problems.ts'

const isNoRoom = (error: unknown) => error instanceof Problem && error.status === 503

/** A body that has sent this many bytes and does not end. */
async function stalled(memory: BodyMemory, bytes: number) {
  const body = new PassThrough()
  const before = memory.held
  let isHeld: () => void = () => undefined
  const held = new Promise<void>((resolve) => (isHeld = resolve))
  const done = memory.hold(body, async (counted) => {
    let size = 0
    for await (const chunk of counted) {
      size += chunk.byteLength
      if (size === bytes) isHeld()
    }
    return size
  })
  done.catch(() => undefined)
  body.write(Buffer.alloc(bytes))
  await Promise.race([held, done])
  assert.equal(memory.held, before + bytes)
  return { body, done }
}

test('bytes count from their arrival until their use has ended, in success or failure', async () => {
  const memory = new BodyMemory(100)
  const { body, done } = await stalled(memory, 60)
  body.end(Buffer.alloc(20))
  assert.equal(await done, 80)
  assert.equal(memory.held, 0)
  const used = memory.hold(whole(50), async (counted) => {
    await buffer(counted)
    assert.equal(memory.held, 50)
    throw new Error('of its use')
  })
  await assert.rejects(used, /of its use/)
  assert.equal(memory.held, 0)
  const gone = await stalled(memory, 10)
  gone.body.destroy(new Error('its sender has gone'))
  await assert.rejects(gone.done, /gone/)
  assert.equal(memory.held, 0)
})

test('the body that has been arriving longest is dropped for the next one, which is read whole', async () => {
  const memory = new BodyMemory(100)
  const first = await stalled(memory, 40)
  const second = await stalled(memory, 40)
  const third = memory.hold(whole(50), buffer)
  await assert.rejects(first.done, isNoRoom)
  assert.equal((await third).length, 50)
  second.body.end()
  assert.equal(await second.done, 40)
  assert.equal(memory.held, 0)
})

test('announced bytes count before they arrive, and only once', async () => {
  const memory = new BodyMemory(100)
  const first = memory.hold(new PassThrough(), buffer, 60)
  assert.equal(memory.held, 60)
  const second = memory.hold(
    whole(50),
    async (counted) => {
      const { length } = await buffer(counted)
      return [length, memory.held]
    },
    50,
  )
  await assert.rejects(first, isNoRoom)
  assert.deepEqual(await second, [50, 50])
  assert.equal(memory.held, 0)
})

test('a complete body is never dropped, and the next one is refused', async () => {
  const memory = new BodyMemory(100)
  let end: () => void = () => undefined
  const ended = new Promise<void>((resolve) => (end = resolve))
  let isRead: () => void = () => undefined
  const read = new Promise<void>((resolve) => (isRead = resolve))
  const first = memory.hold(whole(80), async (counted) => {
    const { length } = await buffer(counted)
    isRead()
    await ended
    return length
  })
  await read
  await assert.rejects(memory.hold(whole(30), buffer), isNoRoom)
  assert.equal(memory.held, 80)
  end()
  assert.equal(await first, 80)
  assert.equal((await memory.hold(whole(100), buffer)).length, 100)
})

function whole(bytes: number): PassThrough {
  const body = new PassThrough()
  body.end(Buffer.alloc(bytes))
  return body
}
