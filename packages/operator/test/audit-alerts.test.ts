// `clinicd audit alerts` as an operator runs it: what was unusual in the clinics, each with its reason, the latest first.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAdministrator } from '@clinic-data/administration/administrators'
import { mintKey } from '@clinic-data/administration/credentials/keys'
import { markAlertsSeen, type Notice, storeAlerts } from '@clinic-data/audit/watch/alerts'
import { markStopped } from '@clinic-data/audit/watch/stopping-rules'
import * as schema from '@clinic-data/backend/migrations'
import type { Clinic } from '@clinic-data/contract'
import { sql, utcSession } from '@clinic-data/database'
import { newClinic } from '@clinic-data/testing/grounds/ground'
import { ownGround, secretKeysText } from '@clinic-data/testing/run/own-ground'
import { operator } from '@clinic-data/testing/shared/operator'

const base = await ownGround(schema)
const { owner } = base
const NOW = new Date('2026-07-14T09:00:00Z')
const MINUTE_MS = 60_000

const alerts = (...argv: string[]) =>
  operator.run(['audit', 'alerts', ...argv], { DATABASE_URL: base.url, SECRET_KEYS: secretKeysText })

/** As JSON. */
async function listed(...argv: string[]) {
  const { code, out, errors } = await alerts('--json', ...argv)
  assert.equal(code, 0, errors)
  return (JSON.parse(out) as Listed).data
}

interface Listed {
  data: { id: string; clinic_id: string; rule: string; reason: string; seen_at: string | null }[]
  earlier: { clinic_id: string; cursor: string }[]
}

/** @returns its id. */
async function call({ clinic_id }: Clinic, key_id: string, minutes: number): Promise<string> {
  const facts = { patients: 4_112, busiest: 310, busiest_day: '2026-03-03' }
  const notices: Notice[] = [{ rule: 'many_patients', key_id, day: '2026-07-14', facts }]
  const now = new Date(NOW.getTime() + minutes * MINUTE_MS)
  await owner.write(utcSession(clinic_id), (tx) => storeAlerts(tx, clinic_id, { notices, now }))
  const { rows } = await owner.query<{ id: string }>(
    sql`select id from audit_alert where clinic_id = ${clinic_id} and key_id = ${key_id}`,
  )
  return rows[0]?.id ?? assert.fail('no alert')
}

test('where nothing was unusual the list is empty', async () => {
  const { clinic_id } = await newClinic(base)
  assert.deepEqual(await listed('--clinic', clinic_id), [])
  const { code, errors } = await alerts('--clinic', clinic_id)
  assert.equal(code, 0, errors)
})

test('alerts of all clinics are listed with the names of keys and their reasons, the latest first, or of one clinic', async () => {
  const [one, other] = [await newClinic(base), await newClinic(base)]
  const { clinic_id } = one
  const key = await mintKey(owner, {
    clinic_id,
    name: 'CRM',
    scopes: ['patients:read'],
    expires_at: null,
    rate_limit: null,
    now: NOW,
  })
  const ids = [await call(one, key.id, 1), await call(other, 'key_gone', 2), await call(one, 'key_gone', 3)]
  const all = (await listed()).filter((alert) => ids.includes(alert.id))
  assert.deepEqual(
    all.map(({ id }) => id),
    ids.toReversed(),
  )
  const own = await listed('--clinic', clinic_id)
  assert.deepEqual(
    own.map(({ id, rule, reason }) => [id, rule, reason]),
    [
      [ids[2], 'many_patients', 'key_gone read 4,112 people in a day; its busiest day was 310 (2026-07-14).'],
      [ids[0], 'many_patients', 'CRM read 4,112 people in a day; its busiest day was 310 (2026-07-14).'],
    ],
  )
  assert.deepEqual(
    (await listed('--clinic', clinic_id, '--limit', '1')).map(({ id }) => id),
    [ids[2]],
  )
  const { out } = await alerts('--clinic', clinic_id)
  assert.match(out, /CRM read 4,112 people in a day/)
})

test('what a rule has stopped says so, and --unseen leaves out what somebody has looked at', async () => {
  const clinic = await newClinic(base)
  const { clinic_id } = clinic
  const [seen, stopped] = [await call(clinic, 'key_1', 1), await call(clinic, 'key_2', 2)]
  const { id: by } = await createAdministrator(owner, { clinic_id, email: 'noa@clinic.example', name: 'Noa', now: NOW })
  await owner.write(utcSession(clinic_id), async (tx) => {
    await markAlertsSeen(tx, clinic_id, { ids: [seen], by, now: NOW })
    await markStopped(tx, clinic_id, { ids: [stopped], now: NOW })
  })
  assert.equal((await listed('--clinic', clinic_id)).length, 2)
  const [left, ...more] = await listed('--clinic', clinic_id, '--unseen')
  assert.deepEqual([left?.id, more], [stopped, []])
  assert.match(left?.reason ?? '', /Its integration was stopped by this rule at 2026-07-14/)
})

test('what a list leaves out comes behind its cursor, each once, also of one moment', async () => {
  const clinic = await newClinic(base)
  const { clinic_id } = clinic
  const ids = [await call(clinic, 'key_1', 1), await call(clinic, 'key_2', 2), await call(clinic, 'key_3', 2)]
  const all = (await listed('--clinic', clinic_id)).map(({ id }) => id)
  assert.deepEqual(all.toSorted(), ids.toSorted())
  const found: string[] = []
  for (let more: string[] | null = []; more !== null; ) {
    const { out } = await alerts('--clinic', clinic_id, '--limit', '1', '--json', ...more)
    const { data, earlier }: Listed = JSON.parse(out)
    found.push(...data.map(({ id }) => id))
    const [next] = earlier
    more = next === undefined ? null : ['--cursor', next.cursor]
  }
  assert.deepEqual(found, all)
  const { errors } = await alerts('--clinic', clinic_id, '--limit', '2')
  assert.match(
    errors,
    new RegExp(`There are earlier ones of ${clinic_id}: --clinic ${clinic_id} --cursor \\d+\\.alert_`),
  )
})

test('an unknown clinic and a bad limit are refused in one line', async () => {
  const unknown = await alerts('--clinic', 'nowhere')
  assert.notEqual(unknown.code, 0)
  assert.match(unknown.errors, /there is no clinic with the id given as --clinic/)
  for (const limit of ['0', '1001', 'all']) {
    const { code, errors } = await alerts('--limit', limit)
    assert.notEqual(code, 0)
    assert.match(errors, /--limit must be a whole number from 1 to 1000/)
  }
  assert.match((await alerts('--cursor', '1.alert_1')).errors, /name it by --clinic/)
  assert.match((await alerts('--clinic', 'nowhere', '--cursor', '; drop')).errors, /--cursor must be one that/)
})
