// Roles by group in the machine's Chromium: an owner says which group of the identity provider gives which role, and sees who has a role by it.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { IdentityProvider } from '@clinic-data/testing/receivers/identity-provider'
import { sized } from '@clinic-data/testing/run/size'
import { faultsOfPages, VIEWS } from './faults-of-pages.ts'
import { type AddedPerson, act, addPerson, decideElsewhere, rowOf } from './people-scene.ts'
import { secondListener } from './second-listener.ts'
import { type ConsoleSite, openBeforeTests } from './site.ts'
import { button, field, UserActions } from './user-actions.ts'

let site: ConsoleSite
let provider: IdentityProvider
let user: UserActions
let noa: AddedPerson
/** For the browser the provider is another site, as everywhere. */
let listener: string
const opened = new AsyncDisposableStack()
after(() => opened.disposeAsync())
const skip = openBeforeTests(async (found) => {
  site = found
  user = new UserActions(site.tab)
  provider = opened.adopt(await IdentityProvider.start(), (one) => one.close())
  provider.groups = new Map([['noa', ['clinic-admins']]])
  const openId = { ...provider.settings, groupsClaim: 'groups' }
  const { address } = opened.use(await secondListener(site, { openId }))
  listener = address.replace('127.0.0.1', 'localhost')
  noa = await addPerson(site, 'Noa Bar', 'member')
})

const CARD = `[...document.querySelectorAll('main section')].find((one) => one.querySelector('form .group-adding'))`
const shows = (text: string) => site.tab.until(`${CARD}?.innerText.includes(${JSON.stringify(text)})`)
const roleOf = (group: string) =>
  `[...document.querySelectorAll('select')].find((one) => one.ariaLabel === 'Role by the group ${group}')`
const isClosed = `document.querySelector('dialog') === null`

async function addGroup(group: string, role: string): Promise<void> {
  await user.write('Group', group)
  await user.choose(field('Role'), role)
  await user.press('Add the group')
  await site.tab.until(`${roleOf(group)}?.value === '${role}'`)
}

test('an owner adds a group by the keyboard, changes its role and removes it', { skip }, async () => {
  const { tab } = site
  await site.signIn('/console/people', listener)
  await shows('No group gives a role yet.')
  await shows('The name exactly as Clinic SSO writes it')
  await tab.run(`document.querySelector('main h1').focus()`)
  await user.reach(`document.activeElement === ${field('Group')}`)
  await tab.send('Input.insertText', { text: ' clinic-admins ' })
  await user.key('Enter')
  await shows('Nobody has the role by it now. It has given this role since ')
  await tab.until(`${roleOf('clinic-admins')}.value === 'member' && ${field('Group')}.value === ''`)
  await user.write('Group', 'clinic-admins')
  await user.press('Add the group')
  await shows('This group is in the list already.')
  await user.write('Group', 'x')
  await user.seesNo('This group is in the list already.')
  await user.choose(roleOf('clinic-admins'), 'administrator')
  await user.sees('Change the group’s role to Administrator?')
  await user.press('Save the role')
  await tab.until(`${isClosed} && ${roleOf('clinic-admins')}.value === 'administrator'`)
  await user.press('Remove the group clinic-admins')
  await user.sees('Whoever has the role by it is signed out at once')
  await user.key('Escape')
  await tab.until(isClosed)
  await user.press('Remove the group clinic-admins')
  await user.click(
    `[...document.querySelectorAll('dialog button')].find((one) => one.innerText === 'Remove the group')`,
  )
  await tab.until(isClosed)
  await shows('No group gives a role yet.')
})

test('whoever signs in by the provider is shown with the group that gives the role', { skip }, async () => {
  const { tab, clinic_id } = site
  await addGroup('clinic-admins', 'administrator')
  await site.go('/console/account')
  await user.press('Sign out')
  provider.person = { claims: { sub: 'noa', email: noa.email, email_verified: true } }
  await user.write('Clinic', clinic_id)
  await tab.load(() => user.press('Sign in with Clinic SSO'))
  await tab.load(() => tab.run(`document.querySelector('#back').click()`))
  await user.sees('Noa Bar')
  await site.signIn('/console/people', listener)
  await tab.until(`/Administrator\\s+by group clinic-admins/.test(${rowOf('Noa Bar')}?.innerText)`)
  await shows('One person has the role by it.')
  await act(user, 'Noa Bar', 'Change the role')
  await user.sees('A role by hand holds until the next sign-in by Clinic SSO')
  await user.press('Cancel')
  await user.press('Remove the group clinic-admins')
  await user.click(
    `[...document.querySelectorAll('dialog button')].find((one) => one.innerText === 'Remove the group')`,
  )
  await tab.until(`/None\\s+no longer by group clinic-admins\\s+Since \\d/.test(${rowOf('Noa Bar')}?.innerText)`)
  await act(user, 'Noa Bar', 'Change the role')
  await user.sees('No group gives this person a role any more.')
  await user.press('Save the role')
  await tab.until(`/Member/.test(${rowOf('Noa Bar')}?.innerText) && !/group/.test(${rowOf('Noa Bar')}?.innerText)`)
})

test('the card has no fault in both languages, and fits a phone', { skip }, async () => {
  const { tab } = site
  await site.signIn('/console/people', listener)
  await addGroup('reception', 'developer')
  await addGroup('/clinics/צפון/a-group-whose-name-is-a-long-path-at-the-provider/reception', 'member')
  const open = async (width: number) => {
    await site.go('/console/people', width)
    await tab.until(`document.querySelectorAll('.group-roles select').length > 1`)
  }
  const shown = { tab, signIn: (path: string) => site.signIn(path, listener) }
  const pages = {
    people: open,
    removing: async (width: number) => {
      await open(width)
      await user.click(`document.querySelector('.group-roles button')`)
      await tab.until(`document.querySelector('dialog[open]')`)
    },
  }
  assert.deepEqual(await faultsOfPages(shown, sized(VIEWS), pages), [])
})

test('a group that makes administrators waits for another person, who reads which group and which role', {
  skip,
}, async () => {
  const { tab } = site
  const tal = await addPerson(site, 'Tal Ronen', 'administrator')
  await site.signIn('/console/approvals', listener)
  await user.press('Turn on')
  await user.click(`[...document.querySelectorAll('dialog button')].find((one) => one.textContent === 'Turn on')`)
  await user.sees('A second person approves: On')
  await site.go('/console/people')
  await user.write('Group', 'leads')
  await user.choose(field('Role'), 'administrator')
  await user.press('Add the group')
  await user.sees('Say which role a group gives: leads')
  await tab.until(`/Role\\s+Administrator\\s+Now: None/.test(document.querySelector('.approval-subject')?.innerText)`)
  assert.equal(await tab.run(`Boolean(${button('Remove the group leads')})`), false)
  await decideElsewhere(site, tal, 'approve')
  await tab.until(`${isClosed} && ${roleOf('leads')}?.value === 'administrator'`)
})
