// Alerts in the console: each with its key, integration and numbers, for whoever may see them, until somebody has looked at it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Notice, storeAlerts } from '@clinic-data/audit/watch/alerts'
import { type Facts, RULES } from '@clinic-data/audit/watch/facts'
import { ALERTS, alertRules } from '@clinic-data/console-contract/alert-operations'
import { utcSession } from '@clinic-data/database'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { MANY_PATIENTS, storeAlert } from './alert-ground.ts'
import { connectApp, connecting } from './connecting.ts'
import { audited, openConsole, send } from './console-ground.ts'
import { integrationGround } from './integration-ground.ts'
import { inRole } from './people-ground.ts'

const { owner } = await testDatabase()
const { connect, token } = connecting(owner)
const opened = await openConsole(owner, { connect })

/** A clinic with a key that read many patients. */
async function noticed() {
  const ground = await integrationGround(opened, owner)
  const { clinic_id } = ground
  const key = await ground.mint('CRM')
  const store = (notice: Notice, now?: Date) => storeAlert(owner, clinic_id, notice, now)
  const id = await store({ ...MANY_PATIENTS, key_id: key.id })
  const see = (which = id) => ground.post(`/alerts/${which}/see`)
  return { ...ground, key, store, id, see }
}

const FACTS: Facts = {
  silence: { days: 90, last_day: '2026-04-15' },
  new_network: { network: '203.0.113.0/24', known: 2 },
  many_patients: MANY_PATIENTS.facts,
  patients_in_order: { patients: 500, longest_before: 4 },
  many_refusals: { refusals: 80, requests: 100, most: 3, most_day: null },
  ended_key: { ended_at: '2026-07-01T06:00:00.000Z', tried_at: '2026-07-14T06:00:00.000Z' },
  stopped_partner: { ended_at: '2026-07-02T06:00:00.000Z', tried_at: '2026-07-14T07:00:00.000Z' },
}

/** As the compiler wants it of a union. */
const noticeOf = (rule: (typeof RULES)[number], key_id: string) =>
  ({ rule, key_id, day: '2026-07-14', facts: FACTS[rule] }) as Notice

test('an alert names its key, its integration and the numbers of its reason', async () => {
  const { read, key, id } = await noticed()
  const [alert] = await read('/alerts')
  const { noticed_at, ...others } = alert
  assert.ok(Date.parse(noticed_at) > 0)
  const none = Object.fromEntries(alertRules.map((rule) => [rule, null]))
  assert.deepEqual(others, {
    id,
    rule: 'many_patients',
    day: '2026-07-14',
    key: { id: key.id, name: 'CRM', kind: 'key', connected_by: null },
    integration: key.integration,
    facts: { ...none, many_patients: MANY_PATIENTS.facts },
    seen_at: null,
    seen_by: null,
    stopped_at: null,
  })
})

test('each rule of the watch is shown with its own numbers and no others', async () => {
  const { clinic_id, mint, read } = await integrationGround(opened, owner)
  const { id: key_id } = await mint()
  for (const rule of RULES) await storeAlert(owner, clinic_id, noticeOf(rule, key_id))
  const alerts: { rule: (typeof RULES)[number]; facts: object }[] = await read('/alerts')
  assert.deepEqual(alerts.map(({ rule }) => rule).sort(), [...alertRules].sort())
  for (const { rule, facts } of alerts) {
    const told = Object.entries(facts).filter(([, one]) => one !== null)
    assert.deepEqual(told, [[rule, FACTS[rule]]])
  }
})

test('an alert of a connected app names the app and who connected it', async () => {
  const { clinic_id, cookie, read } = await integrationGround(opened, owner)
  const { id } = await connectApp(opened, { owner, cookie, token }, ['patients:read'])
  await storeAlert(owner, clinic_id, { ...MANY_PATIENTS, key_id: id })
  const [{ key, integration }] = await read('/alerts')
  assert.deepEqual([key.id, key.kind, key.connected_by], [id, 'connection', 'Noa Levi'])
  assert.equal(integration.name, key.name)
})

test('the latest stand first, and pages lead to the first of all, each once, also of one moment', async () => {
  const { clinic_id, key, id, get } = await noticed()
  const day = (at: number) => new Date(at * 86_400_000).toISOString().slice(0, 10)
  const notices = Array.from(
    { length: ALERTS.page + 5 },
    (_, at): Notice => ({ ...MANY_PATIENTS, key_id: key.id, day: day(at) }),
  )
  const now = new Date(Date.now() + 60_000)
  await owner.write(utcSession(clinic_id), (tx) => storeAlerts(tx, clinic_id, { notices, now }))
  const paged = async (limit?: number) => {
    const found: string[][] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = new URLSearchParams({ ...(limit && { limit: `${limit}` }), ...(cursor && { cursor }) })
      const { status, json } = await get(`/alerts?${query}`)
      assert.equal(status, 200, JSON.stringify(json))
      found.push(json.data.map((one: { id: string }) => one.id))
      cursor = json.meta.next_cursor
    }
    return found
  }
  const [whole = [], ...others] = await paged(ALERTS.most_of_page)
  assert.deepEqual([whole.length, whole.at(-1), others], [notices.length + 1, id, []])
  assert.deepEqual(
    (await paged()).map(({ length }) => length),
    [ALERTS.page, 6],
  )
  assert.deepEqual((await paged(4)).flat(), whole)
  for (const query of ['cursor=x', 'cursor=1.', 'limit=0', `limit=${ALERTS.most_of_page + 1}`])
    assert.equal((await get(`/alerts?${query}`)).status, 400, query)
})

test('who has looked at an alert first stands beside it, whoever looks later, and each of them in the log', async () => {
  const { clinic, noa, id, see } = await noticed()
  const tal = await inRole(opened, owner, 'administrator', clinic)
  const before = (await audited(owner, clinic)).length
  const first = await see()
  assert.deepEqual([first.status, first.json.data.seen_by], [200, { id: noa.id, name: 'Noa Levi' }])
  const later = await send(opened, `/alerts/${id}/see`, { cookie: tal.cookie })
  for (const again of [await see(), later]) assert.deepEqual([again.status, again.json], [200, first.json])
  const rows = (await audited(owner, clinic)).slice(before)
  assert.deepEqual(
    rows.map(({ operation, key_id, resource_ids, status }) => [operation, key_id, resource_ids, status]),
    [noa, tal, noa].map((who) => ['console.alerts.see', who.id, [id], 200]),
  )
})

test('people who look at once are all told the same one of them', async () => {
  const { clinic, cookie, id } = await noticed()
  const tal = await inRole(opened, owner, 'administrator', clinic)
  const cookies = [cookie, tal.cookie, cookie, tal.cookie]
  const answers = await Promise.all(cookies.map((cookie) => send(opened, `/alerts/${id}/see`, { cookie })))
  assert.equal(new Set(answers.map(({ status, payload }) => `${status} ${payload}`)).size, 1)
  assert.equal(answers[0]?.status, 200)
})

test('a clinic sees none of another one’s alerts, and cannot mark them', async () => {
  const { id, read } = await noticed()
  const other = await noticed()
  assert.deepEqual(
    (await other.read('/alerts')).map((one: { id: string }) => one.id),
    [other.id],
  )
  const before = (await audited(owner, other.clinic)).length
  for (const which of [id, 'alert_unknown']) {
    const { status, json } = await other.see(which)
    assert.deepEqual([status, json.code], [404, 'not-found'])
  }
  assert.equal((await read('/alerts'))[0].seen_at, null)
  const rows = (await audited(owner, other.clinic)).slice(before)
  assert.deepEqual(
    rows.map(({ status, resource_ids }) => [status, resource_ids]),
    [
      [404, []],
      [404, []],
    ],
  )
})

test('owners, administrators and auditors see alerts, and an auditor marks none', async () => {
  const { clinic, id } = await noticed()
  for (const [role, list, mark] of [
    ['developer', 403, 403],
    ['member', 403, 403],
    ['auditor', 200, 403],
    ['administrator', 200, 200],
  ] as const) {
    const { cookie } = await inRole(opened, owner, role, clinic)
    assert.equal((await send(opened, '/alerts', { method: 'GET', cookie })).status, list, role)
    assert.equal((await send(opened, `/alerts/${id}/see`, { cookie })).status, mark, role)
  }
})

test('the home page shows the latest that nobody has looked at, and how many there are', async () => {
  const { clinic, key, store, id, see, read } = await noticed()
  const ids = [id]
  for (let day = 15; day < 15 + ALERTS.most_on_home; day += 1)
    ids.unshift(await store({ ...MANY_PATIENTS, key_id: key.id, day: `2026-07-${day}` }, new Date(Date.now() + day)))
  const shown = async () => {
    const { alerts, unseen_alerts } = await read('/home')
    return [alerts.map((one: { id: string }) => one.id), unseen_alerts]
  }
  assert.deepEqual(await shown(), [ids.slice(0, ALERTS.most_on_home), ALERTS.most_on_home + 1])
  await see(ids[0])
  assert.deepEqual(await shown(), [ids.slice(1), ALERTS.most_on_home])
  const { cookie } = await inRole(opened, owner, 'developer', clinic)
  const { data } = (await send(opened, '/home', { method: 'GET', cookie })).json
  assert.deepEqual([data.alerts, data.unseen_alerts], [[], 0])
})

test('a token of the clinic’s systems stands with its name, and a key that is gone with its id', async () => {
  const { store, post, get } = await noticed()
  const token = (await post('/ingest-tokens', { name: 'Exchange' })).json.data
  for (const key_id of [token.id, 'key_gone']) await store({ ...MANY_PATIENTS, key_id })
  const { data } = (await get('/alerts')).json
  const shown = (wanted: string) => {
    const { key, integration } = data.find((one: { key: { id: string } }) => one.key.id === wanted)
    return [key.kind, key.name, integration]
  }
  assert.deepEqual(shown(token.id), ['token', 'Exchange', null])
  assert.deepEqual(shown('key_gone'), ['unknown', null, null])
})
