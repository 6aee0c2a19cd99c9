// The erasure of one person: no byte of theirs is left in the clinic's tables, all of anybody else's is, and what was erased stays so.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { erasePatient } from '@clinic-data/backend/patient-erase/erase-patient'
import { allScopes, type Clinic } from '@clinic-data/contract'
import { sql, type Transaction, utcSession } from '@clinic-data/database'
import { lockOf } from '@clinic-data/surface/still-valid'
import { insert } from '@clinic-data/testing/grounds/rows'
import { ask, keyOf } from '@clinic-data/testing/run/test-service'
import { until } from '@clinic-data/testing/until'
import { eraseGround } from './erase-ground.ts'
import { correctPayment, DOUBTFUL, OTHER, OWN, twoPatients } from './two-patients.ts'
import { everythingOf, foreignOf, marksOf, PHONE, type Row, usedClinic } from './used-clinic.ts'

const { owner, service, clinicd, erase } = await eraseGround()

test('an erasure leaves no text and no byte of the patient in any table, and everything of anybody else', async () => {
  const { clinic, pay, payment } = await usedClinic(service)
  const elsewhere = await twoPatients(service)
  const before = await everythingOf(owner, clinic)
  const others = await everythingOf(owner, elsewhere.clinic)
  const marked = new Set(marksOf(before).map((mark) => mark.split(':')[0]))
  for (const place of [
    'event.body',
    'idempotency.answer',
    'file_piece.content',
    'lead.meta',
    'payment_document.content',
  ])
    assert.ok(marked.has(place), place)
  const out = await erase(clinic, '--yes')
  const after = await everythingOf(owner, clinic)
  assert.deepEqual(marksOf(after), [])
  assert.deepEqual(foreignOf(after), foreignOf(before))
  assert.deepEqual(await everythingOf(owner, elsewhere.clinic), others)
  assert.match(out, /Removed: 1 chat conversation, \d files, 1 lead activity\./)
  assert.match(out, /Left, because it may be another person's: .*1 call/)
  // The answer of a repeated request is still the answer, without the person.
  const again = await pay()
  assert.equal(again.headers['idempotent-replayed'], 'true')
  assert.deepEqual([again.json.data.id, again.json.data.description], [payment.id, null])
})

test('after an erasure the patient is there without a name, its payments and sums are as before, and no search finds it', async () => {
  const { clinic, key } = await usedClinic(service)
  const get = (path: string) => ask(service, key, path)
  const query = async (dataset: string, measures: string[], day: string) => {
    const filters = [{ field: day, op: 'between', value: ['2026-01-01', '2026-12-31'] }]
    const { status, json } = await ask(service, key, '/v1/query', {
      method: 'POST',
      body: { dataset, measures, filters },
    })
    assert.equal(status, 200, JSON.stringify(json))
    assert.ok(json.data.rows[0].values?.[0] !== 0, dataset)
    return json.data.rows
  }
  const sums = async () => [
    await query('payments', ['amount_collected', 'payment_count'], 'payment_date'),
    await query('calls', ['call_count', 'talk_time'], 'started_date'),
    await query('chat', ['message_count'], 'created_date'),
    await query('leads', ['lead_count'], 'created_date'),
    await query('treatments', ['treatment_count'], 'effective_date'),
  ]
  const [paid, counted] = [await get(`/v1/patients/${OWN}/payments`), await sums()]
  assert.equal(paid.json.data.length, 4)
  await erase(clinic, '--yes')
  const { status, json } = await get(`/v1/patients/${OWN}?response_format=detailed`)
  assert.equal(status, 200)
  const { id, created_at, updated_at, balance, contacts, ...details } = json.data
  assert.deepEqual([id, contacts, Object.values(details).every((value) => value === null)], [OWN, [], true])
  assert.ok(updated_at > created_at && balance !== undefined)
  assert.deepEqual(await sums(), counted)
  const now = await get(`/v1/patients/${OWN}/payments`)
  const kept = ({ id, amount, paid_at, documents }: Row) => ({ id, amount, paid_at, documents })
  assert.deepEqual(now.json.data.map(kept), paid.json.data.map(kept))
  for (const path of [`/v1/patients?query=${OWN}-first`, '/v1/patients?phone=%2B972501111111']) {
    const found = (await get(path)).json.data as Row[]
    assert.ok(!found.some((row) => row.id === OWN), path)
  }
})

test('subscribers are told by patient.updated, and older events keep their places without the person', async () => {
  const { clinic } = await usedClinic(service)
  await insert(owner, clinic, 'lane', { subscription_id: 'wh_crm' })
  const feed = async () => {
    const rows = await owner.read<{ body: string }>(
      clinic,
      sql`select body from event where clinic_id = ${clinic.clinic_id} order by position`,
    )
    return rows.map(({ body }) => JSON.parse(body) as Row)
  }
  const before = await feed()
  await erase(clinic, '--yes')
  const after = await feed()
  const known = new Set(before.map(({ id }) => id))
  const named = ({ id, type, created_at }: Row) => [id, type, created_at]
  assert.deepEqual(after.filter(({ id }) => known.has(id)).map(named), before.map(named))
  const told = after.filter(({ id }) => !known.has(id)).map(({ type, data }) => [type, (data as Row).id])
  assert.deepEqual(told, [
    ['patient.updated', OWN],
    ['appointment.updated', `${OWN}-appointment`],
    ['call.updated', `${OWN}-call`],
  ])
  const waiting = await owner.read(
    clinic,
    sql`select from delivery where clinic_id = ${clinic.clinic_id} and event_type = 'patient.updated' and status = 'pending'`,
  )
  assert.equal(waiting.length, 1)
  assert.ok(!JSON.stringify(after).includes(`${OWN}-first`))
})

test('without --yes nothing changes and everything is counted, and where nothing has come back a second erasure says when the first one was', async () => {
  const { clinic } = await usedClinic(service)
  const before = await everythingOf(owner, clinic)
  const look = await clinicd('patients', 'erase', OWN, '--clinic', clinic.clinic_id)
  assert.deepEqual([look.code, await everythingOf(owner, clinic)], [2, before])
  assert.match(look.out, /Would be made anonymous: 1 patient, 1 appointment, 4 payments/)
  assert.match(look.errors, /nothing was changed\..*--yes/)
  const first = JSON.parse(await erase(clinic, '--yes', '--json'))
  const after = await everythingOf(owner, clinic)
  const second = JSON.parse(await erase(clinic, '--yes', '--json'))
  assert.deepEqual([second.is_new, second.erased_at], [false, first.erased_at])
  assert.deepEqual(await everythingOf(owner, clinic), after)
  const rows = await owner.read<{ resource_ids: string[]; key_id: string }>(
    utcSession(clinic.clinic_id),
    sql`select resource_ids, key_id from audit where clinic_id = ${clinic.clinic_id} and operation = 'operator.patients.erase'`,
  )
  assert.equal(rows.length, 1)
  assert.ok(rows[0]?.resource_ids.includes(OWN))
  const unknown = await clinicd('patients', 'erase', 'nobody', '--clinic', clinic.clinic_id, '--yes')
  assert.match(unknown.errors, /no patient with this id/)
})

test('what may be another person’s is erased when somebody says that it is not', async () => {
  const { clinic } = await usedClinic(service)
  await erase(clinic, '--yes', '--include-doubtful')
  const held = await everythingOf(owner, clinic)
  const doubtful = [...held].flatMap(([table, rows]) =>
    rows.filter((row) => new RegExp(`"${DOUBTFUL}"`).test(JSON.stringify(row))).map(() => table),
  )
  // The other patient's lead and its submission.
  assert.deepEqual(doubtful.sort(), ['lead', 'lead_activity'])
  assert.deepEqual(marksOf(held), [])
})

test('a document in the patient’s name is erased also where its payment was corrected to another patient', async () => {
  const { clinic, payment } = await usedClinic(service)
  const { clinic_id } = clinic
  const [{ id } = { id: '' }] = payment.documents
  const document = async () => {
    const [row] = await owner.read<{ content: { customer: object }; file_id: string | null; number: number }>(
      clinic,
      sql`select content, file_id, number from payment_document where clinic_id = ${clinic_id} and id = ${id}`,
    )
    return row ?? assert.fail('no document')
  }
  await owner.query(sql`update payment set patient_id = ${OTHER} where clinic_id = ${clinic_id} and id = ${payment.id}`)
  // As an earlier version issued it and corrected the payment.
  await owner.query(
    sql`update payment_document set named_patient_id = null where clinic_id = ${clinic_id} and id = ${id}`,
  )
  const [before, held] = [await document(), await everythingOf(owner, clinic)]
  assert.notEqual(before.file_id, null)
  const look = await clinicd('patients', 'erase', OWN, '--clinic', clinic_id)
  assert.match(look.out, /, 2 documents,/)
  await erase(clinic, '--yes')
  const { content, file_id, number } = await document()
  assert.deepEqual([content.customer, file_id, number], [{ name: '', id_number: null }, null, before.number])
  assert.deepEqual(foreignOf(await everythingOf(owner, clinic)), foreignOf(held))
})

test('a document that names the patient by the name alone is erased, too, once its payment was corrected to another', async () => {
  const two = await twoPatients(service)
  const document_id = await correctPayment(service, two)
  await erase(two.clinic, '--yes')
  const documents = (await everythingOf(owner, two.clinic)).get('payment_document') ?? []
  const { content } = documents.find(({ id }) => id === document_id) ?? assert.fail('no document')
  assert.partialDeepStrictEqual(content, { customer: { name: '', id_number: null } })
})

test('a kept answer is without the patient whom it names, also where its payment was corrected to or from another', async () => {
  const { clinic, key, pay, payment } = await usedClinic(service)
  const { clinic_id } = clinic
  const headers = { 'idempotency-key': 'of-the-other' }
  const body = { amount: 20, method_type: 'cash', description: `${OTHER}-kept` }
  const payOther = () => ask(service, key, `/v1/patients/${OTHER}/payments`, { method: 'POST', headers, body })
  const { json: other } = await payOther()
  await owner.query(sql`update payment set patient_id = case when id = ${payment.id} then ${OTHER} else ${OWN} end
    where clinic_id = ${clinic_id} and id in (${payment.id}, ${other.data.id})`)
  await erase(clinic, '--yes')
  const { json } = await pay()
  const { patient, description } = json.data
  assert.deepEqual([patient, description], [{ id: OWN, first_name: null, last_name: null }, null])
  assert.deepEqual((await payOther()).json, other)
})

for (const [why, change] of [
  ['number', sql`update patient set id_number = ${`${OWN}-number`} where id = ${OTHER}`],
  ['name', sql`update patient set first_name = 'Another', last_name = 'Name' where id = ${OWN}`],
] as const)
  test(`a document on another patient’s payment stays and is counted where its ${why} may be another person’s`, async () => {
    const { clinic, payment } = await usedClinic(service)
    const { clinic_id } = clinic
    await owner.query(
      sql`update payment set patient_id = ${OTHER} where clinic_id = ${clinic_id} and id = ${payment.id}`,
    )
    // As an earlier version issued it.
    await owner.query(sql`update payment_document set named_patient_id = null where clinic_id = ${clinic_id}`)
    await owner.query(sql`${change} and clinic_id = ${clinic_id}`)
    const documents = async () =>
      (await everythingOf(owner, clinic)).get('payment_document')?.filter((row) => row.payment_id === payment.id)
    const before = await documents()
    assert.match(await erase(clinic, '--yes'), /Left, because it may be another person's: .*\b1 document\b/)
    assert.deepEqual(await documents(), before)
  })

test('an erasure whose connection is killed before its end changes nothing', async () => {
  const { clinic } = await usedClinic(service)
  const before = await everythingOf(owner, clinic)
  const erasing = erasePatient(owner, clinic, OWN, {
    now: () => new Date(),
    withDoubtful: false,
    beside: async (tx) => {
      const { rows } = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
      await owner.query(sql`select pg_terminate_backend(${rows[0]?.pid ?? 0}::int)`)
    },
  })
  await assert.rejects(erasing)
  assert.deepEqual(await everythingOf(owner, clinic), before)
})

test('nobody is erased while a message to them is being sent', async () => {
  const { clinic } = await usedClinic(service)
  const sending = {
    message_id: 'out_1001',
    conversation_id: `${OWN}-conversation`,
    position: 1,
    due_at: '2026-03-01T08:00:00Z',
  }
  await insert(owner, clinic, 'chat_send', sending)
  const before = await everythingOf(owner, clinic)
  const { code, errors } = await clinicd('patients', 'erase', OWN, '--clinic', clinic.clinic_id, '--yes')
  assert.equal(code, 2)
  assert.match(errors, /nothing was changed: 1 message to the patient is being sent/)
  assert.deepEqual(await everythingOf(owner, clinic), before)
})

/** As a write of a key of the clinic does that is under way. @returns what waits until so many wait for it. */
async function holdWrites(tx: Transaction, { clinic_id }: Clinic) {
  const { rows } = await tx.query<{ id: string }>(sql`select id from api_key where clinic_id = ${clinic_id} limit 1`)
  const lock = lockOf({ clinic_id, id: rows[0]?.id ?? assert.fail('no key') })
  await tx.query(sql`select pg_advisory_xact_lock_shared(${lock})`)
  return (count: number) =>
    until(
      async () => {
        const waiting = await owner.query(sql`select from pg_locks where locktype = 'advisory' and not granted
          and (classid::bigint << 32) | objid::bigint = ${lock}`)
        return waiting.rows.length === count
      },
      () => `there are not ${count} that wait for the write`,
    )
}

test('of two erasures of a patient at once one erases, and the other one says when', async () => {
  const { clinic } = await usedClinic(service)
  const at = new Date()
  const first = { now: () => at, withDoubtful: false, beside: () => undefined }
  const erasing = await owner.write(clinic, async (tx) => {
    const waiting = await holdWrites(tx, clinic)
    const one = erasePatient(owner, clinic, OWN, first)
    await waiting(1)
    const other = erase(clinic, '--yes', '--json')
    await waiting(2)
    return [one, other] as const
  })
  const [one, other] = await Promise.all(erasing)
  assert.equal(one?.erased_before, null)
  const { is_new, erased_at } = JSON.parse(other)
  assert.deepEqual([is_new, erased_at], [false, at.toISOString()])
})

test('an erasure waits for a write that is under way, and what it stored is erased too', async () => {
  const { clinic } = await usedClinic(service)
  const { clinic_id } = clinic
  let erasing: Promise<unknown> = Promise.resolve()
  await owner.write(clinic, async (tx) => {
    const waiting = await holdWrites(tx, clinic)
    erasing = erasePatient(owner, clinic, OWN, { now: () => new Date(), withDoubtful: false, beside: () => undefined })
    await waiting(1)
    await tx.query(
      sql`update appointment set note = 'zq1-late' where clinic_id = ${clinic_id} and id = ${`${OWN}-appointment`}`,
    )
  })
  assert.notEqual(await erasing, null)
  assert.deepEqual(marksOf(await everythingOf(owner, clinic)), [])
})

test('a key of all scopes shows nothing of the patient on any page that lists its records', async () => {
  const { clinic } = await usedClinic(service)
  const key = await keyOf(owner, clinic, allScopes)
  await erase(clinic, '--yes')
  for (const path of ['calls', 'chat/messages', 'chat/conversations', 'patients', 'appointments']) {
    const { text } = await ask(service, key, `/v1/${path}?response_format=detailed&limit=100`)
    assert.ok(
      !PHONE.test(text) && !new RegExp(`${OWN}-(first|last|note|text|display|preview|summary)`).test(text),
      path,
    )
  }
})
