// The event feed through the whole gateway: cursors, waiting, and the stored bytes.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { mintKey, revokeKey } from '@clinic-data/administration/credentials/keys'
import { allScopes, type Backend, type Clinic } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { insertPatient } from '@clinic-data/testing/grounds/rows'
import { ask, emptyClinic, keyOf, startParts, type TestService } from '@clinic-data/testing/run/test-service'
import { stoppedTime } from '@clinic-data/testing/stopped-time'

/** The longest wait, in seconds. Time passes only when a test says so, and so one that nothing ends never does. */
const WAIT = '5'
const SECOND_MS = 1_000

let service: TestService
let clinic: Clinic
let key: string
/** How often the backend was asked for the feed, and how many of these questions it has not answered yet. */
let requests = 0
let pending = 0

before(async () => {
  service = await startParts({ wrap: counted })
  clinic = await emptyClinic(service.owner)
  key = await keyOf(service.owner, clinic, allScopes)
  await insertPatient(service.owner, clinic, { id: 'p', first_name: 'Noa', last_name: 'לוי 🙂' }, ['+972501234567'])
  await service.owner.query(sql`insert into billing_account (clinic_id, id, business_name)
    values (${clinic.clinic_id}, 'main', 'Main')`)
})
after(() => service.close())

function counted(backend: Backend): Backend {
  const list = backend.handlers['events.list']
  const handlers = {
    ...backend.handlers,
    'events.list': async (...call: Parameters<typeof list>) => {
      requests += 1
      pending += 1
      return list(...call).finally(() => {
        pending -= 1
      })
    },
  }
  return { ...backend, handlers }
}

/** Resolves when so many new clients wait: each has its first answer, which is empty. */
async function untilWaiting(clients: number, before: number): Promise<void> {
  while (requests < before + clients || pending > 0) await delay(1)
}

const feed = (query: Record<string, string> = {}, by = key) =>
  ask(service, by, `/v1/events?${new URLSearchParams(query)}`)

const pay = async () => {
  const body = { amount: 90.5, method_type: 'cash', description: 'ניקוי "אבנית" \u2028 </script>' }
  const { status, json } = await ask(service, key, '/v1/patients/p/payments', { method: 'POST', body })
  assert.equal(status, 201)
  return json.data.id as string
}

test('an event has its stored bytes, with the resource as REST answers it', async () => {
  const { json: start } = await feed()
  const id = await pay()
  const { text, json } = await feed({ cursor: start.resume_cursor })
  const { rows } = await service.owner.query<{ body: string }>(
    sql`select body from event where clinic_id = ${clinic.clinic_id} order by position desc limit 1`,
  )
  assert.equal(text.slice(0, text.indexOf(',"next_cursor"')), `{"data":[${rows[0]?.body}]`)
  assert.equal(json.data[0].data.id, id)
  assert.deepEqual(Object.keys(json), ['data', 'next_cursor', 'resume_cursor'])
})

test("a cursor continues under any wait and since, but not with other types, another clinic's key or another list", async () => {
  const { json } = await feed({ event_types: 'payment.recorded' })
  const cursor = json.resume_cursor
  for (const query of [{}, { wait: '0' }, { since: '2026-01-01T00:00:00Z' }, { limit: '7' }]) {
    const { status } = await feed({ cursor, event_types: 'payment.recorded', ...query })
    assert.equal(status, 200, JSON.stringify(query))
  }
  const stranger = await keyOf(service.owner, await emptyClinic(service.owner), allScopes)
  const refusals = [
    await feed({ cursor }),
    await feed({ cursor, event_types: 'payment.cancelled' }),
    await feed({ cursor, event_types: 'payment.recorded' }, stranger),
    await ask(service, key, `/v1/patients?cursor=${cursor}`),
  ]
  for (const { status, json } of refusals) assert.deepEqual([status, json.errors[0].parameter], [400, 'cursor'])
  // Without both, the feed would begin now, and what happened since would be lost.
  const mends = refusals.map(({ json }) => json.errors[0].detail.split('; ')[1])
  assert.deepEqual(mends, [...Array(3).fill('begin again with since'), 'begin again without it'])
})

test('types are named with commas or by repeating the parameter, and a cursor of the one goes on with the other', async () => {
  const since = '2026-01-01T00:00:00Z'
  const id = await pay()
  const { resume_cursor } = (await feed({ event_types: 'call.updated,payment.recorded', since })).json
  const repeated = 'event_types=call.updated&event_types=payment.recorded'
  const { status, json } = await ask(service, key, `/v1/events?since=${since}&${repeated}`)
  assert.deepEqual([status, json.data.at(-1)?.data.id, json.resume_cursor], [200, id, resume_cursor])
  assert.equal((await ask(service, key, `/v1/events?cursor=${resume_cursor}&${repeated}`)).status, 200)
  for (const [wrong, code] of [
    ['event_types=payment.recorded&event_types=nothing', 'format'],
    ['event_types=payment.recorded&event_types=', 'repeated'],
    ['limit=1&limit=2', 'repeated'],
  ] as const) {
    const { status, json } = await ask(service, key, `/v1/events?${wrong}`)
    assert.deepEqual([status, json.errors[0].code], [400, code], wrong)
  }
})

test('a waiting client gets an event when it happens, from the place where the wait began', async (t) => {
  stoppedTime(t)
  const before = requests
  const waiting = feed({ wait: WAIT })
  await untilWaiting(1, before)
  const id = await pay()
  const { json } = await waiting
  assert.deepEqual(
    json.data.map((event: { data: { id: string } }) => event.data.id),
    [id],
  )
  assert.deepEqual((await feed({ cursor: json.resume_cursor })).json.data, [])
})

test('a wait without an event ends on time', async (t) => {
  const { pass } = stoppedTime(t)
  let before = requests
  let isOver = false
  const waiting = feed({ wait: '1' }).finally(() => {
    isOver = true
  })
  await untilWaiting(1, before)
  pass(SECOND_MS - 1)
  before = requests
  while (!isOver && requests < before + 2) await delay(1)
  assert.equal(isOver, false)
  pass(1)
  const { status, json } = await waiting
  assert.deepEqual([status, json.data, json.next_cursor], [200, [], null])
})

test('clients that wait do not use up the key’s simultaneous requests', async (t) => {
  stoppedTime(t)
  const before = requests
  let answered = 0
  const waiting = Array.from({ length: 25 }, async () => {
    const answer = await feed({ wait: WAIT })
    answered += 1
    return answer
  })
  await untilWaiting(waiting.length, before)
  const { status } = await ask(service, key, '/v1/me')
  assert.deepEqual([status, answered], [200, 0], 'a request beside waiting ones is answered at once')
  await pay()
  for (const { status } of await Promise.all(waiting)) assert.equal(status, 200)
})

test('a key that is revoked while it waits is refused and gets no later events', async (t) => {
  const { pass } = stoppedTime(t)
  const { id, key: other } = await mintKey(service.owner, {
    clinic_id: clinic.clinic_id,
    scopes: allScopes,
    name: 'test',
    expires_at: null,
    rate_limit: null,
    now: new Date(),
  })
  const before = requests
  const waiting = feed({ wait: WAIT }, other)
  await untilWaiting(1, before)
  await revokeKey(service.owner, { clinic_id: clinic.clinic_id, id, now: new Date() })
  // A key's answer is used for a second.
  pass(SECOND_MS)
  await pay()
  assert.equal((await waiting).status, 401)
})

test('a gateway that stops answers its waiting clients', async (t) => {
  stoppedTime(t)
  const other = await startParts({ wrap: counted })
  const before = requests
  const waiting = ask(other, key, `/v1/events?wait=${WAIT}`)
  await untilWaiting(1, before)
  await Promise.all([other.close(), waiting])
  assert.equal((await waiting).status, 200)
})

test('an invalid wait is refused', async () => {
  for (const wait of ['6', '-1', '1.5', 'long', '']) {
    const { status, json } = await feed({ wait })
    assert.deepEqual([status, json.errors[0].parameter], [400, 'wait'], wait)
  }
})
