// Lead capture: which submission makes a lead, and which joins one. Simultaneous or repeated submissions make only one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { ask, problem } from '@clinic-data/testing/grounds/ask'
import { doneOrWaiting } from '@clinic-data/testing/grounds/waits'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { createBackend } from '../src/backend.ts'
import { forgetAnswers } from '../src/handling/idempotent.ts'

const { owner, app } = await testDatabase()
let now = () => new Date()
const backend = createBackend({ database: app, now: () => now(), log: failingLog })
const person = { first_name: 'Dana', phone: '052-765-4321', source: 'website' }
const submit = (clinic: Clinic, body: object, idempotency_key?: string) =>
  ask(backend, clinic, 'leads.create', { body, ...(idempotency_key ? { idempotency_key } : {}) })

const timeline = async ({ clinic_id }: Clinic) => {
  const { rows } = await owner.query<{ lead_id: string; kind: string; note: string | null }>(sql`
    select lead_id, kind, note from lead_activity where clinic_id = ${clinic_id} order by created_at, id`)
  return rows
}

test('of a hundred equal submissions at once one makes a lead and the others join its timeline', async () => {
  const clinic = await testClinic(owner)
  const answers = await Promise.all(Array.from({ length: 100 }, () => submit(clinic, person)))
  assert.equal(new Set(answers.map(({ data }) => data.id)).size, 1)
  assert.equal(answers.filter(({ status }) => status === undefined).length, 1)
  const entries = await timeline(clinic)
  assert.equal(entries.length, 99)
  assert.ok(entries.every(({ kind }) => kind === 'submission'))
})

test('a submission waits for others by each of its names, in one order, so that no two wait for each other', async () => {
  const clinic = await testClinic(owner)
  const names = ['email z@example.com', 'external_id form-1', 'phone +972527654321']
  const isFree = (name: string) =>
    sql`select pg_try_advisory_xact_lock(hashtextextended(${`${clinic.clinic_id} lead ${name}`}, 0)) as is_free`
  for (const held of names) {
    const { free, submitting } = await app.write(clinic, async (tx) => {
      await tx.query(isFree(held))
      const submitting = submit(clinic, { ...person, email: 'z@example.com', external_id: 'form-1' })
      await doneOrWaiting(owner, tx, submitting, '%pg_advisory_xact_lock%')
      const free = []
      for (const name of names) {
        if ((await tx.query<{ is_free: boolean }>(isFree(name))).rows[0]?.is_free) free.push(name)
      }
      return { free, submitting }
    })
    assert.deepEqual(free, names.slice(names.indexOf(held)))
    await submitting
  }
})

test('a submission finds its lead by its own id, then by phone in any form, then by email in any case', async () => {
  const clinic = await testClinic(owner)
  const first = await submit(clinic, { ...person, external_id: 'form-1' })
  const byPhone = await submit(clinic, {
    first_name: 'D',
    phone: '+972 52 7654321',
    source: 'bot',
    external_id: 'form-2',
  })
  const joined = await submit(clinic, { first_name: 'Z', email: 'z@example.com', source: 'bot', external_id: 'form-2' })
  assert.deepEqual([byPhone.data.id, joined.data.id], [first.data.id, first.data.id])
  const other = await submit(clinic, { first_name: 'Other', email: 'Other@Example.com', source: 'phone' })
  const byEmail = await submit(clinic, { first_name: 'O', email: 'oTHER@example.COM', source: 'phone' })
  assert.notEqual(other.data.id, first.data.id)
  assert.equal(byEmail.data.id, other.data.id)
  assert.equal(byEmail.data.email, 'Other@Example.com')
})

test('a lead is accepted with one unreadable contact, and matched only by the other', async () => {
  const clinic = await testClinic(owner)
  const named = { first_name: 'Dana', source: 'social' }
  const first = await submit(clinic, { ...named, phone: 'call me!', email: 'dana@example.com' })
  assert.deepEqual([first.data.phone, first.data.email], ['call me!', 'dana@example.com'])
  const same = await submit(clinic, { ...named, phone: '03-', email: '\u200edana@Example.com' })
  assert.equal(same.data.id, first.data.id)
  const other = await submit(clinic, { ...named, phone: 'call me!', email: 'noa@example.com' })
  assert.notEqual(other.data.id, first.data.id)
  const phoned = await submit(clinic, { ...named, phone: '052-765-4321', email: 'dana@' })
  assert.deepEqual([phoned.status, phoned.data.email], [undefined, 'dana@'])
  const again = await submit(clinic, { ...named, phone: '\u202a052\u2011765\u20114321\u202c', email: 'dana@' })
  assert.equal(again.data.id, phoned.data.id)
  const another = await submit(clinic, { ...named, phone: '052-765-9999', email: 'dana@' })
  assert.notEqual(another.data.id, phoned.data.id)
})

test('two people behind one switchboard are two leads, each found by the extension', async () => {
  const clinic = await testClinic(owner)
  const at = (phone: string) => submit(clinic, { first_name: 'Dana', source: 'phone', phone })
  const [twelve, thirteen, main] = [
    await at('03-555-1234 x12'),
    await at('03-555-1234 ext. 13'),
    await at('03-555-1234'),
  ]
  assert.equal(twelve.data.phone, '03-555-1234 x12')
  assert.equal(new Set([twelve, thirteen, main].map(({ data }) => data.id)).size, 3)
  assert.equal((await at('+972 3 555 1234 ext 12')).data.id, twelve.data.id)
})

test('only its own id joins a submission to a converted or lost lead', async () => {
  const clinic = await testClinic(owner)
  const { data } = await submit(clinic, { ...person, external_id: 'form-1' })
  await owner.query(sql`update lead set status = 'lost' where clinic_id = ${clinic.clinic_id} and id = ${data.id}`)
  const replay = await submit(clinic, { ...person, external_id: 'form-1' })
  assert.deepEqual([replay.data.id, replay.data.status, replay.status], [data.id, 'lost', 200])
  const again = await submit(clinic, person)
  assert.notEqual(again.data.id, data.id)
  assert.equal(again.data.status, 'new')
})

test('a note is kept on the timeline, and attribution and meta are kept as sent', async () => {
  const clinic = await testClinic(owner)
  const attribution = { utm_source: 'a', clicks: 3, paid: true, empty: '' }
  const { data } = await submit(clinic, {
    ...person,
    note: 'Call after five',
    attribution,
    meta: { deep: [{ a: null }] },
  })
  assert.deepEqual(data.attribution, attribution)
  const { rows } = await owner.query<{ meta: object }>(sql`select meta from lead where clinic_id = ${clinic.clinic_id}`)
  assert.deepEqual(rows, [{ meta: { deep: [{ a: null }] } }])
  assert.deepEqual(await timeline(clinic), [{ lead_id: data.id, kind: 'note', note: 'Call after five' }])
})

test('the same Idempotency-Key gives the first answer again, and is refused for other content', async () => {
  const clinic = await testClinic(owner)
  const first = await submit(clinic, person, 'key-1')
  const again = await submit(clinic, { source: 'website', phone: '052-765-4321', first_name: 'Dana' }, 'key-1')
  assert.deepEqual(again, { ...first, replayed: true })
  assert.deepEqual(await timeline(clinic), [])
  await assert.rejects(submit(clinic, { ...person, first_name: 'Noa' }, 'key-1'), problem('idempotency-key-reused'))
  const elsewhere = await submit(await testClinic(owner), person, 'key-1')
  assert.equal(elsewhere.replayed, undefined)
})

/** Times are stored in milliseconds, rounded. */
const MORE_THAN_A_DAY = '24:00:00.001'

test('an Idempotency-Key answers for 24 hours, and is then forgotten', async () => {
  const clinic = await testClinic(owner)
  const isReplayed = async () => (await submit(clinic, person, 'key-1')).replayed === true
  const age = (by: string) =>
    owner.query(sql`update idempotency set created_at = now() - ${by}::interval where clinic_id = ${clinic.clinic_id}`)
  const kept = async () => {
    await app.write(clinic, (tx) => forgetAnswers(tx, clinic))
    return (await owner.query(sql`select from idempotency where clinic_id = ${clinic.clinic_id}`)).rows.length
  }
  assert.equal(await isReplayed(), false)
  await age('23:59')
  assert.deepEqual([await isReplayed(), await kept()], [true, 1])
  await age(MORE_THAN_A_DAY)
  assert.equal(await isReplayed(), false)
  await age(MORE_THAN_A_DAY)
  assert.equal(await kept(), 0)
})

test('an Idempotency-Key that is used again after a day answers from then on what it made last', async () => {
  const clinic = await testClinic(owner)
  const first = await submit(clinic, person, 'key-1')
  await owner.query(
    sql`update idempotency set created_at = now() - ${MORE_THAN_A_DAY}::interval where clinic_id = ${clinic.clinic_id}`,
  )
  const other = { ...person, phone: '052-111-2222' }
  const second = await submit(clinic, other, 'key-1')
  assert.notEqual(second.data.id, first.data.id)
  const again = await submit(clinic, other, 'key-1')
  assert.deepEqual([again.replayed, again.data], [true, second.data])
})

test('the same content with its names in another order is the same content for an Idempotency-Key', async () => {
  const clinic = await testClinic(owner)
  const meta = { campaign: { b: 1, a: 2 } }
  await submit(clinic, { ...person, meta }, 'key-1')
  const reordered = { meta: { campaign: { a: 2, b: 1 } }, source: 'website', phone: '052-765-4321', first_name: 'Dana' }
  assert.equal((await submit(clinic, reordered, 'key-1')).replayed, true)
  const swapped = { ...person, meta: { campaign: { b: 2, a: 1 } } }
  await assert.rejects(submit(clinic, swapped, 'key-1'), problem('idempotency-key-reused'))
})

test('an Idempotency-Key answers also where the clock of a machine is a day ahead', async () => {
  const clinic = await testClinic(owner)
  await submit(clinic, person, 'key-1')
  try {
    now = () => new Date(Date.now() + 2 * 86_400_000)
    assert.equal((await submit(clinic, person, 'key-1')).replayed, true)
  } finally {
    now = () => new Date()
  }
})
