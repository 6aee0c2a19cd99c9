// The end of a connection is exact: of the requests that begin after its answer none is accepted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { newApp } from './app.ts'
import type { ConnectSite } from './connect-site.ts'

const READERS = 4
/** Of each reader, before the end and after it. */
const READS = 10
/** A reader's, between two requests: an end waits for a second, in which readers without a rest would only keep the processors busy. */
const REST_MS = 5

/** The test for a site that is there when it runs. @param rounds - connections that are ended. */
export function testEnds(started: () => ConnectSite, rounds: number): void {
  test('nothing that begins after the end of a connection was answered is accepted', async () => {
    const site = started()
    const app = await newApp(site)
    const person = await site.signIn()
    for (let round = 0; round < rounds; round++) {
      const { access_token, refresh_token } = await app.connect(person)
      const { id } = await person.onlyConnection(app.client_id)
      let endedAt = Number.POSITIVE_INFINITY
      const before: number[] = []
      const after: number[] = []
      const isBegun = Promise.withResolvers<void>()
      const reader = async () => {
        for (let late = 0; late < READS; ) {
          const isLate = performance.now() > endedAt
          const status = await site.statusWith(access_token)
          if (isLate) late++
          const statuses = isLate ? after : before
          statuses.push(status)
          if (statuses.length > READERS * READS) isBegun.resolve()
          await delay(REST_MS)
        }
      }
      const readers = Promise.all(Array.from({ length: READERS }, reader))
      await isBegun.promise
      assert.ok(before.every((status) => status === 200))
      await person.end(id)
      endedAt = performance.now()
      await readers
      assert.deepEqual([...new Set(after)], [401])
      assert.equal((await app.post({ grant_type: 'refresh_token', refresh_token })).error, 'invalid_grant')
    }
  })
}
