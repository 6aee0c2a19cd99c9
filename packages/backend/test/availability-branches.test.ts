// Free slots of several branches in one request: those of each branch alone, in one order.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { ask, problem } from '@clinic-data/testing/grounds/ask'
import { insert, insertAppointment } from '@clinic-data/testing/grounds/rows'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { createBackend } from '../src/backend.ts'

const { owner, app } = await testDatabase()
const backend = createBackend({ database: app, now: () => new Date('2026-07-12T06:30:00Z'), log: failingLog })

const BRANCHES = ['here', 'there', 'yonder']

/** Two providers: one of them works at two branches a day, and an appointment at one takes the time at the other. */
async function threeBranches(): Promise<Clinic> {
  const clinic = await testClinic(owner)
  await insert(owner, clinic, 'branch', ...BRANCHES.map((id) => ({ id, name: `Branch ${id}` })))
  await insert(owner, clinic, 'provider', { id: 'dr-a' }, { id: 'dr-b' })
  const hours = [
    ['dr-a', 'here', '08:00', '13:00'],
    ['dr-a', 'there', '09:00', '16:00'],
    ['dr-b', 'there', '08:00', '12:00'],
    ['dr-b', 'yonder', '14:00', '18:00'],
  ] as const
  for (const [provider_id, branch_id, starts_at, ends_at] of hours)
    for (const weekday of [1, 2])
      await insert(owner, clinic, 'working_hours', { provider_id, branch_id, weekday, starts_at, ends_at })
  const off = { id: 'off', branch_id: 'there', start: '2026-07-13T07:00:00Z', end: '2026-07-13T08:00:00Z' }
  await insert(owner, clinic, 'time_off', off)
  const visit = { start: '2026-07-14T07:00:00Z', end: '2026-07-14T08:00:00Z' }
  await insertAppointment(owner, clinic, { id: 'a1', branch_id: 'here', ...visit }, ['dr-a'])
  return clinic
}

const days = { from: '2026-07-13', to: '2026-07-14' }

async function slots(clinic: Clinic, branch_id: string, further_branch_ids?: string) {
  const query = { ...days, branch_id, ...(further_branch_ids !== undefined && { further_branch_ids }) }
  return (await ask(backend, clinic, 'availability.list', { query })).data
}

test('the slots of several branches are those of each, by start, then by provider and branch', async () => {
  const clinic = await threeBranches()
  const alone = await Promise.all(BRANCHES.map((branch) => slots(clinic, branch)))
  assert.ok(alone.every((one) => one.length > 0))
  const keyOf = ({ start, provider_id, branch_id }: (typeof alone)[0][0]) => `${start} ${provider_id} ${branch_id}`
  const together = await slots(clinic, 'here', 'there,yonder')
  assert.deepEqual(
    together,
    alone.flat().sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)),
  )
  assert.deepEqual(await slots(clinic, 'yonder', 'there,here,yonder'), together)
  assert.deepEqual(await slots(clinic, 'here', 'here'), alone[0])
})

test('an unknown branch among several is 404, also when the others have slots', async () => {
  const clinic = await threeBranches()
  await assert.rejects(slots(clinic, 'here', 'there,nowhere'), problem('not-found', /nowhere/))
  await assert.rejects(slots(clinic, 'nowhere', 'here'), problem('not-found', /nowhere/))
})
