// Packing in a thread of its own: the same round, beside which its process does other work.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql, utcSession } from '@clinic-data/database'
import {
  daysBehind,
  hasPartition,
  now,
  owner,
  ownerUrl,
  sealedClinic,
} from '@clinic-data/testing/grounds/packed-ground'
import { packInThread } from '../src/segments/packing-thread.ts'

const ROWS = 5_000

const nextDay = daysBehind(1500)

test('a round in a thread packs a day, and the thread of the deliveries does a small part of the work', async () => {
  const day = await nextDay()
  const row = { stored_at: `${day} 09:00Z`, resource_ids: Array.from({ length: 30 }, (_, n) => `p${n}`) }
  const { clinic_id } = await sealedClinic(...Array.from({ length: ROWS }, () => row))
  const [whole, own] = [process.cpuUsage(), process.threadCpuUsage()]
  const { packed, failures } = await packInThread({ ownerUrl, now })
  const [wholeUs, ownUs] = [process.cpuUsage(whole), process.threadCpuUsage(own)].map(
    ({ user, system }) => user + system,
  )
  assert.deepEqual([packed.includes(day), failures, await hasPartition(day)], [true, [], false])
  const [segment] = await owner.read<{ row_count: number }>(
    utcSession(clinic_id),
    sql`select row_count from audit_segment where clinic_id = ${clinic_id}`,
  )
  assert.equal(segment?.row_count, ROWS)
  assert.ok((ownUs ?? 0) < (wholeUs ?? 0) / 5, `${ownUs} of ${wholeUs} µs`)
})

test('why rows of a clinic could not be packed crosses from the thread', async () => {
  const day = await nextDay()
  const { clinic_id } = await sealedClinic({ stored_at: `${day} 09:00Z` })
  await owner.query(sql`update audit set status = 403 where clinic_id = ${clinic_id}`)
  const { failures, waiting } = await packInThread({ ownerUrl, now })
  assert.deepEqual(
    failures.map(({ message }) => message),
    [`the audit log of the clinic ${clinic_id} cannot be packed: the rows of seal 1 were changed`],
  )
  assert.ok(failures[0] instanceof Error && waiting.includes(day))
  await owner.query(sql`update audit set status = 200 where clinic_id = ${clinic_id}`)
})

test('a round that is stopped leaves the rest to the next one', async () => {
  const days = [await nextDay(), await nextDay()]
  for (const day of days) await sealedClinic({ stored_at: `${day} 09:00Z` })
  const stopping = new AbortController()
  const round = packInThread({ ownerUrl, now }, stopping.signal)
  stopping.abort()
  const { packed, failures } = await round
  assert.deepEqual([packed, failures], [[], []])
  for (const day of days) assert.equal(await hasPartition(day), true)
  await assert.rejects(packInThread({ ownerUrl, now }, stopping.signal), { name: 'AbortError' })
  assert.deepEqual((await packInThread({ ownerUrl, now })).failures, [])
  for (const day of days) assert.equal(await hasPartition(day), false)
})

test('a round that cannot begin fails, and says why', async () => {
  const { href } = Object.assign(new URL(ownerUrl), { pathname: '/nowhere' })
  await assert.rejects(packInThread({ ownerUrl: href, now }), /"nowhere" does not exist/)
})
