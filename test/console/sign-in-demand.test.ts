// How everybody must sign in, in the machine's Chromium: an owner demands a passkey, and whoever comes by a link finds what is demanded and nothing else.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { axeFaults } from './faults-of-pages.ts'
import { type ConsoleSite, openBeforeTests } from './site.ts'
import { UserActions } from './user-actions.ts'
import { addPasskey, plugIn } from './virtual-device.ts'

let site: ConsoleSite
let user: UserActions
/** Browsers have no passkeys at a bare address. */
let named: (address: string) => string
const skip = openBeforeTests((opened) => {
  site = opened
  user = new UserActions(site.tab)
  named = (address) => address.replace('127.0.0.1', 'localhost')
})

const DEMAND = `[...document.querySelectorAll('select')].find((one) => one.innerText.includes('By a passkey'))`

test('a demand is taken from whoever meets it, and holds the next session at a page that leads to the passkey', {
  skip,
}, async () => {
  const { tab } = site
  const authenticatorId = await plugIn(tab)
  await site.signIn('/console/people', named(site.address))
  await user.sees('How everybody must sign in')
  await user.sees('sign in that way yourself first')
  await site.go('/console/account')
  await addPasskey(user, 'Reception')
  await user.sees('not used yet')
  await user.press('Sign out')
  await user.press('Sign in with a passkey')
  await user.sees('last used')
  await site.go('/console/people')
  await user.sees('How everybody must sign in')
  await user.choose(DEMAND, 'passkey')
  await user.sees('It holds at once')
  await user.press('Demand it')
  await tab.until(`!document.querySelector('dialog') && ${DEMAND}.value === 'passkey'`)

  await tab.visit(named(await site.link()))
  await user.press('Sign in')
  await user.sees('One more step')
  assert.equal(await tab.run(`document.querySelector('nav a')`), null)
  assert.deepEqual(await axeFaults(tab), [])
  assert.equal(await tab.overflow(360), 0)
  await user.press('Sign in with a passkey')
  await tab.until(`document.querySelector('nav a')`)
  await tab.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
})
