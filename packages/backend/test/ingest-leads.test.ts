// The progress of leads through the ingest API: the allowed steps, and the timeline.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leadStatuses } from '@clinic-data/contract/resources/lead'
import { sql } from '@clinic-data/database'
import { ask } from '@clinic-data/testing/grounds/ask'
import { eventsOf, ingestOf } from '@clinic-data/testing/grounds/ingest'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { createBackend } from '../src/backend.ts'

const database = await testDatabase()
const { owner, app } = database
const backend = createBackend({ database: app, now: () => new Date(), log: failingLog })

async function clinicWithLead() {
  const clinic = await testClinic(owner)
  const send = await ingestOf(database, clinic)
  const capture = async (external_id: string) => {
    const body = { first_name: 'Dana', phone: '052-765-4321', source: 'social', external_id }
    return (await ask(backend, clinic, 'leads.create', { body })).data.id
  }
  const { clinic_id } = clinic
  const stored = async (id: string) => {
    const { rows } = await owner.query<{ status: string; converted_at: string | null; updated_at: string }>(sql`
      select status, converted_at, updated_at from lead where clinic_id = ${clinic_id} and id = ${id}`)
    return rows[0] ?? assert.fail()
  }
  const timeline = async (id: string) => {
    const { rows } = await owner.query<{ note: string }>(sql`select note from lead_activity
      where clinic_id = ${clinic_id} and lead_id = ${id} and kind = 'status' order by created_at, id`)
    return rows.map(({ note }) => note)
  }
  return { clinic, send, capture, stored, timeline }
}

const steps: Record<string, readonly string[]> = {
  new: ['in_progress', 'converted', 'lost'],
  in_progress: ['new', 'converted', 'lost'],
  lost: ['in_progress'],
  converted: [],
}

test('a lead takes only the allowed steps, each with an entry on its timeline', async () => {
  const { clinic, send, capture, stored, timeline } = await clinicWithLead()
  const id = await capture('form-1')
  for (const from of leadStatuses) {
    for (const status of leadStatuses) {
      await owner.query(sql`update lead set status = ${from} where clinic_id = ${clinic.clinic_id}`)
      const [before, entries] = [await stored(id), await timeline(id)]
      const answer = await send('/leads/status', { id, status })
      const after = await stored(id)
      const name = `${from} to ${status}`
      if (from === status) {
        assert.equal(answer.json.data.outcome, 'unchanged', name)
        assert.deepEqual([after, await timeline(id)], [before, entries], name)
      } else if (steps[from]?.includes(status)) {
        assert.equal(answer.json.data.outcome, 'updated', name)
        assert.deepEqual([after.status, await timeline(id)], [status, [...entries, status]], name)
        assert.equal(after.converted_at !== null, status === 'converted', name)
        assert.ok(after.updated_at > before.updated_at, name)
      } else {
        assert.deepEqual([answer.status, answer.json.errors[0].pointer], [422, '#/status'], name)
        assert.deepEqual([after, await timeline(id)], [before, entries], name)
      }
    }
  }
  assert.deepEqual(await eventsOf(owner, clinic), [])
})

test('a converted lead keeps the given time, and another lead has none', async () => {
  const { send, capture, stored } = await clinicWithLead()
  const id = await capture('form-1')
  const converted_at = '2026-07-14T10:30:00+03:00'
  const refused = await send('/leads/status', { id, status: 'lost', converted_at })
  assert.deepEqual([refused.status, refused.json.errors[0].pointer], [422, '#/converted_at'])
  await send('/leads/status', { id, status: 'converted', converted_at })
  assert.equal(Date.parse(String((await stored(id)).converted_at)), Date.parse(converted_at))
})

test('a reopened lead may be the second open one of its person, and a submission joins the newest', async () => {
  const { send, capture } = await clinicWithLead()
  const first = await capture('form-1')
  await send('/leads/status', { id: first, status: 'lost' })
  const second = await capture('form-2')
  assert.notEqual(second, first)
  assert.equal((await send('/leads/status', { id: first, status: 'in_progress' })).json.data.outcome, 'updated')
  assert.equal(await capture('form-3'), second)
})

test('each lead of a batch takes its step, each timeline tells it, and a submission joins the newest open lead', async () => {
  const { send, capture, timeline, stored } = await clinicWithLead()
  const first = await capture('form-1')
  await send('/leads/status', { id: first, status: 'lost' })
  const second = await capture('form-2')
  assert.notEqual(second, first)
  await send('/leads/status', { records: [first, second].map((id) => ({ id, status: 'in_progress' })) })
  assert.deepEqual([await timeline(first), await timeline(second)], [['lost', 'in_progress'], ['in_progress']])
  assert.deepEqual([(await stored(first)).status, (await stored(second)).status], ['in_progress', 'in_progress'])
  // Both are open, and of one person.
  assert.equal(await capture('form-3'), second)
})
