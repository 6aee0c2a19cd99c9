// Guessing passwords: an account and an address are locked out, for a while, and alike whether or not there is such an account.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql, utcSession } from '@clinic-data/database'
import { testDatabase } from '@clinic-data/testing/test-database'
import { countAttempt, LOCKED_MS, MOST_ATTEMPTS } from '../../src/console/sign-in-attempts.ts'
import {
  audited,
  type Console,
  newPassword,
  openConsole,
  person,
  send,
  signedIn,
  withPassword,
} from './console-ground.ts'

const { owner } = await testDatabase()

/** Attempts whose password nobody checks. */
async function counted({ clock }: Console, clinic_id: string, emails: readonly string[]): Promise<void> {
  for (const email of emails) await countAttempt(owner, { clinic_id, email, now: clock.now() })
}

test('ten failures lock an account out for 15 minutes, known or not, and not its administrator’s links', async () => {
  const opened = await openConsole(owner)
  const noa = await person(owner)
  const { password } = await withPassword(opened, owner, noa)
  const { clinic_id } = noa.clinic
  const statuses = async (email: string, count: number) => {
    // From a new address each, at the same moment.
    const attempts = Array.from({ length: count }, (_, n) =>
      send(opened, '/sign-in', {
        body: { clinic_id, email, password: newPassword() },
        headers: { 'test-address': `198.51.100.${n}` },
      }),
    )
    return (await Promise.all(attempts)).map(({ status }) => status).sort()
  }
  assert.deepEqual(await statuses(noa.email, MOST_ATTEMPTS + 2), [...Array(MOST_ATTEMPTS).fill(401), 429, 429])
  // Where nobody is, checking a password takes some tenths of a second of a processor. So all but one are only counted.
  await counted(opened, clinic_id, Array(MOST_ATTEMPTS - 1).fill('nobody@clinic.example'))
  assert.deepEqual(await statuses('nobody@clinic.example', 3), [401, 429, 429])
  const right = { clinic_id, email: noa.email, password }
  const locked = await send(opened, '/sign-in', { body: right })
  assert.equal(locked.status, 429)
  const seconds = Number(locked.headers['retry-after'])
  assert.ok(seconds > 0 && seconds <= LOCKED_MS / 1000, String(seconds))
  assert.equal((await audited(owner, noa.clinic)).at(-1)?.status, 429)
  await signedIn(opened, owner, noa)
  opened.clock.advance(14)
  assert.equal((await send(opened, '/sign-in', { body: right })).status, 429)
  opened.clock.advance(1)
  assert.equal((await send(opened, '/sign-in', { body: right })).status, 200)
  // Signing in has ended the count.
  assert.equal((await send(opened, '/sign-in', { body: { ...right, password: newPassword() } })).status, 401)
  assert.equal((await send(opened, '/sign-in', { body: right })).status, 200)
})

test('attempts that lock nobody out any more are forgotten, so that guesses at many emails fill no table', async () => {
  const opened = await openConsole(owner)
  const { clinic } = await person(owner)
  const { clinic_id } = clinic
  const stored = () =>
    owner.read<{ email_hash: string }>(
      utcSession(clinic_id),
      sql`select email_hash from sign_in_attempt where clinic_id = ${clinic_id}`,
    )
  const guess = (email: string) => send(opened, '/sign-in', { body: { clinic_id, email, password: newPassword() } })
  await counted(
    opened,
    clinic_id,
    Array.from({ length: 5 }, (_, n) => `nobody${n}@clinic.example`),
  )
  assert.equal((await stored()).length, 5)
  opened.clock.advance(16)
  await guess('somebody@clinic.example')
  assert.equal((await stored()).length, 1)
})

test('sixty failures a minute lock an address out, whatever it tries, and no other address', async () => {
  const opened = await openConsole(owner)
  const noa = await person(owner)
  const body = { token: `${noa.clinic.clinic_id}.${'a'.repeat(43)}` }
  const from = (address: string) => send(opened, '/sign-in/link', { body, headers: { 'test-address': address } })
  const answers = await Promise.all(Array.from({ length: 70 }, () => from('203.0.113.9')))
  assert.equal(answers.filter(({ status }) => status === 401).length, 60)
  const locked = await from('203.0.113.9')
  assert.equal(locked.status, 429)
  assert.ok(Number(locked.headers['retry-after']) > 0)
  assert.equal((await from('203.0.113.10')).status, 401)
  opened.clock.advance(2)
  assert.equal((await from('203.0.113.9')).status, 401)
})
