// The operations of the console about activity: who is named, what is counted, and nothing of any other clinic.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '@clinic-data/database'
import { Rounds, row } from '@clinic-data/testing/grounds/audit-ground'
import { insert } from '@clinic-data/testing/grounds/rows'
import { testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { mintIngestToken } from '../src/credentials/ingest-tokens.ts'
import { mintKey, revokeKey } from '../src/credentials/keys.ts'
import { readUsage } from '../src/pages/usage.ts'
import { openConsole, type Person, person, send, signedIn } from './console-ground.ts'

const DAY_MS = 86_400_000

const { owner } = await testDatabase()
const opened = await openConsole(owner)
const ask = (cookie: string | null, path: string) => send(opened, path, { method: 'GET', cookie })

async function keyOf({ clinic: { clinic_id } }: Person, name: string, rate_limit: number | null = null) {
  const keyValues = {
    clinic_id,
    name,
    scopes: ['patients:read'] as const,
    expires_at: null,
    rate_limit,
    now: new Date(),
  }
  return (await mintKey(owner, keyValues)).id
}

/** A clinic with a key, an administrator who is signed in, and a row of the key about two patients. */
async function audited() {
  const noa = await person(owner)
  const cookie = await signedIn(opened, owner, noa)
  const key_id = await keyOf(noa, 'Power BI')
  const stored_at = new Date().toISOString()
  await insert(owner, noa.clinic, 'audit', { ...row(noa.clinic, { key_id, stored_at }), duration_ms: 17 })
  return { noa, cookie, key_id }
}

interface Shown {
  who: { id: string; name: string | null; kind: string; connected_by: string | null }
  operation: string
}

test('rows name the key, the administrator or the token, also one that has ended, and tell what they hold', async () => {
  const { noa, cookie, key_id } = await audited()
  const { clinic_id } = noa.clinic
  await revokeKey(owner, { clinic_id, id: key_id, now: new Date() }, async () => undefined)
  const { id: token } = await mintIngestToken(owner, { clinic_id, name: 'Exchange', now: new Date() })
  const others = [token, 'whatsapp', 'key_gone'].map((one) => row(noa.clinic, { key_id: one }))
  await insert(owner, noa.clinic, 'audit', ...others)
  const { status, json } = await ask(cookie, '/activity')
  assert.equal(status, 200)
  assert.deepEqual(
    json.data.map(({ who }: Shown) => who),
    [
      { id: 'key_gone', name: null, kind: 'unknown', connected_by: null },
      { id: 'whatsapp', name: 'WhatsApp', kind: 'platform', connected_by: null },
      { id: token, name: 'Exchange', kind: 'token', connected_by: null },
      { id: key_id, name: 'Power BI', kind: 'key', connected_by: null },
      { id: noa.id, name: 'Noa Levi', kind: 'administrator', connected_by: null },
    ],
  )
  const { id: _, ...shown } = json.data[3]
  assert.deepEqual(shown, {
    at: '2026-07-12T09:30:00.123+03:00',
    who: { id: key_id, name: 'Power BI', kind: 'key', connected_by: null },
    operation: 'patients.list',
    surface: 'rest',
    resource_ids: ['p1', 'p"2,{}'],
    count: 2,
    status: 200,
    patient_ids: null,
    patient_count: null,
    problem: null,
    required_scope: null,
    request_id: 'req_1',
    address: '192.0.2.1',
    duration_ms: 17,
  })
  const { data } = (await ask(cookie, '/activity/actors')).json
  assert.deepEqual(
    data.map(({ name, kind }: Shown['who']) => [name, kind]),
    [
      ['Exchange', 'token'],
      ['Noa Levi', 'administrator'],
      ['Power BI', 'key'],
    ],
  )
})

test('without a session there is no activity, and another clinic’s is neither listed, counted nor named', async () => {
  const { key_id } = await audited()
  const dan = await person(owner)
  const cookie = await signedIn(opened, owner, dan)
  // A row that bears the other clinic's key: not even its name is told.
  await insert(owner, dan.clinic, 'audit', row(dan.clinic, { key_id, stored_at: new Date().toISOString() }))
  for (const path of ['/activity', '/activity/actors', '/activity/usage']) {
    assert.equal((await ask(null, path)).status, 401, path)
  }
  const { data } = (await ask(cookie, `/activity?actor=${key_id}`)).json
  assert.deepEqual(
    data.map(({ who }: Shown) => who),
    [{ id: key_id, name: null, kind: 'unknown', connected_by: null }],
  )
  assert.deepEqual(
    (await ask(cookie, '/activity/actors')).json.data.map(({ id }: Shown['who']) => id),
    [dan.id],
  )
  const { keys } = (await ask(cookie, '/activity/usage')).json.data
  assert.deepEqual(
    keys.map(({ requests, rate_limit }: Record<string, number>) => [requests, rate_limit]),
    [[1, null]],
  )
})

test('a filter or a cursor of another form is refused with the parameter’s name, and a period may be as long as any', async () => {
  const { cookie, key_id } = await audited()
  const wrong = {
    outcome: 'maybe',
    surface: 'fax',
    from: 'yesterday',
    to: '2026-13-01',
    limit: '0',
    cursor: "1.1.1' or true",
    patient: 'p1',
    actor: 'x'.repeat(200),
  }
  for (const [name, value] of Object.entries(wrong)) {
    const { status, json } = await ask(cookie, `/activity?${name}=${encodeURIComponent(value)}`)
    assert.deepEqual([status, json.errors?.[0]?.parameter], [400, name])
  }
  for (const whole of ['from=0001-01-01&to=9999-12-31', 'from=0001-01-01T00:00:00Z&to=9999-12-31T23:59:59Z']) {
    const { status, json } = await ask(cookie, `/activity?${whole}&actor=${key_id}`)
    assert.deepEqual([status, json.data.length], [200, 1], whole)
  }
  assert.equal((await ask(cookie, '/activity/usage?period=year')).status, 400)
  for (const cursor of ['999999999999999.9999999999999.9999999999999', '0.0.0', '0.0.']) {
    assert.equal((await ask(cookie, `/activity?cursor=${cursor}`)).status, 200, cursor)
  }
})

test('usage is told by hour and by the clinic’s days, with percentiles and the busiest minute of each key', async (t) => {
  // No hour begins meanwhile.
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const noa = await person(owner)
  const cookie = await signedIn(opened, owner, noa)
  const [busy, quiet] = [await keyOf(noa, 'Busy', 30), await keyOf(noa, 'Quiet')]
  const HOUR_MS = 3_600_000
  const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
  const stored = (hoursAgo: number, second: number) => new Date(hour - hoursAgo * HOUR_MS + second * 1000).toISOString()
  const rows = [
    // Four in one minute, of which one is slow.
    ...[0, 1, 2].map((second) => ({ key_id: busy, stored_at: stored(2, second), status: 200, duration_ms: 8 })),
    { key_id: busy, stored_at: stored(2, 59), status: 503, duration_ms: 900 },
    { key_id: busy, stored_at: stored(2, 60), status: 404, duration_ms: null },
    { key_id: quiet, stored_at: stored(23, 0), status: 200, duration_ms: null },
    { key_id: quiet, stored_at: stored(24, 0), status: 200, duration_ms: null },
  ]
  for (const one of rows.toSorted((a, b) => (a.stored_at < b.stored_at ? -1 : 1))) {
    await insert(owner, noa.clinic, 'audit', { ...row(noa.clinic), ...one })
  }
  const usage = async (query: string) => (await ask(cookie, `/activity/usage?${query}`)).json.data
  const before = await usage('period=day')
  const rounds = new Rounds()
  await rounds.next(noa.clinic)
  await rounds.next(noa.clinic)
  const { step, series, keys } = await usage('period=day')
  assert.deepEqual({ step, series, keys }, before, 'sealing changes nothing')
  assert.deepEqual([step, series.length], ['hour', 24])
  assert.equal(Date.parse(series[23].at), hour)
  assert.deepEqual(
    series.filter(({ requests }: { requests: number }) => requests > 0),
    [
      { at: series[0].at, requests: 1, refusals: 0, failures: 0, p50_ms: null, p99_ms: null },
      { at: series[21].at, requests: 5, refusals: 2, failures: 1, p50_ms: 8, p99_ms: 980 },
    ],
  )
  assert.deepEqual(keys, [
    {
      who: { id: busy, name: 'Busy', kind: 'key', connected_by: null },
      requests: 5,
      refusals: 2,
      failures: 1,
      p50_ms: 8,
      p99_ms: 980,
      busiest_minute: 4,
      rate_limit: 30,
    },
    {
      who: { id: quiet, name: 'Quiet', kind: 'key', connected_by: null },
      requests: 1,
      refusals: 0,
      failures: 0,
      p50_ms: null,
      p99_ms: null,
      busiest_minute: 1,
      rate_limit: 600,
    },
  ])
  const alone = await usage(`period=day&key_id=${quiet}`)
  assert.equal(alone.keys.length, 2)
  assert.deepEqual(
    alone.series.map(({ requests }: { requests: number }) => requests),
    [1, ...Array(23).fill(0)],
  )
  for (const [period, days] of [
    ['week', 7],
    ['month', 30],
  ] as const) {
    const { step, series } = await usage(`period=${period}`)
    assert.deepEqual([step, series.length], ['day', days])
    const sum = series.reduce((all: number, { requests }: { requests: number }) => all + requests, 0)
    assert.equal(sum, 7)
    const [midnights] = await owner.read<{ are: boolean }>(
      noa.clinic,
      sql`select bool_and(day::timestamptz::time = time '00:00') as are
        from unnest(${series.map(({ at }: { at: string }) => at)}::text[]) day`,
    )
    assert.equal(midnights?.are, true)
  }
})

test('usage by day has each of the clinic’s last days once, also for a month after a clock went forward at midnight', async () => {
  for (const [time_zone, changed] of [
    ['America/Santiago', '2026-09-06'],
    ['America/Havana', '2026-03-08'],
  ] as const) {
    const clinic = await testClinic(owner, { time_zone })
    const local = new Intl.DateTimeFormat('en-CA', { timeZone: time_zone })
    for (let days = 0; days <= 30; days += 1) {
      const now = new Date(Date.parse(`${changed}T15:00:00Z`) + days * DAY_MS)
      const { series } = await readUsage({ consoleDatabase: owner, usualRate: 300 }, clinic, { period: 'month' }, now)
      const shown = series.map(({ at }) => local.format(Date.parse(at)))
      const lastDays = Array.from({ length: 30 }, (_, at) => local.format(now.getTime() - (29 - at) * DAY_MS))
      assert.deepEqual(shown, lastDays, `${time_zone}, ${days} days after`)
    }
  }
})
