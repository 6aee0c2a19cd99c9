// The watch over real logs: planted incidents are called, a clinic's by its own rows alone, once by two dispatchers, and again after a kill.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { type ClinicDatabase, sql, utcSession } from '@clinic-data/database'
import { owner, Rounds, row } from '@clinic-data/testing/grounds/audit-ground'
import { insert } from '@clinic-data/testing/grounds/rows'
import { testClinic } from '@clinic-data/testing/run/test-database'
import { countUnseenAlerts, listAlerts, markAlertsSeen } from '../src/watch/alerts.ts'
import { markStopped } from '../src/watch/stopping-rules.ts'
import type { Usual } from '../src/watch/usual.ts'
import { watchClinic } from '../src/watch/watch-clinic.ts'
import { watchLogs } from '../src/watch/watch-log.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const NOW = new Date(`${new Date().toISOString().slice(0, 10)}T12:00:00Z`)
const dayBefore = (days: number) => new Date(NOW.getTime() - days * DAY_MS).toISOString().slice(0, 10)
const session = ({ clinic_id }: Clinic) => utcSession(clinic_id)
const alertsOf = async (clinic: Clinic) => (await listAlerts(owner, session(clinic), { limit: 100 })).alerts
const called = async (clinic: Clinic) => (await alertsOf(clinic)).map(({ rule, key_id }) => `${rule} ${key_id}`).sort()

/** A clinic whose key has worked every day of the last month, and which is watched. */
async function watchedClinic(): Promise<{ clinic: Clinic; rounds: Rounds }> {
  const clinic = await testClinic(owner)
  for (let days = 28; days > 0; days -= 1)
    await sums(clinic, 'key_1', days, { requests: 200, refusals: 3, patients: 30 })
  assert.equal(await watchClinic(owner, session(clinic), NOW), 'done')
  assert.deepEqual(await called(clinic), [])
  return { clinic, rounds: new Rounds() }
}

async function sums(
  { clinic_id }: Clinic,
  key_id: string,
  days: number,
  counts: { requests: number; refusals: number; patients: number },
) {
  const zeros = sql`array_fill(0, array[18])`
  await owner.query(sql`insert into audit_hour
    (clinic_id, hour, key_id, requests, refusals, failures, patients, durations, minutes, busiest_minute)
    values (${clinic_id}, ${`${dayBefore(days)}T08:00:00Z`}, ${key_id}, ${counts.requests}, ${counts.refusals}, 0, ${counts.patients},
      ${zeros}, ${zeros}, 0)`)
}

/** Adds rows of today, each of one patient, and seals them. */
async function read(clinic: Clinic, rounds: Rounds, patients: readonly string[], changes: object = {}) {
  const rows = patients.map((id) =>
    row(clinic, { resource_ids: [id, '', id], operation: 'patients.get', count: 1, ...changes }),
  )
  for (let n = 0; n < rows.length; n += 500) await insert(owner, clinic, 'audit', ...rows.slice(n, n + 500))
  await rounds.next(clinic)
  await rounds.next(clinic)
}

/** As after three months: the networks are known, too. */
async function known({ clinic_id }: Clinic, network = '192.0.2.0/24') {
  const { rows } = await owner.query<{ learnt: Usual }>(
    sql`select learnt from audit_usual where clinic_id = ${clinic_id} and key_id = 'key_1'`,
  )
  const learnt = {
    ...rows[0]?.learnt,
    networks_since: dayBefore(90),
    networks: [{ network, first_day: dayBefore(90), last_day: dayBefore(1) }],
  }
  await owner.query(
    sql`update audit_usual set learnt = ${JSON.stringify(learnt)}::jsonb where clinic_id = ${clinic_id} and key_id = 'key_1'`,
  )
}

const storeKey = (clinic: Clinic, id: string, more: object) =>
  insert(owner, clinic, 'api_key', {
    id,
    key_hash: Buffer.from(clinic.clinic_id + id)
      .toString('hex')
      .padEnd(64, '0')
      .slice(-64),
    first_characters: '',
    last_characters: '',
    name: id,
    scopes: [],
    created_at: NOW.toISOString(),
    ...more,
  })

const resumeKeys = ({ clinic_id }: Clinic) =>
  owner.query(sql`update api_key set stopped_at = null where clinic_id = ${clinic_id}`)

const shuffled = (count: number) => Array.from({ length: count }, (_, n) => `p${(n * 7_919) % 10_007}`)

test('many patients, in the order of their ids, from a new network: each is called with its numbers, and nothing of another clinic', async () => {
  const [one, other] = [await watchedClinic(), await watchedClinic()]
  await known(one.clinic)
  await known(other.clinic)
  await read(other.clinic, other.rounds, shuffled(80))
  await read(
    one.clinic,
    one.rounds,
    Array.from({ length: 120 }, (_, n) => `p${n + 1}`),
    { address: '198.51.100.7' },
  )
  assert.deepEqual(await watchLogs(owner, [session(one.clinic), session(other.clinic)], { now: NOW }), [])
  assert.deepEqual(await called(other.clinic), [])
  assert.deepEqual(await called(one.clinic), ['many_patients key_1', 'new_network key_1', 'patients_in_order key_1'])
  const facts = Object.fromEntries((await alertsOf(one.clinic)).map(({ rule, facts }) => [rule, facts]))
  assert.deepEqual(facts, {
    many_patients: { patients: 120, busiest: 30, busiest_day: dayBefore(28) },
    new_network: { network: '198.51.100.0/24', known: 1 },
    patients_in_order: { patients: 119, longest_before: 0 },
  })
})

test('a key that reads leads is called as one that reads patients, one by one in order or in lists', async () => {
  const { clinic, rounds } = await watchedClinic()
  const lists = Array.from({ length: 4 }, (_, page) => Array.from({ length: 30 }, (_, n) => `l${page * 1_000 + n}`))
  const list = lists.map((ids) => row(clinic, { resource_ids: [...ids, ''], operation: 'leads.list', count: 30 }))
  await insert(owner, clinic, 'audit', ...list)
  await read(clinic, rounds, [], {})
  const one = Array.from({ length: 50 }, (_, n) =>
    row(clinic, { resource_ids: [`l${n + 1}`, ''], operation: 'leads.get', count: 1 }),
  )
  await insert(owner, clinic, 'audit', ...one)
  await read(clinic, rounds, [], {})
  await watchClinic(owner, session(clinic), NOW)
  assert.deepEqual(await called(clinic), ['many_patients key_1', 'patients_in_order key_1'])
  const [first] = (await alertsOf(clinic)).filter(({ rule }) => rule === 'many_patients')
  assert.deepEqual(first?.facts, { patients: 141, busiest: 30, busiest_day: dayBefore(28) })
})

test('refusals are called, and the first use after long silence', async () => {
  const { clinic, rounds } = await watchedClinic()
  await read(clinic, rounds, shuffled(150), { status: 403 })
  await owner.query(sql`insert into audit_usual (clinic_id, key_id, learnt)
    select clinic_id, 'key_2', learnt || jsonb_build_object('last_day', ${dayBefore(50)}::text) from audit_usual
    where clinic_id = ${clinic.clinic_id} and key_id = 'key_1'`)
  await read(clinic, rounds, ['p1'], { key_id: 'key_2' })
  await watchClinic(owner, session(clinic), NOW)
  assert.deepEqual(await called(clinic), ['many_refusals key_1', 'silence key_2'])
})

test('a key that was stopped meanwhile was not silent by itself', async () => {
  const { clinic, rounds } = await watchedClinic()
  const { clinic_id } = clinic
  for (const id of ['key_2', 'key_3'])
    await owner.query(sql`insert into audit_usual (clinic_id, key_id, learnt)
      select clinic_id, ${id}, learnt || jsonb_build_object('last_day', ${dayBefore(50)}::text) from audit_usual
      where clinic_id = ${clinic_id} and key_id = 'key_1'`)
  await storeKey(clinic, 'key_2', { stopped_at: NOW.toISOString() })
  await owner.query(sql`update audit_watch set day = ${dayBefore(1)} where clinic_id = ${clinic_id}`)
  await watchClinic(owner, session(clinic), NOW)
  await resumeKeys(clinic)
  for (const key_id of ['key_2', 'key_3']) await read(clinic, rounds, ['p1'], { key_id })
  await watchClinic(owner, session(clinic), NOW)
  assert.deepEqual(await called(clinic), ['silence key_3'])
})

test('what a rule stopped counts as seen from the moment on at which somebody resumes it', async () => {
  const { clinic, rounds } = await watchedClinic()
  const { clinic_id } = clinic
  const more = async (count: number) => {
    await read(clinic, rounds, shuffled(count))
    await watchClinic(owner, session(clinic), NOW)
    return (await alertsOf(clinic)).map(({ facts }) => facts)
  }
  await storeKey(clinic, 'key_1', { stopped_at: NOW.toISOString() })
  await more(100)
  const ids = (await alertsOf(clinic)).map(({ id }) => id)
  await owner.write(session(clinic), (tx) => markStopped(tx, clinic_id, { ids, now: NOW }))
  // What it had done before it was stopped.
  const facts = { patients: 110, busiest: 30, busiest_day: dayBefore(28) }
  assert.deepEqual(await more(110), [facts])
  await resumeKeys(clinic)
  assert.deepEqual(await more(180), [facts])
  assert.deepEqual(await more(340), [{ patients: 340, busiest: 110, busiest_day: NOW.toISOString().slice(0, 10) }])
})

test('a new key is quiet whatever it does', async () => {
  const { clinic, rounds } = await watchedClinic()
  await read(
    clinic,
    rounds,
    Array.from({ length: 300 }, (_, n) => `p${n}`),
    { key_id: 'key_new' },
  )
  await read(clinic, rounds, shuffled(200), { key_id: 'key_new', status: 403, address: '198.51.100.7' })
  await watchClinic(owner, session(clinic), NOW)
  assert.deepEqual(await called(clinic), [])
})

test('a key that ended is called once while it is tried, as revoked or as stopped', async () => {
  const { clinic } = await watchedClinic()
  const { clinic_id } = clinic
  const end = new Date(NOW.getTime() - 3 * 60 * 60 * 1000)
  for (const [id, column] of [
    ['key_r', 'revoked_at'],
    ['key_s', 'stopped_at'],
  ] as const)
    await storeKey(clinic, id, { [column]: end.toISOString(), tried_at: NOW.toISOString() })
  for (const minutes of [5, 10]) await watchClinic(owner, session(clinic), new Date(NOW.getTime() + minutes * 60_000))
  await owner.query(
    sql`update api_key set tried_at = ${new Date(NOW.getTime() + DAY_MS)} where clinic_id = ${clinic_id}`,
  )
  await watchClinic(owner, session(clinic), new Date(NOW.getTime() + DAY_MS + 60_000))
  assert.deepEqual(await called(clinic), ['ended_key key_r', 'stopped_partner key_s'])
})

test('two dispatchers at once, and rounds again, store one alert; its numbers grow until it is seen', async () => {
  const { clinic, rounds } = await watchedClinic()
  await read(clinic, rounds, shuffled(100))
  const turns = await Promise.all([1, 2, 3].map(() => watchClinic(owner, session(clinic), NOW)))
  assert.ok(turns.includes('done'), String(turns))
  await read(clinic, rounds, shuffled(150))
  await watchClinic(owner, session(clinic), NOW)
  const [alert, ...others] = await alertsOf(clinic)
  assert.deepEqual(
    [others.length, alert?.rule, alert?.facts],
    [0, 'many_patients', { patients: 150, busiest: 30, busiest_day: dayBefore(28) }],
  )
})

test('what somebody has seen is called again only when it is much worse, and then waits to be seen again', async () => {
  const { clinic, rounds } = await watchedClinic()
  const { clinic_id } = clinic
  await insert(owner, clinic, 'administrator', {
    id: 'adm_1',
    email: 'noa@clinic.example',
    name: 'Noa',
    password: null,
    created_at: NOW.toISOString(),
  })
  await read(clinic, rounds, shuffled(100))
  await watchClinic(owner, session(clinic), NOW)
  const ids = (await alertsOf(clinic)).map(({ id }) => id)
  const seen = () => owner.write(session(clinic), (tx) => markAlertsSeen(tx, clinic_id, { ids, by: 'adm_1', now: NOW }))
  assert.deepEqual([await seen(), await seen(), await countUnseenAlerts(owner, session(clinic))], [ids, [], 0])
  await read(clinic, rounds, shuffled(300))
  await watchClinic(owner, session(clinic), NOW)
  assert.equal(await countUnseenAlerts(owner, session(clinic)), 0)
  await read(clinic, rounds, shuffled(301))
  await watchClinic(owner, session(clinic), NOW)
  assert.equal(await countUnseenAlerts(owner, session(clinic)), 1)
})

test('a turn that is undone halfway leaves nothing, and the next one finds it all', async () => {
  const { clinic, rounds } = await watchedClinic()
  await known(clinic)
  await read(
    clinic,
    rounds,
    Array.from({ length: 100 }, (_, n) => `p${n + 1}`),
    { address: '198.51.100.7' },
  )
  const state = async () =>
    (
      await owner.query(sql`select w.last_id, u.learnt from audit_watch w join audit_usual u on u.clinic_id = ${clinic.clinic_id}
      where w.clinic_id = ${clinic.clinic_id}`)
    ).rows
  const before = await state()
  const killed: ClinicDatabase = {
    read: (...read) => owner.read(...read),
    write: (of, work) =>
      owner.write(of, async (tx) => {
        await work(tx)
        throw new Error('killed')
      }),
  }
  await assert.rejects(watchClinic(killed, session(clinic), NOW), /killed/)
  assert.deepEqual([await state(), await called(clinic)], [before, []])
  await watchClinic(owner, session(clinic), NOW)
  assert.deepEqual(await called(clinic), ['many_patients key_1', 'new_network key_1', 'patients_in_order key_1'])
})

test('a long log is watched in turns of a page, and none is left out', async () => {
  const { clinic, rounds } = await watchedClinic()
  const many = Array.from({ length: 5_200 }, (_, n) => `p${n + 1}`)
  await read(clinic, rounds, many)
  assert.equal(await watchClinic(owner, session(clinic), NOW), 'goes_on')
  assert.equal(await watchClinic(owner, session(clinic), NOW), 'done')
  const order = (await alertsOf(clinic)).find(({ rule }) => rule === 'patients_in_order')
  assert.deepEqual(order?.facts, { patients: 5_199, longest_before: 0 })
})
