// Rows that come to a day of the audit log between its last segment and the moment in which it gives way.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Database } from '@clinic-data/database'
import {
  app,
  dayBefore,
  hasPartition,
  makeDay,
  now,
  owner,
  ownerUrl,
  seal,
  sealedClinic,
  store,
} from '@clinic-data/testing/grounds/packed-ground'
import { testClinic } from '@clinic-data/testing/run/test-database'
import { sealedRows } from '../src/sealed-rows.ts'
import { packDays } from '../src/segments/pack-days.ts'

/** The real PostgreSQL, where something happens behind each segment. */
class InterruptedDatabase extends Database {
  readonly #happens: () => Promise<void>

  constructor(happens: () => Promise<void>) {
    super({ url: ownerUrl, statementTimeoutMs: 0 })
    this.#happens = happens
  }

  override async write<T>(...args: Parameters<typeof Database.prototype.write<T>>): Promise<T> {
    const done = await super.write(...args)
    await this.#happens()
    return done
  }
}

for (const [n, whose] of (['the same clinic', 'a clinic without other rows of the day'] as const).entries()) {
  test(`a row of ${whose} that comes when all segments are made is not lost: its day waits until it is sealed`, async () => {
    const day = dayBefore(900 + n)
    await makeDay(day)
    const clinic = await sealedClinic({ stored_at: `${day} 09:00Z` })
    const other = n === 0 ? clinic : await testClinic(owner)
    const count = async () => {
      const range = { after: 0, upTo: Number.MAX_SAFE_INTEGER, limit: 10 }
      return (await sealedRows(app, other.clinic_id, range)).length
    }
    const before = await count()
    const interrupted = await new InterruptedDatabase(() => store(other, { stored_at: `${day} 10:00Z` })).open()
    try {
      const { waiting } = await packDays(interrupted, now)
      assert.ok(waiting.includes(day))
    } finally {
      await interrupted.close()
    }
    assert.deepEqual([await hasPartition(day), await count()], [true, before + 1])
    await seal(other)
    const { packed } = await packDays(owner, now)
    assert.ok(packed.includes(day))
    assert.equal(await count(), before + 1)
  })
}
