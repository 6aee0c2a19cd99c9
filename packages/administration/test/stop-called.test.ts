// A rule of the watch stops the integration whose key it called, where an owner chose that: once, told, and undone like any other Stop.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { createBackend } from '@clinic-data/backend'
import {
  type AlertRule,
  alertRules,
  type StoppingRule,
  type StopRule,
  stoppingRules,
} from '@clinic-data/console-contract/alert-operations'
import { hashKey } from '@clinic-data/contract/key'
import { type Database, sql, utcSession } from '@clinic-data/database'
import { newSecretKeys } from '@clinic-data/testing/grounds/webhook-ground'
import { failingLog, testDatabase } from '@clinic-data/testing/run/test-database'
import { stopCalled } from '../src/alerts/stop-called.ts'
import { resumeIntegration } from '../src/integrations/stop-integration.ts'
import { MANY_PATIENTS, storeAlert } from './alert-ground.ts'
import { audited, openConsole, send } from './console-ground.ts'
import { integrationGround, storeWebhook, webhookOf } from './integration-ground.ts'
import { inRole } from './people-ground.ts'

const { owner, app, ownerUrl } = await testDatabase()
const CHILD = join(import.meta.dirname, 'stop-called-child.ts')
const wait = async () => undefined
const opened = await openConsole(owner, { wait })
const secretKeys = newSecretKeys()
const backend = createBackend({ database: app, now: () => new Date(), log: failingLog, secretKeys })
const opens = async (secret: string) => (await backend.authenticate(hashKey(secret))) !== null

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** The console works at this moment. */
const NOW = new Date()
const after = (ms: number) => new Date(NOW.getTime() + ms)
const TODAY = NOW.toISOString().slice(0, 10)
const IN_TWO_DAYS = after(2 * DAY_MS)
  .toISOString()
  .slice(0, 10)

/** A clinic with a key, and what its rules may do. */
async function ground({ chosen = ['many_patients'] as readonly StoppingRule[] } = {}) {
  const own = await integrationGround(opened, owner)
  const { clinic, clinic_id, noa, mint } = own
  const key = await mint('CRM')
  const choose = (rule: StoppingRule, stops = true) => own.post('/stop-rules', { rule, stops })
  for (const rule of chosen) assert.equal((await choose(rule)).status, 200)
  return {
    ...own,
    key,
    choose,
    call: ({ at = after(MINUTE_MS), key_id = key.id, patients = 4_112, day = TODAY } = {}) =>
      storeAlert(owner, clinic_id, { ...MANY_PATIENTS, facts: { ...MANY_PATIENTS.facts, patients }, key_id, day }, at),
    stopAt: (now = after(2 * MINUTE_MS)) => stopCalled(owner, utcSession(clinic_id), { now: () => now, wait }),
    acts: async () => (await audited(owner, clinic)).filter(({ key_id }) => key_id === 'watch'),
    noa,
  }
}

async function alertOf(database: Database, clinic_id: string, id: string) {
  const { rows } = await database.query<{ stopped_at: string | null; seen_by: string | null }>(
    sql`select stopped_at, seen_by from audit_alert where clinic_id = ${clinic_id} and id = ${id}`,
  )
  return rows[0] ?? assert.fail('no such alert')
}

test('by default nothing is stopped, whatever a rule calls', async () => {
  const { key, call, stopAt, read, acts } = await ground({ chosen: [] })
  await call()
  assert.deepEqual(await stopAt(), [])
  assert.ok(await opens(key.key))
  assert.deepEqual(await acts(), [])
  const rules: StopRule[] = await read('/stop-rules')
  assert.deepEqual(
    rules,
    stoppingRules.map((rule) => ({ rule, chosen_at: null, chosen_by: null })),
  )
})

test('a chosen rule stops all of the integration at once, as the watch, and a person undoes it like any other Stop', async () => {
  const { clinic_id, noa, key, mint, call, stopAt, read, resume, acts } = await ground()
  const other = await mint('Other')
  const second = await mint('Second', { integration_id: key.integration.id })
  const webhook = await storeWebhook(owner, clinic_id, { made_by: key.id })
  const id = await call()
  assert.deepEqual(await stopAt(), [key.integration.id])
  assert.deepEqual([await opens(key.key), await opens(second.key), await opens(other.key)], [false, false, true])
  assert.ok((await webhookOf(owner, clinic_id, webhook)).is_paused)
  const shown = await read(`/integrations/${key.integration.id}`)
  const at = after(2 * MINUTE_MS).toISOString()
  assert.deepEqual([shown.stopped_by, shown.is_stopped_by_rule], [null, true])
  const [alert] = await read('/alerts')
  for (const { stopped_at } of [shown, alert]) assert.equal(new Date(stopped_at).toISOString(), at)
  assert.equal(alert.seen_at, null)
  const [act, ...more] = await acts()
  assert.deepEqual([act?.operation, act?.resource_ids, more], ['watch.integrations.stop', [key.integration.id, id], []])
  const listed = (await read('/activity?actor=watch'))[0]
  assert.deepEqual(listed.who, { id: 'watch', name: 'watch', kind: 'watch', connected_by: null })
  await resume(key.integration.id)
  assert.deepEqual([await opens(key.key), await opens(second.key)], [true, true])
  // Whoever undoes it has looked at why.
  assert.equal((await alertOf(owner, clinic_id, id)).seen_by, noa.id)
  const after_it = await read(`/integrations/${key.integration.id}`)
  assert.deepEqual([after_it.stopped_at, after_it.is_stopped_by_rule], [null, false])
})

test('dispatchers at once, and rounds again, stop once', async () => {
  const { call, stopAt, acts } = await ground()
  await call()
  await Promise.all([stopAt(), stopAt(), stopAt()])
  await stopAt(after(10 * MINUTE_MS))
  assert.equal((await acts()).length, 1)
})

test('what a dispatcher had left to do when it was killed right after a Stop is done in the next round', async () => {
  const { clinic_id, key, call, stopAt, acts } = await ground()
  await call()
  const at = after(2 * MINUTE_MS).toISOString()
  const child = spawn(process.execPath, [CHILD, ownerUrl, clinic_id, at], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [said] = await once(child.stdout, 'data')
  assert.equal(String(said), 'stopped\n')
  child.kill('SIGKILL')
  await once(child, 'exit')
  // A write of the key that was under way, in a process of the version before.
  const webhook = await storeWebhook(owner, clinic_id, { made_by: key.id })
  assert.deepEqual([await opens(key.key), (await webhookOf(owner, clinic_id, webhook)).enabled], [false, true])
  assert.deepEqual(await stopAt(after(3 * MINUTE_MS)), [])
  const { enabled, is_paused, integration_id } = await webhookOf(owner, clinic_id, webhook)
  assert.deepEqual([enabled, is_paused, integration_id], [false, true, key.integration.id])
  assert.equal((await acts()).length, 1)
})

test('rules that call together stop once, and each says so', async () => {
  const { clinic_id, key, call, stopAt, acts } = await ground({ chosen: stoppingRules })
  const facts = { patients: 300, longest_before: 4 }
  const ids = [
    await call(),
    await storeAlert(
      owner,
      clinic_id,
      { rule: 'patients_in_order', key_id: key.id, day: TODAY, facts },
      after(MINUTE_MS),
    ),
  ]
  await stopAt()
  const [act, ...more] = await acts()
  assert.deepEqual([act?.resource_ids.toSorted(), more], [[key.integration.id, ...ids].toSorted(), []])
  for (const id of ids) assert.notEqual((await alertOf(owner, clinic_id, id)).stopped_at, null)
})

test('what somebody has resumed is not stopped again for the same day, by any rule, and is for another one', async () => {
  const { clinic_id, key, call, stopAt, resume, acts } = await ground({ chosen: stoppingRules })
  await call()
  await stopAt()
  await resume(key.integration.id)
  // It got much worse than what somebody has looked at, and another rule has called later.
  await call({ at: after(4 * MINUTE_MS), patients: 9_000 })
  const facts = { patients: 300, longest_before: 4 }
  const at = after(5 * MINUTE_MS)
  await storeAlert(owner, clinic_id, { rule: 'patients_in_order', key_id: key.id, day: TODAY, facts }, at)
  assert.deepEqual(await stopAt(after(6 * MINUTE_MS)), [])
  assert.ok(await opens(key.key))
  await call({ at: after(2 * DAY_MS), patients: 20_000, day: IN_TWO_DAYS })
  assert.deepEqual(await stopAt(after(2 * DAY_MS + MINUTE_MS)), [key.integration.id])
  assert.equal((await acts()).length, 2)
})

test('what the operator resumed is not stopped again for the same day either', async () => {
  const { clinic, key, call, stopAt } = await ground()
  await call()
  await stopAt()
  const resuming = { id: key.integration.id, by: null, now: after(3 * MINUTE_MS), record: () => undefined }
  await resumeIntegration(owner, clinic, resuming)
  await call({ at: after(4 * MINUTE_MS), patients: 9_000 })
  assert.deepEqual(await stopAt(after(5 * MINUTE_MS)), [])
})

test('what was noticed before the choice, or a day ago, or is looked at, stops nothing', async () => {
  const { call, choose, stopAt } = await ground({ chosen: [] })
  await call({ at: after(-MINUTE_MS) })
  await choose('many_patients')
  assert.deepEqual(await stopAt(), [])
  const other = await ground()
  const id = await other.call()
  assert.deepEqual(await other.stopAt(after(MINUTE_MS + DAY_MS)), [])
  await other.post(`/alerts/${id}/see`)
  assert.deepEqual(await other.stopAt(), [])
})

test('a choice that is taken back stops nothing more', async () => {
  const { call, choose, stopAt, read } = await ground()
  await choose('many_patients', false)
  await call()
  assert.deepEqual(await stopAt(), [])
  assert.ok((await read('/stop-rules')).every(({ chosen_at }: StopRule) => chosen_at === null))
})

test('a key that has ended, a token of the clinic’s systems and an unknown key stop nothing', async () => {
  const { key, post, call, stopAt, acts } = await ground()
  const token = (await post('/ingest-tokens', { name: 'Exchange' })).json.data
  assert.equal((await post(`/keys/${key.id}/revoke`)).status, 200)
  for (const key_id of [key.id, token.id, 'key_gone']) await call({ key_id })
  assert.deepEqual(await stopAt(), [])
  assert.deepEqual(await acts(), [])
})

test('one that a person has stopped stays the person’s', async () => {
  const { noa, key, call, stop, stopAt, read, acts } = await ground()
  await stop(key.integration.id)
  await call()
  assert.deepEqual(await stopAt(), [])
  assert.deepEqual(await acts(), [])
  assert.equal((await read(`/integrations/${key.integration.id}`)).stopped_by.id, noa.id)
})

test('a clinic’s choice stops nothing of another one', async () => {
  const [one, other] = [await ground(), await ground({ chosen: [] })]
  await other.call()
  assert.deepEqual([await one.stopAt(), await other.stopAt()], [[], []])
  assert.ok(await opens(other.key.key))
})

test('an owner chooses, with a row; who else sees alerts sees the choice', async () => {
  const { clinic, noa, choose } = await ground({ chosen: [] })
  const before = (await audited(owner, clinic)).length
  for (const stops of [true, true, false]) assert.equal((await choose('silence', stops)).status, 200)
  const rows = (await audited(owner, clinic)).slice(before)
  assert.deepEqual(
    rows.map(({ operation, key_id, resource_ids }) => [operation, key_id, resource_ids]),
    ['on', 'on', 'off'].map((how) => ['console.alerts.set_stop_rule', noa.id, ['silence', how]]),
  )
  for (const [role, list] of [
    ['administrator', 200],
    ['auditor', 200],
    ['developer', 403],
    ['member', 403],
  ] as const) {
    const { cookie } = await inRole(opened, owner, role, clinic)
    assert.equal((await send(opened, '/stop-rules', { method: 'GET', cookie })).status, list, role)
    const answer = await send(opened, '/stop-rules', { cookie, body: { rule: 'silence', stops: true } })
    assert.equal(answer.status, 403, role)
  }
})

test('only rules that notice a taking of data may stop', async () => {
  const { choose, read } = await ground({ chosen: [] })
  const others = alertRules.filter((rule: AlertRule) => !(stoppingRules as readonly AlertRule[]).includes(rule))
  assert.deepEqual(others, ['many_refusals', 'ended_key', 'stopped_partner'])
  for (const rule of others) assert.equal((await choose(rule as StoppingRule)).status, 400)
  const [first] = await read('/stop-rules')
  await choose('silence')
  const [chosen] = await read('/stop-rules')
  assert.deepEqual([first.chosen_at, chosen.chosen_by.name], [null, 'Noa Levi'])
})
