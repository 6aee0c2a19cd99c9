// Where the operator demands the identity provider: nothing else but an operator's link opens the console.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { IdentityProvider } from '@clinic-data/testing/receivers/identity-provider'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { Passkey } from './authenticator.ts'
import { newPassword, openConsole, person, send, signedIn, withPassword } from './console-ground.ts'
import { addPasskey, signInWith } from './passkey-ground.ts'

const { owner } = await testDatabase()
const provider = await IdentityProvider.start()
after(() => provider.close())
const opened = await openConsole(owner, { openId: provider.settings })
const strict = await openConsole(owner, { openId: { ...provider.settings, isRequired: true } })

test('where the provider is required, no password and no passkey opens the console or is added, and an operator’s link does', async () => {
  const noa = await person(owner)
  const { clinic_id } = noa.clinic
  const { cookie, password } = await withPassword(opened, owner, noa)
  const passkey = new Passkey()
  const { user_handle } = await addPasskey(opened, cookie, passkey)
  const ways = await send(strict, '/sign-in/ways', { method: 'GET' })
  assert.deepEqual(ways.json.data, { openid: { name: 'Clinic SSO', is_required: true } })
  const link = await signedIn(strict, owner, noa)
  const refused = [
    await send(strict, '/sign-in', { body: { clinic_id, email: noa.email, password } }),
    await signInWith(strict, passkey, user_handle),
    await send(strict, '/password', { cookie: link, body: { password: newPassword() } }),
    await send(strict, '/passkeys/challenge', { cookie: link }),
    await send(strict, '/passkeys', { cookie: link, body: { name: 'Laptop', ...new Passkey().add('x') } }),
  ]
  for (const { status, json } of refused) {
    assert.equal(status, 403)
    assert.match(json.detail, /^Only Clinic SSO opens this console/)
  }
  assert.equal((await send(opened, '/sign-in', { body: { clinic_id, email: noa.email, password } })).status, 200)
})

test('where the provider is required, passkeys from before are listed and removed', async () => {
  const noa = await person(owner)
  const passkey = new Passkey()
  const { id, user_handle } = await addPasskey(opened, await signedIn(opened, owner, noa), passkey)
  const link = await signedIn(strict, owner, noa)
  const list = async () => (await send(strict, '/passkeys', { method: 'GET', cookie: link })).json.data
  assert.deepEqual(
    (await list()).map((one: { id: string }) => one.id),
    [id],
  )
  assert.equal((await send(strict, `/passkeys/${id}/remove`, { cookie: link })).status, 204)
  assert.deepEqual(await list(), [])
  assert.equal((await signInWith(opened, passkey, user_handle)).status, 401)
})
