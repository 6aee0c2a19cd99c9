// `sc listen`: events as they happen, forwarded like real deliveries, and none lost when the connection breaks.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import test, { after, before } from 'node:test'
import type { Wait } from '@clinic-data/cli/process-context'
import { verifyWebhook } from '@clinic-data/client'
import type { Clinic } from '@clinic-data/contract'
import { allScopes } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { freePort } from '@clinic-data/testing/free-port'
import { insertPatient } from '@clinic-data/testing/grounds/rows'
import { ask, emptyClinic, keyOf, startService, type TestService } from '@clinic-data/testing/run/test-service'
import { sc } from './sc.ts'

let service: TestService
let clinic: Clinic
let key: string
let port: number
const closing: (() => unknown)[] = []

before(async () => {
  service = await startService()
  clinic = await emptyClinic(service.owner)
  key = await keyOf(service.owner, clinic, allScopes)
  await insertPatient(service.owner, clinic, { id: 'p', first_name: 'דָּנָה', last_name: '🙂' }, ['+972501234567'])
  await service.owner.query(sql`insert into billing_account (clinic_id, id, business_name)
    values (${clinic.clinic_id}, 'main', 'Main')`)
  port = Number(new URL(await service.address()).port)
})
after(async () => {
  for (const close of closing) await close()
  await service.close()
})

const variables = (at = port) => ({ SC_API_KEY: key, SC_BASE_URL: `http://127.0.0.1:${at}` })

/** Records a payment, which makes one event of the clinic. */
async function pay(): Promise<string> {
  const body = { amount: 90.5, method_type: 'cash', description: 'ניקוי "אבנית" \u2028 </script>' }
  const { status, json } = await ask(service, key, '/v1/patients/p/payments', { method: 'POST', body })
  assert.equal(status, 201)
  return json.data.id
}

/** A run of `sc listen` that a test can wait for and end. */
function listening(words: readonly string[], environment = variables(), wait?: Wait) {
  const interruption = new AbortController()
  const waiting = new Set<() => void>()
  const so_far = { out: '', errors: '' }
  const run = sc(['listen', ...words], {
    variables: environment,
    signal: interruption.signal,
    ...(wait && { wait }),
    seen: (text, stream) => {
      so_far[stream] += text
      for (const look of waiting) look()
    },
  })
  const until = (isSo: (seen: typeof so_far) => boolean) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (!isSo(so_far)) return
        waiting.delete(look)
        resolve()
      }
      waiting.add(look)
      run.then(({ errors }) => reject(new Error(`it ended: ${errors}`)))
      look()
    })
  const end = () => {
    interruption.abort(new Error('interrupted'))
    return run
  }
  return { until, end }
}

interface Received {
  headers: IncomingHttpHeaders
  body: Buffer
  data: { id: string }
}

/** An endpoint under development with scripted statuses. */
async function endpoint(statuses: readonly number[] = []) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    received.push({ headers: request.headers, body, data: JSON.parse(body.toString()).data })
    response.writeHead(statuses[received.length - 1] ?? 200, { location: '/elsewhere' }).end('thank you')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` }
}

test('each event is forwarded like a real delivery, with its stored bytes and both signatures, and the answers are shown', async () => {
  const { out: printed } = await sc(['listen', '--print-secret'], { variables: variables() })
  const secret = printed.trim()
  const { received, url } = await endpoint([200, 500, 302])
  const { until, end } = listening(['--forward-to', url])
  await until(({ errors }) => errors.startsWith('Ready: forwarding to '))
  const paid = [await pay(), await pay(), await pay()]
  await until(({ out }) => out.split('\n').length === 5)
  const { code, out, errors } = await end()
  assert.equal(code, 130)
  assert.deepEqual(
    received.map(({ data }) => data.id),
    paid,
  )
  const { rows } = await service.owner.query<{ body: string }>(
    sql`select body from event where clinic_id = ${clinic.clinic_id} order by position`,
  )
  for (const [i, { headers, body }] of received.entries()) {
    assert.equal(body.toString(), rows[i]?.body)
    const event = verifyWebhook({ secret, headers, body, requireSignedTimestamp: true })
    assert.deepEqual([event.type, event.id], ['payment.recorded', headers['x-service-event-id']])
    assert.throws(() => verifyWebhook({ secret, headers: { ...headers, 'x-service-signature': 'sha256=0' }, body }))
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
  }
  const lines = out.trimEnd().split('\n')
  assert.match(lines[0] ?? '', /^created_at +type +id +status +duration_ms$/)
  assert.deepEqual(
    lines.slice(1).map((line) => line.split(/ +/)[3]),
    ['200', '500', '302'],
  )
  assert.ok(![out, errors].some((text) => text.includes(secret) || text.includes(key)))
})

test('the secret is the same at every start, and differs for another key', async () => {
  const print = async (SC_API_KEY: string) =>
    (await sc(['listen', '--print-secret'], { variables: { ...variables(), SC_API_KEY } })).out
  const first = await print(key)
  assert.match(first, /^whsec_[A-Za-z0-9+/]{43}=\n$/)
  assert.equal(await print(key), first)
  assert.notEqual(await print(await keyOf(service.owner, clinic, ['webhooks:manage'])), first)
})

/** A connection to the service that can be cut and restored. */
class Cable {
  readonly port: number
  readonly #sockets = new Set<Socket>()
  #server: Server | null = null
  #whole = Promise.withResolvers<void>()

  /** @param port - nobody else may take it while the connection is cut. */
  constructor(port: number) {
    this.port = port
  }

  /** Waits for the connection instead of so many milliseconds. Shorter pauses come between two good answers. */
  readonly wait: Wait = async (ms) => {
    if (ms >= 1_000) await this.#whole.promise
  }

  async mend(): Promise<void> {
    const server = createTcpServer((socket) => {
      const onward = connect(port, '127.0.0.1')
      for (const end of [socket, onward]) {
        this.#sockets.add(end)
        end.on('error', () => undefined).on('close', () => this.#sockets.delete(end))
      }
      socket.pipe(onward).pipe(socket)
    }).listen(this.port, '127.0.0.1')
    await once(server, 'listening')
    this.#server = server
    this.#whole.resolve()
  }

  async cut(): Promise<void> {
    this.#whole = Promise.withResolvers<void>()
    const closed = this.#server && once(this.#server, 'close')
    this.#server?.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }
}

test('events during a broken connection are forwarded after it returns, each once and in order', async () => {
  const cable = new Cable(await freePort())
  await cable.mend()
  const { received, url } = await endpoint()
  const { until, end } = listening(['--forward-to', url, '--format', 'json'], variables(cable.port), cable.wait)
  await until(({ errors }) => errors.startsWith('Ready'))
  const paid = [await pay()]
  await until(({ out }) => out.split('\n').length === 2)
  for (let round = 0; round < 2; round++) {
    await cable.cut()
    await until(({ errors }) => errors.split('trying again in').length === round + 2)
    paid.push(await pay(), await pay())
    await cable.mend()
    await until(({ out }) => out.split('\n').length === paid.length + 1)
  }
  paid.push(await pay())
  await until(({ out }) => out.split('\n').length === paid.length + 1)
  const { code, errors } = await end()
  closing.push(() => cable.cut())
  assert.equal(code, 130)
  assert.deepEqual(
    received.map(({ data }) => data.id),
    paid,
  )
  assert.match(errors, /Connected again/)
})

test('an endpoint that does not answer is shown, and the next event is still forwarded', async () => {
  const { until, end } = listening(['--forward-to', 'http://127.0.0.1:1/hook', '--format', 'json'])
  await until(({ errors }) => errors.startsWith('Ready'))
  const paid = [await pay(), await pay()]
  await until(({ out }) => out.split('\n').length === 3)
  const { out } = await end()
  const lines = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(
    lines.map(({ event, forwarded }) => [event.data.id, forwarded.status, forwarded.error]),
    paid.map((id) => [id, null, 'ECONNREFUSED']),
  )
})

test('without an endpoint the events of the requested types are only shown', async () => {
  const cancelled = listening(['--events', 'payment.cancelled'])
  const both = listening(['--events', 'payment.cancelled, payment.recorded'])
  for (const { until } of [cancelled, both])
    await until(({ errors }) => errors === 'Ready: waiting for new events. Ctrl-C ends it.\n')
  await pay()
  await both.until(({ out }) => /\npayment\.recorded|payment\.recorded/.test(out))
  assert.match((await both.end()).out, /^created_at +type +id\n\S+ +payment\.recorded +\S+\n$/)
  assert.equal((await cancelled.end()).out, '')
})

test("an error that a retry cannot mend ends it at once, with the refusal's exit code", async () => {
  const poor = await keyOf(service.owner, clinic, ['patients:read'])
  const table: [code: number, words: string[], errors: RegExp, key?: string][] = [
    [4, [], /webhooks:manage/, poor],
    [2, ['--events', 'payment.lost'], /payment\.recorded/],
    [2, ['--forward-to', 'http://api.clinic-data.example/hook'], /--forward-to/],
    [2, ['--forward-to', 'hook'], /--forward-to/],
  ]
  for (const [code, words, errors, SC_API_KEY = key] of table) {
    const outcome = await sc(['listen', ...words], { variables: { ...variables(), SC_API_KEY } })
    assert.deepEqual([outcome.code, outcome.out], [code, ''], outcome.errors)
    assert.match(outcome.errors, errors)
  }
})
