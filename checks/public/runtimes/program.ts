// A program of others, in any runtime: it keeps each promise of the SDK against a running service, and says so.
import { deepStrictEqual, match, notStrictEqual, ok, rejects, strictEqual, throws } from 'node:assert'
import process from 'node:process'
import { inspect } from 'node:util'
import {
  type ClientOptions,
  ClinicDataClient,
  ConnectionError,
  ForbiddenError,
  IdempotencyKeyReusedError,
  InvalidRequestError,
  NotFoundError,
  type Patient,
  RateLimitedError,
  TimeoutError,
  UnauthorizedError,
  UnexpectedAnswerError,
  verifyWebhook,
  WebhookVerificationError,
} from '@clinic-data/client'

const { SC_BASE_URL = '', SC_API_KEY = '', SIGNED_DELIVERY = '', RUN = '' } = process.env
const pauses: number[] = []

/** A client whose requests meet this fault. */
function client(fault: string, more: Partial<ClientOptions> = { apiKey: SC_API_KEY }): ClinicDataClient {
  return new ClinicDataClient({
    baseUrl: `${SC_BASE_URL}/${fault}`,
    pause: async (ms) => void pauses.push(ms),
    ...more,
  })
}

/** The requests that met this fault. */
async function requests(fault: string): Promise<{ method: string; path: string; idempotency_key: string | null }[]> {
  const seen = await (await fetch(`${SC_BASE_URL}/requests`)).json()
  return (seen as { fault: string; method: string; path: string; idempotency_key: string | null }[]).filter(
    (one) => one.fault === fault,
  )
}

/** The ids of the first patient's. */
async function payments(): Promise<Set<string>> {
  const ids = new Set<string>()
  for await (const { id } of plain.payments.list(first?.id ?? '')) ids.add(id)
  return ids
}

async function promise(words: string, kept: () => Promise<void>): Promise<void> {
  await kept()
  console.log(words)
}

const plain = client('none')
const accounts = await plain.catalog.billing_accounts.list()
const [first] = (await plain.patients.list({ limit: 1 })).data
ok(first)
const payment = { amount: 123456.78, method_type: 'cash', billing_account_id: accounts.data[0]?.id ?? '' } as const

await promise('a list is a page when it is awaited, and all rows or pages when it is walked', async () => {
  const patients = plain.patients.list({ limit: 5 })
  const page = await patients
  strictEqual(page.data.length, 5)
  const rows: Patient[] = []
  for await (const patient of patients) rows.push(patient)
  strictEqual(new Set(rows.map(({ id }) => id)).size, rows.length)
  ok(rows.length > 10)
  const lengths: number[] = []
  for await (const { data } of plain.patients.list({ limit: 5 }).pages()) lengths.push(data.length)
  strictEqual(
    lengths.reduce((sum, length) => sum + length),
    rows.length,
  )
})

await promise('texts of any language arrive as they were sent, and a list finds them', async () => {
  const { data: lead } = await plain.leads.create({ first_name: 'דנה 🙂', phone: '052-765-4325', source: 'website' })
  strictEqual(lead.first_name, 'דנה 🙂')
  const { data } = await plain.patients.list({ query: first.last_name ?? '' })
  ok(data.some(({ id }) => id === first.id))
})

await promise('any operation is called by its id, and any path by its method, with status and request id', async () => {
  const named = await plain.request('patients.get', { params: { id: first.id } })
  strictEqual(named.status, 200)
  match(named.request_id ?? '', /./)
  const sent = await plain.send('GET', `/v1/patients/${first.id}`)
  deepStrictEqual(sent.body, named.body)
})

await promise('a problem is the error of its kind', async () => {
  await rejects(plain.patients.get('nobody'), (error) => error instanceof NotFoundError && error.status === 404)
  await rejects(plain.request('calls.list', { query: { limit: 0, branch: 'x' } }), (error) => {
    ok(error instanceof InvalidRequestError)
    strictEqual(error.problem.errors?.length, 2)
    ok(!(error instanceof ForbiddenError))
    return true
  })
  const other = client('none', { apiKey: `sk_live_${'x'.repeat(32)}` })
  await rejects(other.me.get(), UnauthorizedError)
})

await promise('a payment whose answer is lost is asked for again with its key, and is one payment', async () => {
  const before = await payments()
  const { data: made } = await client('lost').payments.create(first.id, payment)
  strictEqual(made.amount, payment.amount)
  const sent = await requests('lost')
  strictEqual(sent.length, 2)
  match(sent[0]?.idempotency_key ?? '', /^[\x21-\x7e]{16,255}$/)
  strictEqual(sent[0]?.idempotency_key, sent[1]?.idempotency_key)
  deepStrictEqual([...(await payments()).difference(before)], [made.id])
})

await promise('a key of the caller makes one payment of two calls, and refuses another one', async () => {
  const options = { idempotencyKey: `invoice-${RUN}` }
  const { data: once } = await plain.payments.create(first.id, { ...payment, amount: 5 }, options)
  const { data: again } = await plain.payments.create(first.id, { ...payment, amount: 5 }, options)
  strictEqual(once.id, again.id)
  await rejects(plain.payments.create(first.id, { ...payment, amount: 6 }, options), IdempotencyKeyReusedError)
})

await promise('a read whose answer breaks off is asked for again', async () => {
  strictEqual((await client('cut').patients.get(first.id)).data.id, first.id)
  strictEqual((await requests('cut')).length, 2)
})

await promise('a limited request waits as long as the service says', async () => {
  pauses.length = 0
  strictEqual((await client('busy').patients.get(first.id)).data.id, first.id)
  strictEqual(pauses.length, 1)
  ok((pauses[0] ?? 0) >= 7_000, String(pauses))
  await rejects(client('busy').me.get({}, { maxRetries: 0 }), RateLimitedError)
})

await promise('a service that does not answer is a TimeoutError after its repeats', async () => {
  await rejects(client('silent').me.get({}, { timeoutMs: 50, maxRetries: 1 }), (error) => {
    ok(error instanceof TimeoutError && error instanceof ConnectionError)
    strictEqual(error.code, 'timeout')
    return true
  })
  strictEqual((await requests('silent')).length, 2)
})

await promise('a signal ends a call with its reason, before it begins and while it waits', async () => {
  const reason = new Error('the user has gone')
  const asked = (await requests('none')).length
  await rejects(plain.me.get({}, { signal: AbortSignal.abort(reason) }), (error) => error === reason)
  strictEqual((await requests('none')).length, asked)
  const during = new AbortController()
  const leaving = client('silent', {
    apiKey: SC_API_KEY,
    fetch: (url, init) => {
      const answer = fetch(url, init)
      during.abort(reason)
      return answer
    },
  })
  await rejects(leaving.me.get({}, { signal: during.signal }), (error) => error === reason)
})

await promise('a redirect is not followed, and a page of something else is no answer', async () => {
  const asked = (await requests('none')).length
  await rejects(client('moved').me.get(), UnexpectedAnswerError)
  await rejects(client('strange').me.get(), UnexpectedAnswerError)
  strictEqual((await requests('none')).length, asked)
})

await promise('a token that is refused is renewed once, for a write too', async () => {
  const refusals: (string | null)[] = []
  const old = `sk_live_${'o'.repeat(32)}`
  const app = client('none', {
    token: async ({ refused }) => {
      refusals.push(refused)
      return refused === null ? old : SC_API_KEY
    },
  })
  notStrictEqual((await app.payments.create(first.id, { ...payment, amount: 7 })).data.id, '')
  deepStrictEqual(refusals, [null, old])
})

await promise('nothing that is printed shows the key', async () => {
  const shown: unknown[] = [plain, plain.patients.list()]
  const note = (error: unknown) => void shown.push(error)
  await client('none', { apiKey: `${SC_API_KEY}x` })
    .me.get()
    .catch(note)
  await client('silent').me.get({}, { timeoutMs: 50, maxRetries: 0 }).catch(note)
  await client('', { apiKey: SC_API_KEY, baseUrl: 'http://127.0.0.1:1', maxRetries: 0 }).me.get().catch(note)
  strictEqual(shown.length, 5)
  const { Bun, Deno } = globalThis as {
    Bun?: { inspect(it: unknown): string }
    Deno?: { inspect(it: unknown): string }
  }
  for (const one of shown) {
    const texts = [inspect(one, { depth: null, showHidden: true, getters: true }), JSON.stringify(one), String(one)]
    for (const text of [...texts, (one as Error).stack ?? '', Bun?.inspect(one) ?? '', Deno?.inspect(one) ?? ''])
      ok(!text.includes(SC_API_KEY), 'the key is shown')
  }
})

await promise('an event of the feed is read after its cursor', async () => {
  const { resume_cursor } = await plain.events.list()
  await plain.payments.create(first.id, { ...payment, amount: 8 })
  const { data } = await plain.events.list({ cursor: resume_cursor, wait: 5 })
  deepStrictEqual(
    data.map(({ type }) => type),
    ['payment.recorded'],
  )
})

await promise(
  'a delivery is accepted as the service signed it, in whatever the server of the runtime gives',
  async () => {
    const signed = JSON.parse(SIGNED_DELIVERY)
    const { secret, body, former } = signed
    const now = new Date('2026-07-12T06:30:05.900Z')
    const request = () => new Request('https://crm.example/hook', { method: 'POST', headers: signed.headers, body })
    const upper = Object.fromEntries(Object.entries(signed.headers).map(([name, value]) => [name.toUpperCase(), value]))
    const headers = [request().headers, signed.headers, upper as Record<string, string>, [...request().headers]]
    for (const each of headers)
      for (const raw of [await request().text(), new Uint8Array(await request().arrayBuffer())])
        strictEqual(verifyWebhook({ secret, headers: each, body: raw, now }).id, 'evt5512')
    for (const each of [secret, former.secret, [former.secret, secret]])
      strictEqual(verifyWebhook({ secret: each, headers: former.headers, body, now }).id, 'evt5512')
    const refused = {
      header_missing: { headers: {} },
      signature_mismatch: { body: `${body} ` },
      timestamp_too_old: { now: new Date() },
    }
    for (const [reason, change] of Object.entries(refused))
      throws(
        () => verifyWebhook({ secret, headers: signed.headers, body, now, ...change }),
        (error) => error instanceof WebhookVerificationError && error.reason === reason,
      )
  },
)
