// The examples do what they say: each is run as it stands.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import test, { after } from 'node:test'
import { deliveryHeaders, newWebhookSecret } from '@clinic-data/contract/webhook-signature'
import { ask, smallClinic, startService } from './service.ts'

const examples = join(dirname(import.meta.dirname), 'examples')
const children: ChildProcess[] = []
after(() => {
  for (const child of children) child.kill('SIGKILL')
})

/** The lines that an example prints, as they come. */
function run(example: string, environment: Record<string, string>, argv: readonly string[] = []) {
  const child = spawn(process.execPath, [join(examples, example), ...argv], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return async () => (await lines.next()).value as string | undefined
}

test('the receiver takes a signed delivery once, and refuses what was not signed with its secret', async () => {
  const secret = newWebhookSecret()
  const next = run('receive-webhooks.ts', { PORT: '0', WEBHOOK_SECRET: secret })
  const { port } = JSON.parse(String(await next()).slice('listening on '.length))
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

interface Booked {
  start: string
  patient: { id: string } | null
  providers: { id: string; name: string }[]
}

test('the tools of MCP tell which patients of a provider come on a day and have an unpaid balance', async () => {
  const service = await startService({ baseUrl: 'http://127.0.0.1' })
  try {
    const { key } = await smallClinic(service)
    const patients = (await ask(service, key, '/v1/patients?limit=100&response_format=detailed')).json.data
    const owing: Set<string> = new Set(
      patients
        .filter((one: { balance: { amount: number } | null }) => (one.balance?.amount ?? 0) > 0)
        .map(({ id }: { id: string }) => id),
    )
    const today = new Date().toISOString().slice(0, 10)
    const booked: Booked[] = (await ask(service, key, `/v1/appointments?limit=100&from=${today}`)).json.data
    const found = booked.find(({ patient, providers }) => owing.has(patient?.id ?? '') && providers.length === 1)
    if (!found) throw new Error('nobody who comes to the demo clinic owes anything')
    const [day, provider] = [found.start.slice(0, 10), found.providers[0]]
    const theirs = booked.filter(
      ({ start, providers }) => start.startsWith(day) && providers.some(({ id }) => id === provider?.id),
    )
    const expected = new Set(theirs.flatMap(({ patient }) => (owing.has(patient?.id ?? '') ? [patient?.id] : [])))
    await service.gateway.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = service.gateway.app.server.address() as AddressInfo
    const environment = { BASE_URL: `http://127.0.0.1:${port}`, SC_API_KEY: key }
    const next = run('ask-with-mcp.ts', environment, [provider?.name ?? '', day])
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
