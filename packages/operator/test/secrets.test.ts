// `clinicd secrets` as an operator runs it, beside a service: nothing that a key has signed or sealed is lost by a rotation, and a key
// stays for as long as something needs it.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import * as schema from '@clinic-data/backend/migrations'
import { signFileLink } from '@clinic-data/contract/file-link'
import { parseSecretKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import { serviceSignature } from '@clinic-data/contract/webhook-signature'
import { openDatabase } from '@clinic-data/database'
import { findEmbeddedPostgres } from '@clinic-data/database/embedded/embedded-postgres'
import { assertChainSound, clinicToWriteTo } from '@clinic-data/testing/grounds/crash-load'
import { serveHere } from '@clinic-data/testing/grounds/in-this-process'
import { hookReceiver } from '@clinic-data/testing/receivers/hook-receiver'
import { copyKept } from '@clinic-data/testing/run/kept-cluster'
import { ownGround, secretKeysText } from '@clinic-data/testing/run/own-ground'
import { operator } from '@clinic-data/testing/shared/operator'
import { until } from '@clinic-data/testing/until'

const base = await ownGround(schema)
const DATA_DIR = await mkdtemp(join(tmpdir(), 'secrets-'))
copyKept(DATA_DIR)
after(async () => {
  await rm(DATA_DIR, { recursive: true, force: true })
})

const run = (...argv: string[]) => operator.run(['secrets', ...argv], { DATA_DIR })
const keyFile = async () => (await readFile(join(DATA_DIR, 'secret-keys'), 'utf8')).trim()
const keyIds = async () => parseSecretKeys(await keyFile()).map(({ id }) => id)

async function uses(): Promise<Record<string, { webhook_secrets: number; audit_heads: number }>> {
  const { out, errors } = await run('list', '--json')
  assert.equal(errors, '')
  return Object.fromEntries(JSON.parse(out).map((one: { id: string }) => [one.id, one]))
}

async function refusal(...argv: string[]): Promise<string> {
  const { code, errors } = await run('rotate', ...argv)
  assert.equal(code, 2)
  return errors
}

test('a rotation keeps cursors, links and webhooks working, and a key goes when nothing needs it', async (t) => {
  const hooks = await hookReceiver()
  t.after(() => hooks.close())
  const begin = () => serveHere({ DATA_DIR, WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32' })
  let service = await begin()
  const urls = await findEmbeddedPostgres(DATA_DIR)
  assert.ok(urls)
  let owner = await openDatabase({ url: urls.ownerUrl, statementTimeoutMs: 0 })
  t.after(() => owner.close())
  const { clinic_id, key } = await clinicToWriteTo(owner)
  const call = async (path: string, body?: object) => {
    const answer = await fetch(`${service.address}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) }
  }
  const subscribed = await call('/v1/webhooks', { url: hooks.url, event_types: ['payment.recorded'] })
  assert.equal(subscribed.status, 201, JSON.stringify(subscribed.body))
  const { secret } = subscribed.body.data
  const assertDelivers = async (name: string) => {
    const payment = { amount: 1, method_type: 'cash', billing_account_id: 'main', description: name }
    const written = await call('/v1/patients/p/payments', payment)
    assert.equal(written.status, 201, JSON.stringify(written.body))
    const { signature, body } = await hooks.next()
    assert.equal(signature, serviceSignature(secret, body))
  }
  await assertDelivers('one')
  await assertDelivers('two')
  const page = await call('/v1/events?limit=1')
  const next_cursor = page.body.resume_cursor
  assert.ok(next_cursor, JSON.stringify(page.body))
  const fileKeys = signingKeys(parseSecretKeys(await keyFile()), 'file-link')
  const file = { clinic_id, key_id: 'k', file_id: 'f' }
  // An expired link is answered with 410 when the service has signed it, and with 404 otherwise.
  const link = new URL(signFileLink(fileKeys, service.address, file, Date.now() - 3_600_000).url)
  const linkStatus = async () => (await fetch(`${service.address}${link.pathname}${link.search}`)).status
  const continues = async () => (await call(`/v1/events?limit=1&cursor=${next_cursor}`)).status

  assert.match((await run('rotate')).out, /Restart the service now/)
  const [current = '', ...former] = await keyIds()
  assert.deepEqual(former, ['a'])
  // The service goes on with what it knows, and nothing is sealed with a key that it does not know.
  await assertDelivers('three')
  assert.match(await refusal('--drop', 'a', '--at-once'), /has not been restarted/)

  const restart = async () => {
    await owner.close()
    await service.stop()
    service = await begin()
    const found = await findEmbeddedPostgres(DATA_DIR)
    assert.ok(found)
    owner = await openDatabase({ url: found.ownerUrl, statementTimeoutMs: 0 })
  }
  await assertChainSound({ owner }, clinic_id, (await keyFile()).split(',')[1] ?? '')
  await restart()
  await until(
    async () => (await uses()).a?.webhook_secrets === 0,
    () => 'a secret is still sealed with the former key',
  )
  assert.equal((await uses())[current]?.webhook_secrets, 1)
  await assertDelivers('four')
  assert.deepEqual([await continues(), await linkStatus()], [200, 410])

  assert.match(await refusal('--drop', current), /it is the current one/)
  assert.match(await refusal('--drop', 'other'), /no key has that id/)
  assert.match(await refusal('--drop', 'a'), /it proves the heads of 1 audit chains/)
  await assertChainSound({ owner }, clinic_id, await keyFile())
  assert.match(await refusal('--drop', 'a'), /cursors of the event feed that it signed may be used until \d{4}-/)
  assert.equal((await run('rotate', '--drop', 'a', '--at-once')).code, 0)
  assert.deepEqual(await keyIds(), [current])

  await restart()
  await assertDelivers('five')
  assert.deepEqual([await continues(), await linkStatus()], [400, 404])
  await assertChainSound({ owner }, clinic_id, await keyFile())
  await service.stop()
})

test('with SECRET_KEYS the command changes nothing and prints the entry and the steps', async () => {
  const environment = { DATABASE_URL: base.url, SECRET_KEYS: secretKeysText }
  const { code, out, errors } = await operator.run(['secrets', 'rotate'], environment)
  assert.equal(code, 0, errors)
  const [, entry = ''] = /^The new entry: (\S+)\n1\. Put it at the end/.exec(out) ?? []
  assert.equal(parseSecretKeys(`${secretKeysText},${entry}`).length, 2)
  const rotated = { ...environment, SECRET_KEYS: `${entry},${secretKeysText}` }
  const dropped = await operator.run(['secrets', 'rotate', '--drop', 't', '--at-once'], rotated)
  assert.match(dropped.out, /^Nothing needs the key t: remove its entry/, dropped.errors)
  assert.equal((await operator.run(['secrets', 'list'], { DATABASE_URL: base.url })).code, 2)
})
