// People in the machine's Chromium: an owner invites somebody, who accepts and sees only what the role opens.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { places } from './people-scene.ts'
import { type ConsoleSite, openBeforeTests } from './site.ts'
import { UserActions } from './user-actions.ts'

let site: ConsoleSite
let user: UserActions
const skip = openBeforeTests((found) => {
  site = found
  user = new UserActions(site.tab)
})

test('an owner invites somebody by a link, who accepts it and finds the pages of the role alone', {
  skip,
}, async () => {
  const { tab } = site
  await site.signIn('/console/people')
  await user.press('Invite')
  await user.write('Name', 'Rina Audit')
  await user.write('E-mail', 'rina@clinic.example')
  await user.click(`document.querySelector('dialog input[value=auditor]')`)
  await user.press('Make the invitation')
  await tab.until(`document.querySelector('dialog .copy-text')`)
  const link = await tab.run<string>(`document.querySelector('dialog .copy-text').textContent`)
  await user.press('Done')
  await user.sees('Open invitations')

  await tab.visit(link)
  await user.sees('invites you to the console of')
  assert.equal(await tab.run('location.hash'), '')
  await user.write('Your e-mail', 'rina@clinic.example')
  await user.press('Accept')
  await user.sees('Rina Audit · rina@clinic.example · Auditor')
  assert.deepEqual(await places(tab), ['Activity', 'Your account'])
  await site.go('/console/keys')
  await user.sees('API keys is for the role: Owner or Administrator.')
  await user.sees('Your role is: Auditor.')
})
