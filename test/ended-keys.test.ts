// A key that is tried after its end leaves the moment of it, from which the watch over the audit log calls.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { mintKey } from '@clinic-data/administration/credentials/keys'
import { countUnseenAlerts, listAlerts } from '@clinic-data/audit/watch/alerts'
import { watchLogs } from '@clinic-data/audit/watch/watch-log'
import { sql, utcSession } from '@clinic-data/database'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { BASE_URL, smallClinic, startParts } from '@clinic-data/testing/run/test-service'
import { until } from '@clinic-data/testing/until'

const service = await startParts()
after(() => service.close())
const { owner } = await testDatabase()

const HOUR_MS = 60 * 60 * 1000

test('a revoked key and one of a stopped partner are called when somebody still tries them, and one that works is not', async () => {
  const { clinic_id } = (await smallClinic(service)).clinic
  const now = new Date()
  const settings = { clinic_id, scopes: [], expires_at: null, rate_limit: null, networks: null, now }
  const minted = await Promise.all(['revoked', 'stopped', 'works'].map((name) => mintKey(owner, { ...settings, name })))
  const [revoked, stopped] = minted
  const ended = new Date(now.getTime() - 2 * HOUR_MS)
  await owner.query(
    sql`update api_key set revoked_at = ${ended} where clinic_id = ${clinic_id} and id = ${revoked?.id ?? ''}`,
  )
  await owner.query(
    sql`update api_key set stopped_at = ${ended} where clinic_id = ${clinic_id} and id = ${stopped?.id ?? ''}`,
  )
  for (const { key } of minted)
    await service.gateway.app.inject({
      url: '/v1/me',
      headers: { host: new URL(BASE_URL).host, authorization: `Bearer ${key}` },
    })
  await until(
    async () => {
      const { rows } = await owner.query(
        sql`select from api_key where clinic_id = ${clinic_id} and tried_at is not null`,
      )
      return rows.length === 2 ? true : null
    },
    () => 'no try was noted',
  )
  await watchLogs(owner, [utcSession(clinic_id)], { now: new Date() })
  const { alerts } = await listAlerts(owner, utcSession(clinic_id), { limit: 10 })
  assert.deepEqual(
    alerts.map(({ rule, key_id }) => [rule, key_id]).sort(),
    [
      ['ended_key', revoked?.id],
      ['stopped_partner', stopped?.id],
    ].sort(),
  )
  assert.equal(await countUnseenAlerts(owner, utcSession(clinic_id)), 2)
})
