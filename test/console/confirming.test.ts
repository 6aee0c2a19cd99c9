// Care before power in the machine's Chromium: the question over an open form, in both languages, and the form that goes on by itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { axeFaults } from './faults-of-pages.ts'
import { type ConsoleSite, openBeforeTests } from './site.ts'
import { closeOfDialog, field, UserActions } from './user-actions.ts'

let site: ConsoleSite
let user: UserActions
const skip = openBeforeTests(async (opened) => {
  site = opened
  user = new UserActions(site.tab)
  await site.setPassword()
  await site.signIn('/console/keys')
})

const dialogs = () => site.tab.run<number>(`document.querySelectorAll('dialog[open]').length`)

test('a key is made once the password was given, in the form that stayed open', { skip }, async () => {
  const { tab } = site
  await user.press('New key')
  await user.forNewIntegration()
  await user.write('Name', 'Partner')
  await user.click(`document.querySelector('[role=radiogroup] input[value=bi]')`)
  await site.growOld(16)
  await user.press('Make the key')
  await user.sees('Is it you?')
  assert.equal(await dialogs(), 2)
  // Whoever does not want to confirm is back in the form, and nothing was made.
  await user.key('Escape')
  await user.sees('it was not confirmed that it is you')
  assert.equal(await dialogs(), 1)
  assert.deepEqual(await site.keys(), [])
  await user.press('Make the key')
  await user.write('Your password', 'not this one')
  await user.key('Enter')
  await user.sees('This is not your password.')
  await tab.resize(360)
  const fits = 'document.documentElement.scrollWidth <= innerWidth'
  assert.equal(await tab.run(fits), true)
  assert.deepEqual(await axeFaults(tab), [])
  await tab.resize()
  await user.write('Your password', site.password)
  await user.key('Enter')
  await user.sees('Copy the key now')
  assert.equal(await dialogs(), 1)
  assert.equal((await site.keys()).length, 1)
  await user.press('I have copied the key')
})

test('the longest life is set on the clinic’s page, and the form of a key offers nothing beyond it', {
  skip,
}, async () => {
  const { tab } = site
  await site.go('/console/clinic')
  const life = `document.querySelector('section[aria-label^="Longest life"] select')`
  await user.choose(life, '30')
  await tab.until(`${life}.value === '30' && !${life}.disabled`)
  await site.go('/console/keys')
  await user.sees('Lasts longer than the 30 days')
  await user.press('New key')
  await user.sees('At most 30 days: the clinic has set it.')
  const offered = `[...${field('Expires')}.options].map(({ value }) => value)`
  assert.deepEqual(await tab.run(offered), ['30'])
  await user.click(closeOfDialog)
})

test('the question reads from right to left in Hebrew, on dark, as wide as a phone', { skip }, async () => {
  const { tab } = site
  await tab.run(`localStorage.setItem('console.language', 'he');
    localStorage.setItem('mantine-color-scheme-value', 'dark')`)
  await site.growOld(16)
  await tab.visit(`${site.address}/console/clinic`, 360)
  await user.press('טוקן חדש')
  await user.write('שם', 'CRM')
  await user.press('יצירת הטוקן')
  await user.sees('נא לאשר שזה באמת החשבון שלך')
  assert.equal(await tab.run('document.documentElement.scrollWidth <= innerWidth'), true)
  assert.deepEqual(await axeFaults(tab), [])
  await tab.run('localStorage.clear()')
})
