// Everything that owners do with people in the machine's Chromium, and how an invitation is refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql, utcSession } from '@clinic-data/database'
import { faultsOfPages, VIEWS } from './faults-of-pages.ts'
import { act, addPerson, enterAs, rowOf } from './people-scene.ts'
import { type ConsoleSite, openBeforeTests } from './site.ts'
import { closeOfDialog, UserActions } from './user-actions.ts'

let site: ConsoleSite
let user: UserActions
const skip = openBeforeTests((found) => {
  site = found
  user = new UserActions(site.tab)
})

/** Invites, and returns the link. */
async function invite(name: string, email: string): Promise<string> {
  const { tab } = site
  await user.press('Invite')
  await user.write('Name', name)
  await user.write('E-mail', email)
  await user.press('Make the invitation')
  await tab.until(`document.querySelector('dialog .copy-text')`)
  const link = await tab.run<string>(`document.querySelector('dialog .copy-text').textContent`)
  await user.press('Done')
  return link
}

const roleOf = (id: string) =>
  site.owner.read<{ role: string }>(
    utcSession(site.clinic_id),
    sql`select role from administrator where clinic_id = ${site.clinic_id} and id = ${id}`,
  )

test('the last owner keeps the role and the account, and is told why', { skip }, async () => {
  const { tab } = site
  await site.signIn('/console/people')
  const why = 'A clinic always has an owner, and this is the last one.'
  await act(user, 'Dana Levi', 'Change the role')
  await user.click(`document.querySelector('dialog input[value=member]')`)
  await user.press('Save the role')
  await user.sees(why)
  await user.click(closeOfDialog)
  for (const [action, submit] of [
    ['Disable', 'Disable'],
    ['Remove', 'Remove'],
  ] as const) {
    await act(user, 'Dana Levi', action)
    await user.sees('This is your own account')
    await user.click(
      `[...document.querySelectorAll('dialog button')].find((one) => one.textContent.trim() === '${submit}')`,
    )
    await user.sees(why)
    await user.click(closeOfDialog)
  }
  assert.equal(await tab.run(`document.querySelectorAll('.keys tbody tr').length`), 1)
})

test('a person’s role changes, sessions end, and a removed person is gone from the list', { skip }, async () => {
  const { tab } = site
  const noa = await addPerson(site, 'Noa Cohen', 'member')
  await enterAs(site, noa)
  await site.signIn('/console/people')
  await tab.until(rowOf('Noa Cohen'))
  await act(user, 'Noa Cohen', 'Change the role')
  await user.click(`document.querySelector('dialog input[value=administrator]')`)
  await user.press('Save the role')
  await tab.until(`${rowOf('Noa Cohen')}.innerText.includes('Administrator')`)
  assert.deepEqual(await roleOf(noa.id), [{ role: 'administrator' }])

  await act(user, 'Noa Cohen', 'Sessions')
  await user.sees('by a link')
  await user.click(`document.querySelector('dialog li button')`)
  await user.sees('Nowhere at the moment.')
  await user.click(closeOfDialog)

  await act(user, 'Noa Cohen', 'Remove')
  await user.sees('The activity keeps the name.')
  await user.click(`[...document.querySelectorAll('dialog button')].find((one) => one.textContent.trim() === 'Remove')`)
  await tab.until(`!document.querySelector('dialog') && !${rowOf('Noa Cohen')}`)
})

test('a person who is disabled stays in the list, and only removing is left', { skip }, async () => {
  const { tab } = site
  await addPerson(site, 'Gil Ron', 'developer')
  await site.signIn('/console/people')
  await act(user, 'Gil Ron', 'Disable')
  await user.click(
    `[...document.querySelectorAll('dialog button')].find((one) => one.textContent.trim() === 'Disable')`,
  )
  await tab.until(`${rowOf('Gil Ron')}?.innerText.includes('Disabled')`)
  await user.press('Actions for Gil Ron')
  assert.deepEqual(await tab.run(`[...document.querySelectorAll('[role=menuitem]')].map((one) => one.textContent)`), [
    'Remove',
  ])
})

test('an invitation is refused to another address, after it was withdrawn, expired or used, each with its reason', {
  skip,
}, async () => {
  const { tab } = site
  await site.signIn('/console/people')
  const used = await invite('Ruth Levy', 'ruth@clinic.example')
  const expired = await invite('Old Friend', 'old@clinic.example')
  const withdrawn = await invite('Wrong Person', 'wrong@clinic.example')
  await user.press('Withdraw the invitation of Wrong Person')
  await user.press('Withdraw')
  await tab.until(`!${rowOf('Wrong Person')}`)
  await site.owner.write(utcSession(site.clinic_id), (tx) =>
    tx.query(sql`update invitation set expires_at = created_at + interval '1 millisecond'
      where clinic_id = ${site.clinic_id} and email = 'old@clinic.example'`),
  )
  await user.press('Invite')
  await user.write('Name', 'Dana Again')
  await user.write('E-mail', site.email)
  await user.press('Make the invitation')
  await user.sees('Somebody with this e-mail has access already.')

  await tab.visit(withdrawn)
  await user.sees('This invitation was withdrawn. Ask whoever invited you.')
  await tab.visit(expired)
  await user.sees('This invitation has expired')
  await tab.visit(`${site.address}/console/#invite=nothing`)
  await user.sees('There is no such invitation.')
  await tab.visit(used)
  await user.sees('In this browser dana@clinic.example is signed in.')
  await user.write('Your e-mail', 'other@clinic.example')
  await user.press('Accept')
  await user.sees('The invitation is for another address.')
  await user.write('Your e-mail', 'Ruth@clinic.example')
  await user.press('Accept')
  await user.sees('Ruth Levy · ruth@clinic.example · Member')
  await tab.visit(used)
  await user.sees('This invitation was accepted already.')
  await user.press('To the sign-in')
  await tab.until(`document.querySelector('nav a')`)
})

test('an owner says what members may give to apps', { skip }, async () => {
  await site.signIn('/console/connections')
  await user.press('What members may give')
  await user.click(`document.querySelector('dialog input[value="appointments:read"]')`)
  await user.press('Save')
  await site.tab.until(`!document.querySelector('dialog')`)
  const stored = await site.owner.read<{ member_scopes: string[] }>(
    utcSession(site.clinic_id),
    sql`select member_scopes from clinic where clinic_id = ${site.clinic_id}`,
  )
  assert.deepEqual(stored, [{ member_scopes: ['appointments:read', 'catalog:read'] }])
})

test('a person is invited with the keyboard alone, and the link is not lost by Escape', { skip }, async () => {
  const { tab } = site
  await site.signIn('/console/people')
  await user.reach(`document.activeElement.textContent.trim() === 'Invite'`)
  await user.key('Enter')
  await tab.until(`document.activeElement === document.querySelector('dialog input')`)
  await tab.send('Input.insertText', { text: 'Key Board' })
  await user.key('Tab')
  await tab.send('Input.insertText', { text: 'key@clinic.example' })
  await user.reach(`document.activeElement.type === 'submit'`)
  await user.key('Enter')
  await tab.until(`document.querySelector('dialog .copy-text')`)
  await user.key('Escape')
  await user.key('Escape')
  await tab.until(`document.querySelector('dialog[open] .copy-text')`)
  await user.reach(`document.activeElement.textContent.trim() === 'Done'`)
  await user.key('Enter')
  await tab.until(`!document.querySelector('dialog')`)
})

test('the pages of people are accessible and fit', { skip }, async () => {
  const { tab } = site
  await addPerson(site, 'Bartholomew Featherstonehaugh-Cholmondeley of the agency', 'developer')
  await site.signIn('/console/people')
  const link = await invite('רותי לוי', 'a.very.long.address.of.somebody.who.is.invited@agency.example')
  const listed = async (width: number) => {
    await site.go('/console/people', width)
    await tab.until(`document.querySelectorAll('table').length === 2`)
  }
  const first = `document.querySelector('.keys tbody [data-name=actions] button')`
  const item = (at: number) => `document.querySelectorAll('[role=menuitem]')[${at}]`
  const dialogOf = (at: number) => async (width: number) => {
    await listed(width)
    await user.click(first)
    await user.click(item(at))
    await tab.until(`document.querySelector('dialog:not(:has([aria-hidden=true].mantine-Skeleton-root))')`)
  }
  const pages = {
    list: listed,
    invite: async (width: number) => {
      await listed(width)
      await user.click(`document.querySelector('main button')`)
      await tab.until(`document.querySelector('dialog form')`)
    },
    role: dialogOf(0),
    sessions: dialogOf(1),
    remove: dialogOf(3),
    members: async (width: number) => {
      await site.go('/console/connections', width)
      await user.click(`document.querySelector('main button')`)
      await tab.until(`document.querySelector('dialog .scope-boxes')`)
    },
    invitation: async (width: number) => {
      await tab.visit(link, width)
      await tab.until(`document.querySelector('main input')`)
    },
  }
  assert.deepEqual(await faultsOfPages(site, VIEWS.long, pages), [])
})
