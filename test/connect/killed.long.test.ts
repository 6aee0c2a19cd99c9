// The service is killed while apps take and renew tokens: no code and no refresh token makes two families, and no app loses what it was given.
// It is killed among consents too.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from '@clinic-data/database'
import { SEED } from '@clinic-data/testing/run/size'
import { Seeded } from '../faults/seeded.ts'
import { type App, type Form, newApp, type Pair } from './app.ts'
import { ConnectSite, type Person } from './connect-site.ts'

const ROUNDS = 25
const ROUNDS_OF_CONSENT = 10
const APPS = 6
/** From the first request of a round. An exchange takes some milliseconds, and they come in turn. */
const KILLED_WITHIN_MS = 120
const ASK_AGAIN_MS = 30
/** Of one app after the service is back. */
const MORE = 2

let site: ConnectSite
let person: Person
let app: App
before(async () => {
  site = await ConnectSite.start()
  person = await site.signIn()
  app = await newApp(site)
})

/** Asks until there is an answer. Null: the service refuses. */
async function tokens(form: Form): Promise<Pair | null> {
  for (;;) {
    const answer = await app.send(form).catch(() => null)
    const text = await answer?.text().catch(() => null)
    if (answer?.status === 200 && text) return JSON.parse(text)
    if (answer?.status === 400 && text) {
      assert.equal(JSON.parse(text).error, 'invalid_grant')
      return null
    }
    assert.ok(!answer || !text || answer.status === 503, `${answer?.status} ${text}`)
    await delay(ASK_AGAIN_MS)
  }
}

/** Takes its tokens and renews them, until the service has been killed and is back. @returns its last pair, or null when it got none. */
async function used(form: Form, isBack: () => boolean): Promise<Pair | null> {
  let pair = await tokens(form)
  for (let more = 0; pair !== null && more < MORE; more += isBack() ? 1 : 0) {
    const next = await tokens({ grant_type: 'refresh_token', refresh_token: pair.refresh_token })
    assert.ok(next, 'a refresh token whose answer was lost is good again')
    pair = next
  }
  return pair
}

test(`killed ${ROUNDS} times among exchanges and renewals, the service makes one family of each code and loses no answer`, async () => {
  const random = new Seeded(SEED)
  const held: Pair[] = []
  let refused = 0
  for (let round = 0; round < ROUNDS; round++) {
    const forms = await Promise.all(Array.from({ length: APPS }, () => app.allowed(person)))
    let isBack = false
    const running = Promise.all(forms.map((form) => used(form, () => isBack)))
    await delay(random.between(0, KILLED_WITHIN_MS))
    await site.kill()
    await site.serve()
    isBack = true
    for (const pair of await running) {
      if (pair === null) refused++
      else held.push(pair)
    }
  }
  assert.equal(held.length + refused, ROUNDS * APPS)
  for (const pair of held) {
    assert.equal(await site.statusWith(pair.access_token), 200)
    assert.ok(await tokens({ grant_type: 'refresh_token', refresh_token: pair.refresh_token }))
  }
  // A code whose answer was lost came again, and so ended its connection. Every other connection is of one app that holds tokens.
  const { rows } = await site.owner.query<{
    is_open: boolean
    reason: string | null
    begun: number
    renewed: number
    stored: number
  }>(sql`
    select k.revoked_at is null as is_open, c.end_reason as reason,
      (select count(*)::int from audit a where a.key_id = c.id and a.operation = 'connect.token') as begun,
      (select count(*)::int from audit a where a.key_id = c.id and a.operation = 'connect.refresh') as renewed,
      (select count(*)::int from connection_token t where t.connection_id = c.id and t.kind = 'refresh') as stored
    from connection c join api_key k on k.clinic_id = c.clinic_id and k.id = c.id`)
  const open = rows.filter((one) => one.is_open)
  assert.equal(open.length, held.length)
  for (const { begun, renewed, stored } of open) assert.deepEqual([begun, stored], [1, renewed + 1])
  const ended = rows.filter((one) => !one.is_open)
  assert.deepEqual(
    ended.map(({ reason }) => reason),
    Array.from({ length: refused }, () => 'reused'),
  )
})

test(`killed ${ROUNDS_OF_CONSENT} times among consents, the service exchanges each code that it answered, and connects nothing else`, async () => {
  const random = new Seeded(SEED)
  const connected = async () => (await person.connections()).length
  const before = await connected()
  let exchanged = 0
  for (let round = 0; round < ROUNDS_OF_CONSENT; round++) {
    const asking = Array.from({ length: APPS }, () => app.allowed(person).catch(isGone))
    await delay(random.between(0, KILLED_WITHIN_MS))
    await site.kill()
    const forms = (await Promise.all(asking)).filter((form) => form !== null)
    await site.serve()
    for (const form of forms) assert.ok(await tokens(form))
    exchanged += forms.length
  }
  assert.equal(await connected(), before + exchanged)
})

/** Of a service that was killed nothing but a broken connection is heard. */
function isGone(error: unknown): null {
  assert.ok(error instanceof TypeError, String(error))
  return null
}
