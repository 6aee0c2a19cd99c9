// The examples do what they say: each is run as it stands.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import test, { after } from 'node:test'
import { deliveryHeaders, newWebhookSecret } from '@clinic-data/contract/webhook-signature'

const examples = join(dirname(import.meta.dirname), 'examples')
const children: ChildProcess[] = []
after(() => {
  for (const child of children) child.kill('SIGKILL')
})

/** The lines that an example prints, as they come. */
function run(example: string, environment: Record<string, string>) {
  const child = spawn(process.execPath, [join(examples, example)], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return async () => (await lines.next()).value as string
}

test('the receiver takes a signed delivery once, and refuses what was not signed with its secret', async () => {
  const secret = newWebhookSecret()
  const next = run('receive-webhooks.ts', { PORT: '0', WEBHOOK_SECRET: secret })
  const { port } = JSON.parse((await next()).slice('listening on '.length))
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
