// Passkeys in the machine's Chromium, with a virtual device: adding one, signing in with it, removing it, and where there are none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '@clinic-data/database'
import { sized } from '@clinic-data/testing/run/size'
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

const openAccount = async () => {
  await site.signIn('/console/account', named(site.address))
  await user.sees('Your account')
}

test('a passkey is added, signs in without a name typed, and signs in no more once it is removed', {
  skip,
}, async () => {
  const { tab } = site
  const authenticatorId = await plugIn(tab)
  await tab.visit(named(await site.link()))
  await user.press('Sign in')
  await user.sees('Without a link you cannot sign in yet.')
  await site.go('/console/account')
  await addPasskey(user, 'Reception')
  await user.sees('not used yet')
  await tab.until(`!document.querySelector('dialog')`)
  assert.equal(await tab.run(`document.querySelector('.passkey-name').textContent`), 'Reception')

  // The same device a second time.
  await addPasskey(user, 'Again')
  await user.sees('This device has a passkey for your account already.')
  await user.press('Cancel')

  await user.press('Sign out')
  await user.press('Sign in with a passkey')
  await user.sees('last used')
  assert.equal(await tab.run(`document.querySelector('main h1').textContent`), 'Your account')
  await site.go('/console/keys')
  await user.sees('No keys yet')
  await user.seesNo('Without a link you cannot sign in yet.')

  await site.go('/console/account')
  await user.press('Remove Reception')
  await user.press('Remove the passkey')
  await tab.until(`!document.querySelector('.passkeys')`)
  await user.press('Sign out')
  await user.press('Sign in with a passkey')
  await user.sees('This passkey does not open the console.')

  await tab.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await user.press('Sign in with a passkey')
  await user.sees('No passkey was chosen.')
  await tab.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
})

test('a passkey is added long after a sign-in only once it is confirmed who sits there, and the form goes on by itself', {
  skip,
}, async () => {
  const { tab } = site
  const authenticatorId = await plugIn(tab)
  await openAccount()
  await addPasskey(user, 'Phone')
  await user.sees('not used yet')
  for (const language of sized({ everyday: ['he'], long: ['he', 'en'] })) {
    await tab.run(`localStorage.setItem('console.language', '${language}');
      localStorage.setItem('mantine-color-scheme-value', 'dark')`)
    await tab.visit(named(`${site.address}/console/account`), 360)
    await tab.until(`document.querySelector('.passkeys')`)
    // A choice that was made before the page was loaded holds.
    const { lang, dataset } = await tab.run<{ lang: string; dataset: Record<string, string> }>(
      `(({ lang, dataset }) => ({ lang, dataset: { ...dataset } }))(document.documentElement)`,
    )
    assert.deepEqual([lang, dataset.mantineColorScheme], [language, 'dark'])
    assert.deepEqual(await axeFaults(tab), [], language)
  }
  await tab.run('localStorage.clear()')
  await site.growOld(16)
  await tab.visit(named(`${site.address}/console/account`))
  await addPasskey(user, 'Again')
  await user.press('Confirm with a passkey')
  await user.sees('This device has a passkey for your account already.')
  assert.equal(await tab.run(`document.querySelectorAll('dialog').length`), 1)
  await tab.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
})

test('at an address where browsers have no passkeys nothing is said of them', { skip }, async () => {
  const { tab } = site
  const { owner, clinic_id } = site
  await owner.query(sql`delete from passkey where clinic_id = ${clinic_id}`)
  await site.signIn('/console/account')
  await user.sees('Set a password')
  assert.equal(await tab.run(`document.body.innerText.toLowerCase().includes('passkeys')`), false)
  await user.press('Sign out')
  await user.sees('Clinic')
  assert.equal(await tab.run(`document.body.innerText.toLowerCase().includes('passkey')`), false)
})
