// Opening a sign-in link in the machine's Chromium: the page says whose session the link begins, and only its button begins it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql, utcSession } from '@clinic-data/database'
import { sized } from '@clinic-data/testing/run/size'
import { faultsOfPages, VIEWS } from './faults-of-pages.ts'
import { type ConsoleSite, openBeforeTests } from './site.ts'
import { UserActions } from './user-actions.ts'

let site: ConsoleSite
let user: UserActions
const skip = openBeforeTests((found) => {
  site = found
  user = new UserActions(site.tab)
})

const state = () =>
  site.owner.read(
    utcSession(site.clinic_id),
    sql`select (select count(*)::integer from administrator_session where clinic_id = ${site.clinic_id}) as sessions,
      (select count(*)::integer from sign_in_link where clinic_id = ${site.clinic_id} and used_at is not null) as used`,
  )

test('an opened link says whose session it begins, and begins it when its button is pressed', { skip }, async () => {
  const { tab, email, clinic } = site
  await tab.visit(await site.link())
  await user.sees(email)
  await user.sees(clinic.clinic_id)
  assert.deepEqual(await state(), [{ sessions: 0, used: 0 }])
  assert.equal(await tab.run('location.hash'), '')
  await user.press('Sign in')
  await tab.until(`document.querySelector('nav a')`)
  assert.deepEqual(await state(), [{ sessions: 1, used: 1 }])
})

test('a link that was opened within another session leaves that session until its button is pressed', {
  skip,
}, async () => {
  const { tab } = site
  const link = await site.link()
  await tab.visit(link)
  await user.sees(site.email)
  assert.deepEqual(await state(), [{ sessions: 1, used: 0 }])
  await tab.visit(link.replace(/#.*/, ''))
  await tab.until(`document.querySelector('nav a')`)
  await site.signOut()
})

test('the page of a link is accessible and fits', { skip }, async () => {
  const link = async (width: number) => {
    await site.tab.resize(width)
    await site.tab.visit(await site.link())
    await user.sees(site.email)
  }
  assert.deepEqual(await faultsOfPages(site, sized(VIEWS), { link }), [])
})
