// Tests that whatever signs nobody in any more is removed, and nothing else.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql, utcSession } from '@clinic-data/database'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { listAdministrators, makeSignInLink } from '../src/administrators.ts'
import { removeEndedSignIns } from '../src/remove-ended.ts'
import { newPassword, openConsole, person, send, signedIn, statusesOf } from './console-ground.ts'

const { owner } = await testDatabase()

async function countsOf(clinic_id: string): Promise<Record<string, number>> {
  const count = (table: string) =>
    sql`(select count(*)::integer from ${sql.identifier(table)} where clinic_id = ${clinic_id})`
  const [counts] = await owner.read<Record<string, number>>(
    utcSession(clinic_id),
    sql`select ${count('administrator_session')} as sessions, ${count('sign_in_link')} as links,
      ${count('sign_in_attempt')} as attempts, ${count('spent_challenge')} as challenges,
      ${count('invitation')} as invitations`,
  )
  return counts ?? {}
}

async function spend(clinic_id: string, expires_at: Date, count = 1): Promise<void> {
  await owner.query(sql`insert into spent_challenge (clinic_id, challenge_hash, expires_at)
    select ${clinic_id}, encode(sha256((n || ${expires_at.toISOString()}::text)::bytea), 'hex'), ${expires_at}
    from generate_series(1, ${count}) n`)
}

test('ended sessions, expired links and challenges and old attempts are removed, the others stay', async () => {
  const opened = await openConsole(owner)
  const noa = await person(owner)
  const { clinic_id } = noa.clinic
  const link = () => makeSignInLink(owner, { clinic_id, id: noa.id, now: opened.clock.now() })
  const guess = (email: string) => send(opened, '/sign-in', { body: { clinic_id, email, password: newPassword() } })
  const ended = await signedIn(opened, owner, noa)
  // Last seen later than the sign-in.
  opened.clock.advance(5)
  assert.deepEqual(await statusesOf(opened, [ended]), [200])
  await guess('nobody@clinic.example')
  await link()
  await owner.query(sql`insert into invitation (clinic_id, id, token_hash, email, name, role, made_by, created_at, expires_at)
    values (${clinic_id}, 'inv_1', ${'a'.repeat(64)}, 'dan@clinic.example', 'Dan', 'member', ${noa.id}, now(), now())`)
  await spend(clinic_id, new Date(opened.clock.now().getTime() + 5 * 60_000))
  await removeEndedSignIns(owner, clinic_id, opened.clock.now())
  assert.deepEqual(await countsOf(clinic_id), { sessions: 1, links: 1, attempts: 1, challenges: 1, invitations: 1 })

  opened.clock.advance(31)
  const seen = (await listAdministrators(owner, clinic_id))[0]?.last_seen_at
  assert.equal(await removeEndedSignIns(owner, clinic_id, opened.clock.now()), 4)
  assert.deepEqual(await countsOf(clinic_id), { sessions: 0, links: 0, attempts: 0, challenges: 0, invitations: 1 })
  assert.ok(seen)
  assert.equal((await listAdministrators(owner, clinic_id))[0]?.last_seen_at, seen)

  const lasting = await signedIn(opened, owner, noa)
  await spend(clinic_id, new Date(opened.clock.now().getTime() - 60_000))
  assert.equal(await removeEndedSignIns(owner, clinic_id, opened.clock.now()), 1)
  assert.deepEqual(await statusesOf(opened, [lasting, ended]), [200, 401])

  // For a month it tells whoever opens it that it has expired.
  opened.clock.advance(30 * 24 * 60)
  await removeEndedSignIns(owner, clinic_id, opened.clock.now())
  assert.equal((await countsOf(clinic_id)).invitations, 0)
})

test('however many have ended, all of them are removed, and another clinic’s are left to its own turn', async () => {
  const [{ clinic }, { clinic: other }] = [await person(owner), await person(owner)]
  const past = new Date(Date.now() - 60_000)
  await spend(clinic.clinic_id, past, 2_500)
  await spend(other.clinic_id, past)
  assert.equal(await removeEndedSignIns(owner, clinic.clinic_id, new Date()), 2_500)
  assert.deepEqual(
    [(await countsOf(clinic.clinic_id)).challenges, (await countsOf(other.clinic_id)).challenges],
    [0, 1],
  )
})
