// Runs each example unchanged, in a thread of its own: what is its process there ends with it.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import test, { after, before } from 'node:test'
import { Worker } from 'node:worker_threads'
import { allScopes } from '@clinic-data/contract'
import { deliveryHeaders, newWebhookSecret } from '@clinic-data/contract/webhook-signature'
import { generateDemo } from '@clinic-data/demo/generate-demo'
import { insert, insertPatient } from '@clinic-data/testing/grounds/rows'
import {
  ask,
  emptyClinic,
  keyOf,
  startParts,
  startService,
  type TestService,
} from '@clinic-data/testing/run/test-service'

let service: TestService
/** The service's address and key for the examples. */
let environment: Record<string, string>
let key: string

before(async () => {
  service = await startService()
  const clinic = await emptyClinic(service.owner)
  key = await keyOf(service.owner, clinic, allScopes)
  for (const id of ['p1', 'p2', 'p3']) {
    await insertPatient(service.owner, clinic, { id, first_name: `Noa-${id}`, last_name: 'Levi' }, [])
  }
  await insert(service.owner, clinic, 'billing_account', { id: 'main' })
  environment = { SC_API_KEY: key, SC_BASE_URL: await service.address() }
})
after(() => service.close())

/** A Monday morning at the demo clinic. */
const NOW = new Date('2026-11-16T06:00:00Z')

const examples = join(dirname(import.meta.dirname), 'examples')
const threads: Worker[] = []
/** A thread threw it. A process would print it. */
const faults = new Map<Worker, string>()
after(() => Promise.all(threads.map((thread) => thread.terminate())))

function start(example: string, env: Record<string, string>, argv: readonly string[]): Worker {
  const options = { argv: [...argv], env, execArgv: [], stdout: true, stderr: true }
  const thread = new Worker(join(examples, example), options)
  thread.on('error', (error) => faults.set(thread, String(error)))
  threads.push(thread)
  return thread
}

/** The lines that an example prints, as they come. */
function run(example: string, environment: Record<string, string>, argv: readonly string[] = []) {
  const thread = start(example, environment, argv)
  const lines = createInterface({ input: thread.stdout })[Symbol.asyncIterator]()
  return Object.assign(async () => (await lines.next()).value as string | undefined, { thread })
}

/** Everything that an example prints until it ends. */
async function ran(example: string, ...argv: string[]) {
  const thread = start(example, environment, argv)
  const ended = new Promise((resolve) => thread.once('exit', resolve))
  const [stdout, stderr] = await Promise.all([text(thread.stdout), text(thread.stderr), ended])
  return { stdout, stderr: `${stderr}${faults.get(thread) ?? ''}` }
}

test('the receiver accepts a signed delivery once, and refuses one that was not signed with its secret', async () => {
  const secret = newWebhookSecret()
  const next = run('receive-webhooks.mjs', { PORT: '0', WEBHOOK_SECRET: secret })
  const port = (await next())?.slice('listening on port '.length)
  const post = async (id: string, by = secret) => {
    const body = `{"id":"${id}","type":"patient.created","created_at":"2026-07-12T09:30:00.123+03:00","data":{"id":"p-${id}"}}`
    const headers = deliveryHeaders({ secret: by, body, event_id: id, event_type: 'patient.created', now: new Date() })
    return (await fetch(`http://127.0.0.1:${port}/hook`, { method: 'POST', headers, body })).status
  }
  assert.equal(await post('evt_1'), 204)
  assert.equal(await post('evt_1'), 204)
  assert.equal(await post('evt_forged', newWebhookSecret()), 400)
  assert.equal(await post('evt_2'), 204)
  assert.deepEqual([await next(), await next()], ['patient.created p-evt_1', 'patient.created p-evt_2'])
})

test('patients are listed with their balances', async () => {
  const { stdout, stderr } = await ran('list-patients.mjs', 'levi')
  assert.deepEqual([stdout.split('\n').length, stderr], [4, ''])
  assert.match(stdout, /^Noa-p1 Levi: 0 ILS$/m)
})

test('a lead that is sent several times is captured once, and its faults are reported', async () => {
  const submission = ['capture-lead.mjs', 'submission-17', 'Dana', '052-765-4321'] as const
  const first = await ran(...submission)
  const second = await ran(...submission)
  assert.match(first.stdout, /^new (\S+) new\n$/)
  assert.equal(second.stdout, first.stdout.replace('new', 'known already'))
  const { stderr } = await ran('capture-lead.mjs', 'submission-18', 'Dana', 'no phone')
  assert.match(stderr, /^#\/phone must be a phone number/)
})

test('a payment is recorded once for an invoice, with its receipt', async () => {
  const first = await ran('record-payment.mjs', 'p1', '350', 'invoice-2041')
  assert.match(first.stdout, /^\S+ 350 ILS \[ 'receipt \d+' \]\n$/)
  assert.deepEqual(await ran('record-payment.mjs', 'p1', '350', 'invoice-2041'), first)
  assert.match((await ran('record-payment.mjs', 'p2', '99', 'invoice-2041')).stdout, /^\S+ 99 ILS/)
  assert.match((await ran('record-payment.mjs', 'p1', '99', 'invoice-2041')).stderr, /Idempotency-Key/)
})

test('events are followed, and a second run continues where the first one ended', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'follow-'))
  const stopped = ({ thread }: { thread: Worker }) => thread.terminate()
  const follow = () => run('follow-events.mjs', environment, [join(folder, 'cursor')])
  const pay = async () => {
    const body = { amount: 5, method_type: 'cash' }
    return (await ask(service, key, '/v1/patients/p3/payments', { method: 'POST', body })).json.data.id as string
  }
  const next = follow()
  assert.equal(await next(), 'following')
  const first = await pay()
  assert.equal(await next(), `payment.recorded ${first}`)
  const second = await pay()
  assert.equal(await next(), `payment.recorded ${second}`)
  await stopped(next)
  const third = await pay()
  const again = follow()
  t.after(async () => {
    await stopped(again)
    rmSync(folder, { recursive: true })
  })
  assert.equal(await again(), 'following')
  // An event that was printed but not yet recorded may be printed again, but none is missing.
  let line = await again()
  if (line === `payment.recorded ${second}`) line = await again()
  assert.equal(line, `payment.recorded ${third}`)
})

interface Booked {
  start: string
  patient: { id: string } | null
  providers: { id: string; name: string }[]
}

test("the MCP tools find a provider's patients of a day who have an unpaid balance", async () => {
  const service = await startParts({ baseUrl: 'http://127.0.0.1', now: () => NOW.getTime() })
  try {
    const clinic = await emptyClinic(service.owner)
    await generateDemo({ database: service.database, clinic, patients: 40, seed: 1, now: NOW })
    const key = await keyOf(service.owner, clinic, allScopes)
    const patients = (await ask(service, key, '/v1/patients?limit=100&response_format=detailed')).json.data
    const owing: Set<string> = new Set(
      patients
        .filter((one: { balance: { amount: number } | null }) => (one.balance?.amount ?? 0) > 0)
        .map(({ id }: { id: string }) => id),
    )
    const today = NOW.toISOString().slice(0, 10)
    const booked: Booked[] = (await ask(service, key, `/v1/appointments?limit=100&from=${today}`)).json.data
    const found = booked.find(({ patient, providers }) => owing.has(patient?.id ?? '') && providers.length === 1)
    if (!found) throw new Error('nobody who comes to the demo clinic owes anything')
    const [day, provider] = [found.start.slice(0, 10), found.providers[0]]
    const theirs = booked.filter(
      ({ start, providers }) => start.startsWith(day) && providers.some(({ id }) => id === provider?.id),
    )
    const expected = new Set(theirs.flatMap(({ patient }) => (owing.has(patient?.id ?? '') ? [patient?.id] : [])))
    const environment = { SC_BASE_URL: await service.address(), SC_API_KEY: key }
    const next = run('ask-with-mcp.mjs', environment, [provider?.name ?? '', day])
    assert.equal(
      await next(),
      `${provider?.name}, ${day}: ${expected.size} of ${theirs.length} appointments with an unpaid balance`,
    )
    const lines = []
    for (let line = await next(); line !== undefined; line = await next()) lines.push(line)
    assert.equal(lines.length, expected.size)
    for (const line of lines) assert.match(line, /^\d\d:\d\d \S.* owes \d+(\.\d+)? ILS$/)
  } finally {
    await service.close()
  }
})
