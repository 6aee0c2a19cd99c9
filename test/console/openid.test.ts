// Signing in by an identity provider in the machine's Chromium: to the provider's page and back to where one was.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from '@clinic-data/database'
import { IdentityProvider } from '@clinic-data/testing/receivers/identity-provider'
import { secondListener } from './second-listener.ts'
import { type ConsoleSite, openBeforeTests } from './site.ts'
import { button, field, UserActions } from './user-actions.ts'

let site: ConsoleSite
let provider: IdentityProvider
let user: UserActions
/** For the browser the provider is another site, as everywhere. */
let page: string
const opened = new AsyncDisposableStack()
after(() => opened.disposeAsync())
const skip = openBeforeTests(async (found) => {
  site = found
  provider = opened.adopt(await IdentityProvider.start(), (one) => one.close())
  const listener = opened.use(await secondListener(site, { openId: provider.settings }))
  page = `${listener.address.replace('127.0.0.1', 'localhost')}/console`
  user = new UserActions(site.tab)
})

async function goToProvider(): Promise<void> {
  const { tab } = site
  await tab.load(() => user.press('Sign in with Clinic SSO'))
  await tab.load(() => tab.run(`document.querySelector('#back').click()`))
  await tab.until(`document.querySelector('main h1')`)
}

test('the provider’s page leads back to the page where one was, signed in', { skip }, async () => {
  const { tab, clinic_id, email } = site
  provider.person = { claims: { email, email_verified: true } }
  await tab.visit(`${page}/account?from=here`)
  await user.press('Sign in with Clinic SSO')
  await user.sees('Write the id of the clinic')
  assert.equal(await tab.run(`document.activeElement.name`), 'clinic_id')
  await user.write('Clinic', clinic_id)
  await goToProvider()
  await user.sees('Your account')
  assert.equal(await tab.run('location.pathname + location.search + location.hash'), '/console/account?from=here')
  await site.go('/console/keys')
  await user.sees('No keys yet')
  // The account at the provider is a way in.
  assert.doesNotMatch(String(await tab.run('document.body.innerText')), /cannot sign in yet/)
  await site.go('/console/account')
  await user.press('Sign out')
  await user.sees('or with your password')
})

test('whom the provider does not know as an administrator is told so in one sentence', { skip }, async () => {
  const { tab, clinic_id } = site
  provider.person = { claims: { sub: 'stranger', email: 'stranger@clinic.example', email_verified: true } }
  await tab.visit(`${page}/keys`)
  await user.write('Clinic', clinic_id)
  await goToProvider()
  await user.sees('Your account at Clinic SSO does not open the console of this clinic.')
  assert.equal(await tab.run('location.pathname + location.hash'), '/console/keys')
  await tab.visit(`${page}/api/sign-in/openid/return?error=access_denied`)
  await user.sees('Signing in with Clinic SSO was not completed. Try again.')
})

test('where the provider is required, the page offers nothing else', { skip }, async () => {
  const { tab, clinic_id, email } = site
  await using listener = await secondListener(site, { openId: { ...provider.settings, isRequired: true } })
  const strict = `${listener.address.replace('127.0.0.1', 'localhost')}/console`
  provider.person = { claims: { email, email_verified: true } }
  await tab.visit(`${strict}/account`)
  await user.sees('Sign in with Clinic SSO')
  await tab.until(`document.querySelectorAll('input').length === 1`)
  assert.doesNotMatch(String(await tab.run('document.body.innerText')), /password|passkey/i)
  await user.write('Clinic', clinic_id)
  await goToProvider()
  await user.sees('Your account')
  assert.doesNotMatch(String(await tab.run(`document.querySelector('main').innerText`)), /password|passkey/i)
})

test('what was typed when the session ended is there after signing in by the provider, and nowhere else', {
  skip,
}, async () => {
  const { tab, clinic_id, email } = site
  provider.person = { claims: { email, email_verified: true } }
  const stored = () => tab.run<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')
  await site.endSessions()
  await tab.visit(`${page}/keys`)
  await user.write('Clinic', clinic_id)
  await goToProvider()
  await user.press('New key')
  await user.forNewIntegration()
  await user.write('Name', 'Half typed')
  await tab.run(`document.querySelector('[role=radiogroup] input[value=leads]').click()`)
  await site.endSessions()
  await user.press('Make the key')
  await user.sees('Your session has ended.')
  await goToProvider()
  await tab.until(`${field('Name')}?.value === 'Half typed'`)
  assert.ok(!(await stored()).includes('Half'))
  await user.press('Cancel')
})

test('the provider confirms who sits before an open form, which is there again afterwards', { skip }, async () => {
  const { tab, clinic_id, email } = site
  const now = () => Math.floor(Date.now() / 1000)
  provider.person = { claims: { email, email_verified: true, auth_time: now() - 3_600 } }
  await site.endSessions()
  await tab.visit(`${page}/keys`)
  await user.write('Clinic', clinic_id)
  await goToProvider()
  const ask = async () => {
    await user.press('Make the key')
    await tab.load(() => user.press('Confirm with Clinic SSO'))
    await tab.load(() => tab.run(`document.querySelector('#back').click()`))
    await tab.until(`${field('Name')}?.value === 'Half typed'`)
  }
  await user.press('New key')
  await user.forNewIntegration()
  await user.write('Name', 'Half typed')
  await user.click(`document.querySelector('[role=radiogroup] input[value=leads]')`)
  // From the provider's own session, an hour old.
  await ask()
  await user.press('Make the key')
  await user.sees('Clinic SSO did not confirm that it is you.')
  await user.key('Escape')
  provider.person = { claims: { email, email_verified: true, auth_time: now() } }
  await ask()
  await user.press('Make the key')
  await user.sees('Copy the key now')
  await user.press('I have copied the key')
})

test('what a provider may forbid is not offered before that is known', { skip }, async () => {
  const { tab } = site
  await site.begin()
  await tab.send('Fetch.enable', { patterns: [{ urlPattern: '*/console/api/sign-in/ways' }] })
  try {
    await tab.visit(`${site.address}/console/account`)
    await tab.until(`document.querySelector('main')?.innerText.includes('Sign out everywhere')`)
    assert.doesNotMatch(String(await tab.run(`document.querySelector('main').innerText`)), /password|passkey/i)
  } finally {
    await tab.send('Fetch.disable')
  }
  await user.sees('Set a password')
})

test('where the provider is required, passkeys from before are shown and removed, and none is added', {
  skip,
}, async () => {
  const { tab, owner, clinic_id, email } = site
  await owner.query(sql`insert into passkey (clinic_id, id, administrator_id, credential_id, public_key, counter, name, created_at)
    select clinic_id, 'pk_before', id, 'AAAAAAAAAAAAAAAAAAAAAA', '{}', 0, 'From before', now() from administrator
    where clinic_id = ${clinic_id} and email = ${email}`)
  await using listener = await secondListener(site, { openId: { ...provider.settings, isRequired: true } })
  await site.signIn('/console/account', listener.address.replace('127.0.0.1', 'localhost'))
  await user.sees('From before')
  await user.sees('Only Clinic SSO opens this console. These passkeys are switched off.')
  assert.equal(await tab.run(`Boolean(${button('Add a passkey')})`), false)
  await user.press('Remove From before')
  await user.press('Remove the passkey')
  await user.seesNo('From before')
  assert.doesNotMatch(String(await tab.run(`document.querySelector('main').innerText`)), /password|passkey/i)
})
