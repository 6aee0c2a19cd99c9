// The tests of what happens meanwhile: they find the statement that waits for them, and no other file's.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql, type Transaction, utcSession } from '@clinic-data/database'
import { doneOrWaiting } from '@clinic-data/testing/grounds/waits'
import { testDatabase } from '@clinic-data/testing/run/test-database'

const { owner } = await testDatabase()
const session = utcSession('cln_of_nobody')
const LOCK = 'select pg_advisory_xact_lock(hashtextextended($1%'
const lock = (tx: Transaction, name: string) =>
  tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
const locked = (name: string) => owner.write(session, (tx) => lock(tx, name))

test('a statement that waits for the test’s transaction is found, also behind another one', async () => {
  const [first, second] = [randomUUID(), randomUUID()]
  const ends: Promise<unknown>[] = []
  await owner.write(session, async (tx) => {
    await lock(tx, first)
    const behind = owner.write(session, async (other) => {
      await lock(other, second)
      await lock(other, first)
    })
    ends.push(behind)
    await doneOrWaiting(owner, tx, behind, LOCK)
    // By another statement, so that it is not the one before that is found.
    const last = owner.write(session, (another) =>
      another.query(sql`select pg_advisory_xact_lock_shared(hashtextextended(${second}, 0))`),
    )
    ends.push(last)
    let isOver = false
    last.then(() => {
      isOver = true
    })
    await doneOrWaiting(owner, tx, last, 'select pg_advisory_xact_lock_shared(%')
    assert.equal(isOver, false)
  })
  await Promise.all(ends)
})

test('a statement that waits for somebody else’s transaction is not taken for one that waits for the test’s', async () => {
  const [mine, theirs] = [randomUUID(), randomUUID()]
  await owner.write(session, async (tx) => {
    await lock(tx, mine)
    let isReleased = false
    const { seen } = await owner.write(session, async (other) => {
      await lock(other, theirs)
      const waiting = locked(theirs)
      await doneOrWaiting(owner, other, waiting, LOCK)
      const seen = doneOrWaiting(owner, tx, waiting, LOCK).then(() => isReleased)
      // It has looked by then: it began first.
      await doneOrWaiting(owner, other, waiting, LOCK)
      isReleased = true
      return { seen }
    })
    assert.equal(await seen, true)
  })
})
