// The whole service behind a pooler that keeps sessions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as schema from '@clinic-data/backend/migrations'
import { parseSecretKeys } from '@clinic-data/contract/secret-keys'
import { sql } from '@clinic-data/database'
import { consoleLogin } from '@clinic-data/installation/database/database-logins'
import { openForConsole } from '@clinic-data/installation/database/storage'
import { clinicToWriteTo, creating } from '@clinic-data/testing/grounds/crash-load'
import { newSecretKeys } from '@clinic-data/testing/grounds/in-this-process'
import { startClinicd } from '@clinic-data/testing/programs/clinicd-process'
import { noPooler, startPooler } from '@clinic-data/testing/programs/pooler'
import { hookReceiver } from '@clinic-data/testing/receivers/hook-receiver'
import { asApplication } from '@clinic-data/testing/run/application'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { operator } from '@clinic-data/testing/shared/operator'

const { url, owner, opened } = await ownGround(schema)
const SECRET_KEYS = newSecretKeys()
/** The login that an operator would make for the console. */
const people = consoleLogin(url, { databaseConsoleUrl: null }, parseSecretKeys(SECRET_KEYS))
await (await openForConsole({ ownerUrl: url, appUrl: null }, people, (error) => assert.fail(error))).close()
opened.defer(async () => {
  await owner.query(sql`drop role ${sql.identifier(people.login.name)}`)
})

test('a service behind a pooler in session mode takes writes, and sends them at once', {
  skip: noPooler,
}, async (t) => {
  const logins = [asApplication(url).url, url, people.url]
  const settings = ['pool_mode = session', 'default_pool_size = 60', 'max_client_conn = 200']
  const [DATABASE_URL, DATABASE_OWNER_URL, DATABASE_CONSOLE_URL] = await startPooler(t, logins, settings)
  const environment = { DATABASE_URL, DATABASE_OWNER_URL, DATABASE_CONSOLE_URL, SECRET_KEYS }
  const { code, errors, out } = await operator.run(['doctor'], environment)
  assert.equal(code, 0, `${errors}${out}`)
  const receiver = await hookReceiver()
  t.after(() => receiver.close())
  const service = await startClinicd([], { ...environment, WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' })
  const { key } = await clinicToWriteTo(owner)
  const ask = async (path: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) }
    const method = body ? 'POST' : 'GET'
    const answer = await fetch(`${service.address}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    assert.ok(answer.status < 300, text)
    return JSON.parse(text).data
  }
  await ask('/v1/webhooks', { url: receiver.url, event_types: ['payment.recorded'] })
  const { path, body } = creating.payment('pooled')
  const payment = await ask(path, body)
  assert.equal(JSON.parse((await receiver.next()).body).data.id, payment.id)
  const listed = await ask('/v1/patients/p/payments')
  assert.deepEqual(
    listed.map(({ id }: { id: string }) => id),
    [payment.id],
  )
  assert.equal(await service.end('SIGINT'), 0)
})
