// The names that people give: a reader sees all of a name, in its order, wherever it stands.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { createAdministrator } from '../src/administrators.ts'
import { mintIngestToken } from '../src/credentials/ingest-tokens.ts'
import { mintKey } from '../src/credentials/keys.ts'
import { Passkey } from './authenticator.ts'
import { openConsole, person, send, signedIn } from './console-ground.ts'
import { challengeToAdd } from './passkey-ground.ts'

const { owner } = await testDatabase()
const opened = await openConsole(owner)

/** Turns the text around; is not shown; ends what an earlier one began; an Arabic mark; a control character; shows nothing at all. */
const HIDDEN = ['till\u202efdp', 'till\u200b', 'till\u2069', 'till\u061c', 'till\u0007', '\u2800\u2800', '\u0301']
const SHOWN = ['קופה ראשית', 'קוּפָּה', 'الصندوق الرئيسي', 'Till 2 (קופה)', '收银台', 'Café']

test('a name with an invisible character, or one that turns text around, is refused in the console', async () => {
  const noa = await person(owner)
  const cookie = await signedIn(opened, owner, noa)
  const post = async (path: string, body: object) =>
    send(opened, path, { cookie, body, headers: { 'idempotency-key': randomUUID() } })
  const giving = async (name: string) => [
    await post('/keys', { name, scopes: ['patients:read'] }),
    await post('/ingest-tokens', { name }),
    await post('/passkeys', { name, ...new Passkey().add((await challengeToAdd(opened, cookie)).challenge) }),
  ]
  for (const name of HIDDEN) {
    for (const { status, json } of await giving(name)) {
      assert.deepEqual([status, json.errors?.[0]?.pointer], [400, '#/name'], JSON.stringify(name))
      assert.match(json.errors[0].detail, /must hold no invisible character/)
    }
  }
  for (const name of SHOWN)
    for (const { status, json } of await giving(name)) assert.deepEqual([status, json.data?.name], [201, name])
})

test('the operator is refused the same names', async () => {
  const { clinic } = await person(owner)
  const { clinic_id } = clinic
  const now = new Date()
  const wanted = { clinic_id, scopes: ['patients:read'], expires_at: null, rate_limit: null, now } as const
  for (const name of HIDDEN) {
    const refused = /must hold no invisible character/
    await assert.rejects(mintKey(owner, { ...wanted, name }), refused)
    await assert.rejects(mintIngestToken(owner, { clinic_id, name, now }), refused)
    await assert.rejects(createAdministrator(owner, { clinic_id, email: 'a@clinic.example', name, now }), refused)
  }
  for (const [n, name] of SHOWN.entries()) {
    assert.equal((await mintKey(owner, { ...wanted, name })).name, name)
    const made = await createAdministrator(owner, { clinic_id, email: `a${n}@clinic.example`, name, now })
    assert.equal(made.name, name)
  }
})
