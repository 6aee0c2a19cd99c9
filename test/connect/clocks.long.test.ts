// The clock of the service is an hour ahead or behind: nobody is let in who should not be, and who should be comes back by itself.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { clockOf, hasClocks } from '../faults/scenarios/clock-jump.ts'
import { type App, newApp } from './app.ts'
import { ConnectSite, type Person } from './connect-site.ts'

const skip = hasClocks() ? false : 'the clock cannot be set here'
const AHEAD = '+3610'
const BEHIND = '-3610'

let site: ConnectSite
let person: Person
let app: App
let jumpBy: (seconds: string) => Promise<void>
const folder = await mkdtemp(join(tmpdir(), 'clocks-'))
before(async () => {
  if (skip) return
  const clock = await clockOf({ folder })
  jumpBy = clock.jumpBy
  site = await ConnectSite.start(clock.more)
  app = await newApp(site)
})
after(() => rm(folder, { recursive: true }))
beforeEach(async () => {
  if (skip) return
  await jumpBy('+0')
  person = await site.signIn()
})

/** The list begins with the latest. */
async function endLatest(): Promise<void> {
  const [latest] = await person.connections()
  await person.end(latest?.id ?? assert.fail('there is no connection'))
}

test('an hour ahead, tokens and codes have ended and are renewed, and the renewed ones are good when the clock is right', {
  skip,
}, async () => {
  const first = await app.connect(person)
  const code = await app.allowed(person)
  await jumpBy(AHEAD)
  assert.equal(await site.statusWith(first.access_token), 401)
  assert.equal((await app.post(code)).error, 'invalid_grant')
  const next = await app.renew(first.refresh_token)
  assert.equal(await site.statusWith(next.access_token), 200)
  await jumpBy('+0')
  assert.equal(await site.statusWith(next.access_token), 200)
  // Two programs of one person: the use lies ahead, and is none of long ago.
  await app.renew(first.refresh_token)
  assert.equal(await site.statusWith((await app.renew(next.refresh_token)).access_token), 200)
})

test('an hour behind, an ended connection stays ended, and a used code stays used', { skip }, async () => {
  const used = await app.allowed(person)
  const reused = await app.post(used)
  const ended = await app.connect(person)
  await endLatest()
  await jumpBy(BEHIND)
  assert.equal(await site.statusWith(ended.access_token), 401)
  assert.equal(
    (await app.post({ grant_type: 'refresh_token', refresh_token: ended.refresh_token })).error,
    'invalid_grant',
  )
  // It seems to come from a clock that is ahead, and the app renews it.
  assert.equal(await site.statusWith(reused.access_token ?? ''), 401)
  const renewed = await app.renew(reused.refresh_token ?? '')
  assert.equal(await site.statusWith(renewed.access_token), 200)
  assert.equal((await app.post(used)).error, 'invalid_grant')
  assert.equal(await site.statusWith(renewed.access_token), 401)
})

test('a connection that is ended after the clock fell back is refused at once', { skip }, async () => {
  const { access_token } = await app.connect(person)
  assert.equal(await site.statusWith(access_token), 200)
  await jumpBy(BEHIND)
  await endLatest()
  assert.equal(await site.statusWith(access_token), 401)
})

test('a session is refused an hour ahead, and goes on when the clock is right or behind; its code is good for no longer', {
  skip,
}, async () => {
  await jumpBy(AHEAD)
  await assert.rejects(app.allowed(person), /401/)
  await jumpBy(BEHIND)
  assert.ok(Array.isArray(await person.connections()))
  // Who sat there was proven at a time that is still to come, and so not at all.
  await assert.rejects(app.allowed(person), /403.*Confirm first/)
  person = await site.signIn()
  assert.equal(await site.statusWith((await app.connect(person)).access_token), 200)
  const code = await app.allowed(person)
  await jumpBy('+0')
  assert.equal((await app.post(code)).error, 'invalid_grant')
  person = await site.signIn()
  assert.equal(await site.statusWith((await app.connect(person)).access_token), 200)
})
