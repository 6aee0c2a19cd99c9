// One person in several clinics: who has proven both accounts in one browser opens them with one sign-in, and nobody else by any way.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PAIRINGS } from '@clinic-data/console-contract/pairing-operations'
import { sql, utcSession } from '@clinic-data/database'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { connecting, once, requestOf, storeApp } from './connecting.ts'
import { audited, openConsole, send } from './console-ground.ts'
import { at, byOwner, halvesOf, type Member, pairingGround } from './pairing-ground.ts'
import { setRole } from './people-ground.ts'

const { owner } = await testDatabase()
const opened = await openConsole(owner)
const { signIn, member, pair, listed, idOf, open, ask, openPair } = pairingGround(owner, opened)

const rowsOf = async (one: Member, name: string) =>
  (await audited(owner, one.clinic)).filter(({ operation }) => operation === name)
const clinicOf = async (one: Member, other: Member) => (await ask(one, other, '/session')).json?.data?.clinic.clinic_id

test('whoever offers an account in one clinic and accepts it in the other one opens both with one sign-in', async () => {
  const [carmel, tavor] = [await member(), await member()]
  const { status, json } = await pair(carmel, tavor)
  assert.deepEqual([status, json.data.clinic_id], [200, carmel.clinic.clinic_id])
  const [other] = await listed(carmel)
  assert.deepEqual([other?.clinic_id, other?.role, other?.is_open], [tavor.clinic.clinic_id, 'owner', true])
  assert.equal((await listed(tavor))[0]?.id, other?.id)
  assert.equal((await ask(carmel, tavor, '/session')).status, 401, 'it is opened first')
  assert.equal((await open(carmel)).status, 204)
  const { data } = (await ask(carmel, tavor, '/session')).json
  assert.deepEqual(
    [data.administrator.id, data.clinic.clinic_id, data.is_paired],
    [tavor.id, tavor.clinic.clinic_id, true],
  )
  const { data: first } = (await send(opened, '/session', { method: 'GET', cookie: carmel.cookie })).json
  assert.deepEqual(
    [first.clinic.clinic_id, first.is_paired, first.has_pairings],
    [carmel.clinic.clinic_id, false, true],
  )
  // Each clinic's log has its part, in the name of its own account.
  for (const one of [carmel, tavor]) {
    for (const name of ['console.pairings.make', 'console.pairings.open'])
      assert.deepEqual(
        (await rowsOf(one, name)).map((row) => [row.key_id, row.status]),
        [[one.id, name.endsWith('make') ? 200 : 204]],
        name,
      )
  }
})

test('what is done in a paired clinic is done there, in the name and the role of the account there', async () => {
  const { carmel, tavor } = await openPair()
  await setRole(owner, tavor, 'member')
  assert.equal((await ask(carmel, tavor, '/keys')).status, 403)
  await setRole(owner, tavor, 'administrator')
  const made = await ask(carmel, tavor, '/integrations', { headers: once(), body: { name: 'CRM' } })
  assert.equal(made.status, 201)
  const names = async (one: Member) =>
    (await send(opened, '/integrations', { method: 'GET', cookie: one.cookie })).json.data.map(
      ({ name }: { name: string }) => name,
    )
  assert.deepEqual([await names(tavor), await names(carmel)], [['CRM'], []])
  assert.deepEqual(
    (await rowsOf(tavor, 'console.integrations.create')).map(({ key_id }) => key_id),
    [tavor.id],
  )
  assert.deepEqual(await rowsOf(carmel, 'console.integrations.create'), [])
})

test('what gives power in a paired clinic wants a proof of its own there', async () => {
  const { carmel, tavor } = await openPair()
  const mint = () => ask(carmel, tavor, '/keys', { headers: once(), body: { name: 'CRM', scopes: ['patients:read'] } })
  assert.equal((await mint()).json.errors[0].code, 'confirmation_required')
  const confirm = (password: string) => ask(carmel, tavor, '/confirm/password', { body: { password } })
  assert.equal((await confirm(carmel.password)).status, 422, 'the first clinic’s password proves nothing here')
  assert.equal((await confirm(tavor.password)).status, 204)
  assert.equal((await mint()).status, 201)
})

test('an app that is allowed in a paired clinic is connected there', async () => {
  const { connect } = connecting(owner)
  const site = await openConsole(owner, { connect })
  const { carmel, tavor } = await openPair()
  const there = { cookie: carmel.cookie, headers: { ...once(), ...at(tavor.clinic.clinic_id) } }
  await send(site, '/confirm/password', { ...there, body: { password: tavor.password } })
  const body = { request: requestOf(await storeApp(owner)), scopes: ['patients:read'], days: 30 }
  assert.equal((await send(site, '/connect/allow', { ...there, body })).status, 201)
  const counts = await Promise.all(
    [carmel, tavor].map(({ clinic: { clinic_id } }) =>
      owner.read(utcSession(clinic_id), sql`select id from connection where clinic_id = ${clinic_id}`),
    ),
  )
  assert.deepEqual(
    counts.map(({ length }) => length),
    [0, 1],
  )
})

test('a session that another clinic opened never counts as one by a link or a passkey: a new password needs the present one', async () => {
  const { carmel, tavor } = await openPair()
  assert.equal((await ask(carmel, tavor, '/session')).json.data.needs_no_password, false)
  const { status } = await ask(carmel, tavor, '/password', { body: { password: 'another one of many words' } })
  assert.equal(status, 403)
})

type Ending = (carmel: Member, tavor: Member) => Promise<unknown>

const as = ({ cookie }: Member) => ({ cookie })
/** How it ends, and whether it may be opened again by the same session. */
const endings: Record<string, Ending> = {
  'the first session signs out': (carmel) => send(opened, '/sign-out', { ...as(carmel), body: {} }),
  'the first session is left alone': async (carmel) =>
    owner.query(sql`update administrator_session set seen_at = now() - interval '31 minutes'
      where clinic_id = ${carmel.clinic.clinic_id} and administrator_id = ${carmel.id}`),
  'the first account is disabled': (carmel) => byOwner(opened, owner, carmel, `/people/${carmel.id}/disable`),
  'the first account’s sessions are ended': (carmel) =>
    byOwner(opened, owner, carmel, `/people/${carmel.id}/sessions/end`),
  'the first clinic’s owner ends its pairings': (carmel) =>
    byOwner(opened, owner, carmel, `/people/${carmel.id}/pairings/end`),
  'the second account is disabled': (_, tavor) => byOwner(opened, owner, tavor, `/people/${tavor.id}/disable`),
  'the second account’s sessions are ended': (_, tavor) =>
    byOwner(opened, owner, tavor, `/people/${tavor.id}/sessions/end`),
  'the second clinic’s owner ends its pairings': (_, tavor) =>
    byOwner(opened, owner, tavor, `/people/${tavor.id}/pairings/end`),
  'the second account signs out everywhere': (_, tavor) =>
    send(opened, '/sign-out', { ...as(tavor), body: { everywhere: true } }),
  'its person ends the pairing in the first clinic': async (carmel) =>
    send(opened, `/pairings/${await idOf(carmel)}/end`, as(carmel)),
  'its person ends the pairing in the second clinic': async (_, tavor) =>
    send(opened, `/pairings/${await idOf(tavor)}/end`, as(tavor)),
  'its person ends the pairing in the opened session': async (carmel, tavor) =>
    ask(carmel, tavor, `/pairings/${await idOf(tavor)}/end`, {}),
}

for (const [name, end] of Object.entries(endings)) {
  test(`a paired clinic is closed to the browser from the answer on when ${name}`, async () => {
    const { carmel, tavor } = await openPair()
    assert.equal((await ask(carmel, tavor, '/session')).status, 200)
    await end(carmel, tavor)
    assert.equal((await ask(carmel, tavor, '/session')).status, 401)
    assert.equal((await ask(carmel, tavor, '/integrations', { headers: once(), body: { name: 'CRM' } })).status, 401)
  })
}

for (const [ends, reads] of [
  ['first', 'second'],
  ['second', 'first'],
] as const) {
  test(`a pairing that the ${ends} clinic alone has ended is in no list and opens nothing, and can be made anew`, async () => {
    const { carmel, tavor } = await openPair()
    const [ending, reading] = ends === 'first' ? [carmel, tavor] : [tavor, carmel]
    const id = await idOf(reading)
    await byOwner(opened, owner, ending, `/people/${ending.id}/pairings/end`)
    assert.deepEqual([await listed(ending), await listed(reading)], [[], []], reads)
    assert.equal((await send(opened, `/pairings/${id}/open`, as(reading))).status, 404)
    assert.equal((await pair(tavor, carmel)).status, 200)
    assert.equal((await listed(carmel)).length, 1)
    assert.equal((await open(tavor)).status, 204)
    assert.equal(await clinicOf(tavor, carmel), carmel.clinic.clinic_id)
  })
}

test('a pairing that its person ends leaves nothing in either clinic, and each log has its row', async () => {
  const { carmel, tavor } = await openPair()
  assert.equal((await send(opened, `/pairings/${await idOf(carmel)}/end`, as(carmel))).status, 204)
  for (const one of [carmel, tavor]) {
    assert.deepEqual(await halvesOf(owner, one), [])
    assert.deepEqual(
      (await rowsOf(one, 'console.pairings.end')).map(({ key_id }) => key_id),
      [one.id],
    )
  }
})

test('a pairing opens nothing to another person of either clinic, and no other clinic', async () => {
  const { carmel, tavor } = await openPair()
  const [colleague, stranger] = [await member(carmel.clinic), await member()]
  const id = await idOf(carmel)
  for (const one of [colleague, stranger]) {
    assert.deepEqual(await listed(one), [])
    assert.equal((await send(opened, `/pairings/${id}/open`, as(one))).status, 404)
    assert.equal((await send(opened, `/pairings/${id}/end`, as(one))).status, 404)
    assert.equal((await ask(one, tavor, '/session')).status, 401)
  }
  assert.equal((await ask(carmel, stranger, '/session')).status, 401)
  // Another session of the same person opens it itself.
  const second = { ...carmel, cookie: await signIn(carmel) }
  assert.equal((await ask(second, tavor, '/session')).status, 401)
  assert.equal((await open(second)).status, 204)
  assert.equal(await clinicOf(second, tavor), tavor.clinic.clinic_id)
})

test('a pairing reaches no further: what is paired with the other clinic is opened from there alone', async () => {
  const { carmel, tavor } = await openPair()
  const arbel = await member()
  assert.equal((await pair(tavor, arbel)).status, 200)
  assert.deepEqual(
    (await listed(carmel)).map(({ clinic_id }) => clinic_id),
    [tavor.clinic.clinic_id],
  )
  assert.equal((await ask(carmel, arbel, '/session')).status, 401)
  const inTavor = (await ask(carmel, tavor, '/pairings')).json.data
  assert.deepEqual(
    inTavor.map(({ is_open }: { is_open: boolean }) => is_open),
    [false, false],
  )
  for (const { id } of inTavor) {
    const { status, json } = await ask(carmel, tavor, `/pairings/${id}/open`, {})
    assert.equal(status, 409)
    assert.match(json.detail, /sign-in has opened this one/)
  }
})

test('an opened session lasts no longer than the first one, and says from where it was opened', async () => {
  const { carmel, tavor } = await openPair()
  const endOf = (answer: Awaited<ReturnType<typeof ask>>) => new Date(answer.json.data.expires_at).getTime()
  const first = await send(opened, '/session', { method: 'GET', cookie: carmel.cookie })
  assert.equal(endOf(await ask(carmel, tavor, '/session')), endOf(first))
  const { json } = await send(opened, `/people/${tavor.id}/sessions`, { method: 'GET', cookie: tavor.cookie })
  const from = json.data.map((one: { paired_clinic: string | null; way: string | null }) => [
    one.paired_clinic,
    one.way,
  ])
  assert.deepEqual(
    from.toSorted(),
    [
      [null, null],
      [carmel.clinic.clinic_id, null],
    ].toSorted(),
  )
})

test('its person and the owners of each clinic see since when a pairing is', async () => {
  const [carmel, tavor, arbel] = [await member(), await member(), await member()]
  const [early, late] = ['2026-03-04T22:30:00.000Z', '2026-05-06T07:08:09.010Z']
  const others = [
    { other: tavor, made: early },
    { other: arbel, made: late },
  ]
  for (const { other, made } of others) {
    assert.equal((await pair(other, carmel)).status, 200)
    const id = await idOf(other)
    for (const { clinic } of [carmel, other])
      await owner.query(
        sql`update pairing set created_at = ${made} where clinic_id = ${clinic.clinic_id} and id = ${id}`,
      )
  }
  const instants = (all: { created_at: string }[]) => all.map(({ created_at }) => new Date(created_at).toISOString())
  const seenByOwner = async ({ cookie }: Member) =>
    instants((await send(opened, '/people', { method: 'GET', cookie })).json.data[0].ways_in.pairings)
  assert.deepEqual(instants(await listed(carmel)).toSorted(), [early, late])
  assert.deepEqual(await seenByOwner(carmel), [late, early], 'the latest first')
  for (const { other, made } of others)
    assert.deepEqual([instants(await listed(other)), await seenByOwner(other)], [[made], [made]])
})

test('a pairing is not opened where its row in the audit log of that clinic cannot be stored', async () => {
  const [carmel, tavor] = [await member(), await member()]
  const quiet = { warn: () => undefined, error: () => undefined }
  const other = await openConsole(owner, { log: quiet })
  await pair(carmel, tavor)
  const { clinic_id } = tavor.clinic
  const alter = (what: string) => owner.maintain((tx) => tx.script(`alter table audit ${what}`))
  await alter(`add constraint refused_${clinic_id} check (clinic_id <> '${clinic_id}') not valid`)
  assert.equal((await send(other, `/pairings/${await idOf(carmel)}/open`, as(carmel))).status, 500)
  assert.equal((await ask(carmel, tavor, '/session')).status, 401)
  assert.equal((await send(other, `/pairings/${await idOf(carmel)}/end`, as(carmel))).status, 500)
  await alter(`drop constraint refused_${clinic_id}`)
  // The first clinic's half has ended it for both.
  assert.deepEqual([await listed(carmel), await listed(tavor)], [[], []])
})

test('one person is paired with at most so many clinics', async () => {
  const carmel = await member()
  for (let count = 0; count < PAIRINGS.most; count++) assert.equal((await pair(await member(), carmel)).status, 200)
  const last = await member()
  assert.equal((await pair(last, carmel)).status, 409)
  assert.equal((await pair(carmel, last)).status, 409)
  assert.equal((await listed(carmel)).length, PAIRINGS.most)
  assert.deepEqual(await listed(last), [])
})

test('a page of another site, and a header in another form, send nothing to a paired clinic', async () => {
  const { carmel, tavor } = await openPair()
  const { clinic_id } = tavor.clinic
  const make = (headers: Record<string, string | undefined>) =>
    send(opened, '/integrations', { ...as(carmel), headers: { ...once(), ...headers }, body: { name: 'CRM' } })
  for (const headers of [
    { ...at(clinic_id), 'sec-fetch-site': 'same-site' },
    { ...at(clinic_id), origin: 'https://evil.example' },
    { 'x-console': `at  ${clinic_id}` },
    { 'x-console': `at ${clinic_id},1` },
    { 'x-console': clinic_id },
  ])
    assert.equal((await make(headers)).status, 403, JSON.stringify(headers))
  assert.equal((await make(at(carmel.clinic.clinic_id))).status, 201, 'its own clinic')
  assert.equal((await make(at('nowhere'))).status, 401)
})
