// A connected app in the machine's Chromium whose end is put off, and the ways to the question of an app by a passkey and by an identity
// provider. Each change waits until every process knows of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IdentityProvider } from '@clinic-data/testing/receivers/identity-provider'
import { sized } from '@clinic-data/testing/run/size'
import { until } from '@clinic-data/testing/until'
import { scopesWith, startApp, type TestApp } from './app-scene.ts'
import { faultsOfPages, VIEWS } from './faults-of-pages.ts'
import { secondListener } from './second-listener.ts'
import { type ConsoleSite, openBeforeTests } from './site.ts'
import { field, UserActions } from './user-actions.ts'
import { plugIn } from './virtual-device.ts'

let site: ConsoleSite
let user: UserActions
const skip = openBeforeTests((found) => {
  site = found
  user = new UserActions(site.tab)
})

const row = (name: string) =>
  `[...document.querySelectorAll('.keys tbody tr')].find((one) => one.querySelector('a')?.textContent === ${JSON.stringify(name)})`

/** Chooses an action of the only connection of an app. */
async function act(name: string, action: string): Promise<void> {
  await user.press(`Actions for ${name}`)
  await user.click(`[...document.querySelectorAll('[role=menuitem]')].find((one) => one.textContent === '${action}')`)
}

test('a connection is extended, and its app notices nothing', { skip }, async () => {
  const { tab } = site
  await using agent = await startApp(site, { name: 'Agent' })
  await site.open('/console/connections')
  const { access_token: token = '' } = await agent.connect(['patients:read'], 1)
  await tab.visit(`${site.address}/console/connections`)
  await act('Agent', 'Change')
  await user.choose(field('Ends'), '365')
  await user.press('Save')
  const year = String(new Date(Date.now() + 365 * 86_400_000).getFullYear())
  await tab.until(`${row('Agent')}?.querySelector('[data-label=Ends]').textContent.includes('${year}')`)
  await act('Agent', 'Change')
  await user.choose(field('Ends'), 'until-ended')
  await user.press('Save')
  await tab.until(`${row('Agent')}?.querySelector('[data-label=Ends]').textContent === 'When somebody ends it'`)
  assert.deepEqual(await scopesWith(site, token), ['patients:read'])
})

test('a stricter rule of the clinic ends connections, which it says before, and its page and the refused question are accessible and fit', {
  skip,
}, async (t) => {
  const { tab } = site
  await using notes = await startApp(site, { name: 'Notes', kind: 'self_registered' })
  await site.open('/console/connections')
  const { access_token: token = '' } = await notes.connect(['patients:read'])
  const rule = field('Which apps may be connected')
  const set = async (allowed: string, says: string) => {
    await site.go('/console/connections')
    await tab.until(`${rule} && !${rule}.disabled`)
    await user.choose(rule, allowed)
    await user.sees(says)
    await user.press('Set the rule')
    await tab.until(`document.querySelector('dialog') === null && ${rule}.value === '${allowed}'`)
  }
  await set('verified', '1 connection ends at once')
  t.after(() => set('any', 'No connection ends with it.'))
  assert.equal(await scopesWith(site, token), 401)
  const faults = await faultsOfPages(site, sized(VIEWS), {
    rule: async () => {
      await site.go('/console/connections')
      await tab.until(`document.querySelector('main section select') !== null`)
    },
    refused: async (width) => {
      await tab.visit(notes.addressOf({ scope: 'patients:read' }), width)
      await tab.until(`document.querySelector('.consent [role=alert]')`)
    },
  })
  assert.deepEqual(faults, [])
  await tab.visit(notes.addressOf({ scope: 'patients:read' }))
  await user.sees('The clinic does not allow this app')
  await tab.load(() => user.press('Cancel'))
  assert.equal(notes.sentBack.at(-1)?.get('error'), 'access_denied')
  await site.open('/console/connections')
})

/** Browsers have no passkeys at a bare address, and see the provider as another site. */
const named = (address: string) => address.replace('127.0.0.1', 'localhost')
const isAsked = `document.querySelector('.consent')`

/** The question is there, and its yes opens what the app asked for. */
async function assertAsked(agent: TestApp): Promise<void> {
  const { tab } = site
  await tab.until(isAsked)
  await user.sees(site.email)
  await tab.load(() => user.press('Allow'))
  const [told] = await until(
    async () => agent.sentBack.length > 0 && agent.sentBack.splice(0),
    () => 'the browser is not sent back',
  )
  const { body } = await agent.exchange(told?.get('code') ?? '')
  assert.deepEqual(await scopesWith(site, body.access_token ?? ''), ['patients:read'])
}

test('whoever signs in with a passkey is back at the question of the app', { skip }, async () => {
  const { tab } = site
  await using agent = await startApp(site, { name: 'Passkey agent' })
  await plugIn(tab)
  await site.signIn('/console/account', named(site.address))
  await user.press('Add a passkey')
  await user.write('Name', 'Reception')
  await user.press('Continue')
  await user.sees('not used yet')
  await tab.until(`!document.querySelector('dialog')`)
  await user.press('Sign out')
  await user.sees('Sign in with a passkey')
  const { pathname, search } = new URL(agent.addressOf({ scope: 'patients:read' }))
  await tab.visit(`${named(site.address)}${pathname}${search}`)
  await user.press('Sign in with a passkey')
  await assertAsked(agent)
})

test('whoever signs in by the identity provider is back at the question of the app', { skip }, async () => {
  const { tab, clinic_id, email } = site
  await using agent = await startApp(site, { name: 'OpenID agent' })
  const provider = await IdentityProvider.start()
  try {
    await using listener = await secondListener(site, { openId: provider.settings, connects: true })
    // Otherwise the page would ask once more who sits there.
    const auth_time = Math.floor(Date.now() / 1000)
    provider.person = { claims: { email, email_verified: true, auth_time } }
    await site.endSessions()
    const { pathname, search } = new URL(agent.addressOf({ scope: 'patients:read' }))
    await tab.visit(`${named(listener.address)}${pathname}${search}`)
    await user.press('Sign in with Clinic SSO')
    await user.write('Clinic', clinic_id)
    await tab.load(() => user.press('Sign in with Clinic SSO'))
    await tab.load(() => tab.run(`document.querySelector('#back').click()`))
    await assertAsked(agent)
  } finally {
    await provider.close()
  }
})
