// A burst of one token's requests asks the database once a turn, and never shares an answer that is older than the request.
import assert from 'node:assert/strict'
import test from 'node:test'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import type { IngestPrincipal } from '@clinic-data/administration/credentials/ingest-tokens'
import { oncePerTurn } from '../src/intake/token-look-ups.ts'

const facts = { time_zone: 'UTC', country: 'IL', currency: 'ILS', week_start: 0, min_visit_minutes: 15 } as const
const holder = (token_id: string): IngestPrincipal => ({ token_id, clinic: { clinic_id: 'one', ...facts } })

test('requests of one turn with the same token share a look-up, and each token has its own', async () => {
  const lookedUp: string[] = []
  const find = oncePerTurn(async (token) => {
    lookedUp.push(token)
    return holder(token)
  })
  const found = await Promise.all(['a', 'b', 'a', 'a', 'b'].map(find))
  assert.deepEqual(
    found.map((one) => one?.token_id),
    ['a', 'b', 'a', 'a', 'b'],
  )
  assert.deepEqual(lookedUp, ['a', 'b'])
})

test('a request that comes after a look-up has left asks again: the token may be revoked by now', async () => {
  const answers: ((found: IngestPrincipal | null) => void)[] = []
  const find = oncePerTurn(() => new Promise((answer) => answers.push(answer)))
  const before = find('a')
  await endOfTurn()
  assert.equal(answers.length, 1)
  const after = find('a')
  await endOfTurn()
  assert.equal(answers.length, 2)
  answers[0]?.(holder('a'))
  answers[1]?.(null)
  assert.equal((await before)?.token_id, 'a')
  assert.equal(await after, null)
})

test('a failed look-up fails the requests of its turn and no later one', async () => {
  let isBroken = true
  const find = oncePerTurn(async (token) => {
    if (isBroken) throw new Error('the database is away')
    return holder(token)
  })
  const failed = await Promise.allSettled([find('a'), find('a')])
  assert.deepEqual(
    failed.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  isBroken = false
  assert.equal((await find('a'))?.token_id, 'a')
})
