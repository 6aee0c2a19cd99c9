// A connection that ends while its app takes or renews tokens, and a person who is disabled while allowing an app: no token is left.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { disableAdministrator } from '@clinic-data/administration/administrators'
import { sql, utcSession } from '@clinic-data/database'
import { doneOrWaiting } from '@clinic-data/testing/grounds/waits'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { until } from '@clinic-data/testing/until'
import { endConnection } from '../src/connections/change-connection.ts'
import { endConnectionsOfApp } from '../src/connections/end-of-app.ts'
import { lockInTurn } from '../src/tokens/connection-state.ts'
import { allowed, connected, newPerson, openConnect, type Person, storeApp } from './connect-ground.ts'

const { owner, app } = await testDatabase()
const opened = openConnect({ owner, app })
const { post, principal } = opened
const wait = async () => undefined

async function connectionOf({ clinic: { clinic_id } }: Person) {
  const rows = await owner.read<{ id: string; end_reason: string | null; has_ended: boolean }>(
    utcSession(clinic_id),
    sql`select c.id, c.end_reason, k.revoked_at is not null as has_ended from connection c
      join api_key k on k.clinic_id = ${clinic_id} and k.id = c.id where c.clinic_id = ${clinic_id}`,
  )
  assert.equal(rows.length, 1)
  return rows[0] ?? assert.fail()
}

const lockOf = ({ clinic: { clinic_id } }: Person, id: string) =>
  sql`hashtextextended(${clinic_id}::text || ' connection ' || ${id}::text, 0)`

/** All of them wait for the connection's lock, in this order, before the first gets it. */
async function inTurn<T>(person: Person, id: string, begin: readonly (() => Promise<T>)[]): Promise<T[]> {
  const waiting = sql`select from pg_locks where locktype = 'advisory' and not granted
    and (classid::bigint << 32 | objid::bigint) = ${lockOf(person, id)}`
  const { clinic_id } = person.clinic
  const begun = await owner.write(utcSession(clinic_id), async (tx) => {
    lockInTurn(tx, clinic_id, [id])
    await tx.query(sql`select`)
    const begun: Promise<T>[] = []
    for (const one of begin) {
      begun.push(one())
      await until(
        async () => (await owner.query(waiting)).rows.length === begun.length,
        () => `${begun.length} do not wait for the lock`,
      )
    }
    return begun
  })
  return Promise.all(begun)
}

interface Answered {
  status: number
  body: Record<string, string>
}

async function assertNothingOpens(person: Person, client_id: string, tokens: readonly Record<string, string>[]) {
  for (const { access_token, refresh_token } of tokens) {
    assert.equal(await principal(access_token), null)
    const refreshing = { grant_type: 'refresh_token', client_id, refresh_token: refresh_token ?? '' }
    assert.equal((await post('token', refreshing)).status, 400)
  }
  assert.equal((await connectionOf(person)).has_ended, true)
}

test('of a code that is exchanged while its connection ends no token is left, whoever comes first', async () => {
  for (const first of ['exchange', 'end']) {
    const [noa, client_id] = [await newPerson(owner), await storeApp(owner)]
    const form = await allowed(opened, owner, noa, client_id)
    const { id } = await connectionOf(noa)
    const ending = { app_id: client_id, clinic_ids: [noa.clinic.clinic_id], now: new Date(), wait }
    const exchange = (): Promise<Answered | null> => post('token', form)
    const end = () => endConnectionsOfApp(owner, { ...ending, beside: () => () => undefined }).then(() => null)
    const [one, other] = await inTurn(noa, id, first === 'exchange' ? [exchange, end] : [end, exchange])
    const { status, body } = one ?? other ?? assert.fail()
    assert.deepEqual([status, body.error], first === 'exchange' ? [200, undefined] : [400, 'invalid_grant'])
    await assertNothingOpens(noa, client_id, [body])
    assert.equal((await post('token', form)).status, 400)
  }
})

test('of a token that is renewed while its connection ends no token is left, whoever comes first', async () => {
  for (const first of ['refresh', 'end']) {
    const [noa, client_id] = [await newPerson(owner), await storeApp(owner)]
    const tokens = await connected(opened, owner, noa, client_id)
    const { id } = await connectionOf(noa)
    const form = { grant_type: 'refresh_token', client_id, refresh_token: tokens.refresh_token ?? '' }
    const refresh = (): Promise<Answered | null> => post('token', form)
    const ending = { id, now: new Date(), wait, record: () => undefined }
    const end = () => endConnection(owner, noa.clinic, ending).then(() => null)
    const [one, other] = await inTurn(noa, id, first === 'refresh' ? [refresh, end] : [end, refresh])
    const { status, body } = one ?? other ?? assert.fail()
    assert.deepEqual([status, body.error], first === 'refresh' ? [200, undefined] : [400, 'invalid_grant'])
    await assertNothingOpens(noa, client_id, [tokens, body])
    assert.equal((await connectionOf(noa)).end_reason, 'ended')
  }
})

test('a person who is disabled while allowing an app leaves no connection', async () => {
  const [noa, client_id] = [await newPerson(owner), await storeApp(owner)]
  const { clinic_id } = noa.clinic
  const [allowing, disabling] = await owner.write(utcSession(clinic_id), async (tx) => {
    // Connecting refers to the clinic's row: first by an integration, and on a cluster by the key.
    await tx.query(sql`select from clinic where clinic_id = ${clinic_id} for update`)
    const allowing = allowed(opened, owner, noa, client_id)
    await doneOrWaiting(owner, tx, allowing, 'insert into integration%', 'insert into api_key%')
    const disabling = disableAdministrator(owner, { clinic_id, id: noa.id, now: new Date() }, undefined, wait)
    await doneOrWaiting(owner, tx, disabling, 'select pg_advisory_xact_lock(hashtextextended($1%')
    return [allowing, disabling] as const
  })
  const form = await allowing
  await disabling
  const { end_reason, has_ended } = await connectionOf(noa)
  assert.deepEqual([end_reason, has_ended], ['person_disabled', true])
  assert.equal((await post('token', form)).body.error, 'invalid_grant')
  await assert.rejects(allowed(opened, owner, noa, client_id), { slug: 'unauthorized' })
})
