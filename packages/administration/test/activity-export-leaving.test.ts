// An export of the activity over a real connection: a reader who leaves ends it, and one who takes nothing holds up nobody else.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { insert } from '@clinic-data/testing/grounds/rows'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { until } from '@clinic-data/testing/until'
import { openConsole, person, signedIn } from './console-ground.ts'

const { owner } = await testDatabase()
const opened = await openConsole(owner)
await opened.app.listen({ host: '127.0.0.1', port: 0 })
const { port } = opened.app.server.address() as AddressInfo

/** More than the buffers of a connection hold. */
const LONG = Array.from({ length: 20_000 }, (_, n) => `patient-with-a-long-id-${n}`)

function ask(cookie: string, body: object) {
  const headers = { cookie, 'x-console': '1', 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
  const sent = request({ port, host: '127.0.0.1', method: 'POST', path: '/console/api/activity/export', headers })
  sent.on('error', () => undefined)
  sent.end(JSON.stringify(body))
  return sent
}

const answerOf = async (cookie: string, body: object) => {
  const sent = ask(cookie, body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return { sent, answer }
}

test('a reader who takes nothing keeps its turn and no more, and one who leaves ends the export', async () => {
  const [noa, dan] = [await person(owner), await person(owner)]
  const row = (n: number) => ({
    at: '2026-07-12T06:30:00.123Z',
    key_id: 'key_1',
    operation: 'patients.list',
    surface: 'rest',
    resource_ids: ['a1', '', ...LONG],
    count: 1,
    status: 200,
    request_id: `req_${n}`,
    address: '192.0.2.1',
  })
  for (let n = 0; n < 20; n++) await insert(owner, noa.clinic, 'audit', row(n))
  const [mine, theirs] = [await signedIn(opened, owner, noa), await signedIn(opened, owner, dan)]
  const { sent, answer } = await answerOf(mine, { as: 'proof' })
  assert.equal(answer.statusCode, 200)
  const second = await answerOf(mine, { as: 'rows' })
  assert.deepEqual([second.answer.statusCode, second.answer.headers['retry-after']], [429, '60'])
  second.answer.resume()
  const other = await answerOf(theirs, { as: 'rows' })
  assert.equal(other.answer.statusCode, 200)
  other.answer.resume()
  sent.destroy()
  await until(
    async () => {
      const next = await answerOf(mine, { as: 'rows' })
      next.answer.resume()
      return next.answer.statusCode === 200
    },
    () => 'the turn never ends',
  )
})
