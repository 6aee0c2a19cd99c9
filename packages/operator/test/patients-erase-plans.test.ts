// What an erasure does to the names of treatment plans, free text about a person: in their rows, and in events of other patients.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql, utcSession } from '@clinic-data/database'
import { ingestOf } from '@clinic-data/testing/grounds/ingest'
import { emptyClinic } from '@clinic-data/testing/run/test-service'
import { eraseGround } from './erase-ground.ts'
import { OWN } from './two-patients.ts'

const { owner, service, clinicd, erase } = await eraseGround()
const NAME = 'Crown for Bea'

async function plannedClinic() {
  const clinic = await emptyClinic(owner)
  const send = await ingestOf({ app: service.database, owner }, clinic)
  const ok = async (path: string, record: object) => {
    const { status, json } = await send(path, record)
    assert.equal(status, 200, `${path} ${JSON.stringify(json)}`)
  }
  for (const id of [OWN, 'dan', 'anna']) await ok('/patients', { id, first_name: 'Some' })
  return {
    clinic,
    plan: (id: string, name = NAME) => ok('/treatment-plans', { id, name }),
    treat: (id: string, patient_id: string, plan_id: string | null) =>
      ok('/treatments', { id, patient_id, plan_id, price: 1 }),
    /** The plans, and the patients and plans of the events about treatments. */
    held: async () => {
      const read = (statement: ReturnType<typeof sql>) =>
        owner.read<{ row: string }>(utcSession(clinic.clinic_id), statement)
      const plans = await read(sql`select id || ': ' || name as row from treatment_plan
        where clinic_id = ${clinic.clinic_id} order by id`)
      const events = await read(sql`select concat_ws(' ', data ->> 'id', data -> 'patient' ->> 'id',
          data -> 'patient' ->> 'first_name', data -> 'plan' ->> 'id', data -> 'plan' ->> 'name') as row
        from (select position, body::json -> 'data' as data from event
          where clinic_id = ${clinic.clinic_id} and body like '%"treatment.%') told order by position`)
      return { plans: plans.map(({ row }) => row), events: events.map(({ row }) => row) }
    },
  }
}

test('the name of an erased patient’s plan goes from the events of other patients too, and nothing else of theirs', async () => {
  const { clinic, plan, treat, held } = await plannedClinic()
  const { code, errors } = await clinicd('patients', 'erase', 'anna', '--clinic', clinic.clinic_id, '--yes')
  assert.equal(code, 0, errors)
  await plan('joined')
  await plan('dans', 'Of Dan')
  await treat('t1', OWN, 'joined')
  await treat('t2', 'anna', 'joined')
  await treat('t3', 'dan', 'joined')
  await treat('t3', 'dan', 'dans')
  await erase(clinic, '--yes')
  assert.deepEqual(await held(), {
    plans: ['dans: Of Dan', 'joined: -'],
    events: [`t1 ${OWN} joined -`, 't2 anna joined -', 't3 dan Some joined -', 't3 dan Some dans Of Dan'],
  })
  assert.match(await erase(clinic, '--yes'), /Nothing was changed now/)
})

test('a plan that has lost its treatments is the patient’s whom its events name, unless another patient’s treatment uses it', async () => {
  const { clinic, plan, treat, held } = await plannedClinic()
  for (const id of ['left', 'moved', 'shared']) await plan(id)
  await plan('dans', 'Of Dan')
  await treat('t1', OWN, 'left')
  await treat('t1', OWN, null)
  await treat('t2', OWN, 'moved')
  await treat('t2', 'dan', 'moved')
  await treat('t2', 'dan', null)
  await treat('t3', OWN, 'shared')
  await treat('t3', 'dan', 'shared')
  await treat('t4', 'dan', 'dans')
  await treat('t4', 'dan', null)
  assert.match(await erase(clinic, '--yes'), /2 treatment plans/)
  assert.deepEqual(await held(), {
    plans: ['dans: Of Dan', 'left: -', 'moved: -', `shared: ${NAME}`],
    events: [
      `t1 ${OWN} left -`,
      `t1 ${OWN}`,
      `t2 ${OWN} moved -`,
      't2 dan Some moved -',
      't2 dan Some',
      `t3 ${OWN} shared -`,
      `t3 dan Some shared ${NAME}`,
      't4 dan Some dans Of Dan',
      't4 dan Some',
    ],
  })
  assert.match(await erase(clinic, '--yes'), /Nothing was changed now/)
})
