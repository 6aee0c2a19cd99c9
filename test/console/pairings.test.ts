// One person in several clinics, in the machine's Chromium: adding a clinic, changing to it, its partners beside each other, and Stop in all of them.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { makeSignInLink } from '@clinic-data/administration/administrators'
import { sql } from '@clinic-data/database'
import { sized } from '@clinic-data/testing/run/size'
import { emptyClinic, keyOf } from '@clinic-data/testing/run/test-service'
import { startApp } from './app-scene.ts'
import { faultsOfPages, VIEWS } from './faults-of-pages.ts'
import { type AddedPerson, act, addPerson } from './people-scene.ts'
import { type ConsoleSite, openBeforeTests } from './site.ts'
import { button, UserActions } from './user-actions.ts'

interface OtherClinic {
  clinic: Awaited<ReturnType<typeof emptyClinic>>
  dana: AddedPerson
  password: string
}

let site: ConsoleSite
let user: UserActions
let other: OtherClinic
const skip = openBeforeTests(async (opened) => {
  site = opened
  user = new UserActions(site.tab)
  await site.setPassword()
  other = await otherClinic()
})

/** A second clinic, where Dana has an account with a password of its own. */
async function otherClinic(): Promise<OtherClinic> {
  const { owner, address } = site
  const clinic = await emptyClinic(owner)
  const { clinic_id } = clinic
  await owner.query(sql`update clinic set name = 'Tavor' where clinic_id = ${clinic_id}`)
  await owner.query(sql`update clinic set name = 'Carmel' where clinic_id = ${site.clinic_id}`)
  const dana = await addPerson({ owner, clinic_id }, 'Dana of Tavor', 'owner')
  const { token } = await makeSignInLink(owner, { clinic_id, id: dana.id, now: new Date() })
  const headers = { 'content-type': 'application/json', 'x-console': '1', origin: address }
  const post = (path: string, body: object, cookie = '') =>
    fetch(`${address}/console/api${path}`, {
      method: 'POST',
      headers: { ...headers, cookie },
      body: JSON.stringify(body),
    })
  const begun = await post('/sign-in/link', { token })
  const password = randomBytes(12).toString('base64url')
  assert.equal((await post('/password', { password }, begun.headers.get('set-cookie')?.split(';')[0])).status, 204)
  return { clinic, dana, password }
}

/** By the form that is shown. */
async function enter(clinic_id: string, email: string, password: string): Promise<void> {
  await user.write('Clinic', clinic_id)
  await user.write('E-mail', email)
  await user.write('Password', password)
  await user.click(`document.querySelector('form button[type=submit]')`)
}

const signInHere = async () => {
  await site.signOut()
  await site.tab.visit(`${site.address}/console/account`)
  await enter(site.clinic_id, site.email, site.password)
  await site.tab.until(`document.querySelector('nav a') && document.querySelector('main h1')`)
}

/** When `pairAnew` pairs. */
const PAIRED_AT = '2026-03-05T12:00:00Z'

/** As if both accounts had been paired. It signs in, and the second clinic has a partner. */
async function pairAnew(): Promise<void> {
  const { owner, clinic_id: here } = site
  const there = other.clinic.clinic_id
  await owner.query(sql`delete from pairing where clinic_id in (${here}, ${there})`)
  const dana = sql`(select id from administrator where clinic_id = ${here} and email = ${site.email})`
  for (const half of [
    sql`${here}, 'pair_anew', ${dana}, ${there}, ${other.dana.id}`,
    sql`${there}, 'pair_anew', ${other.dana.id}, ${here}, ${dana}`,
  ])
    await owner.query(sql`insert into pairing (clinic_id, id, administrator_id, other_clinic_id, other_administrator_id, created_at)
      values (${half}, ${PAIRED_AT})`)
  await keyOf(owner, other.clinic, ['patients:read'], null, 'Laboratory')
  await signInHere()
}

/** Whose clinic the navigation names. */
const isIn = (clinic_id: string) =>
  `document.querySelector('nav .clinic')?.innerText.includes(${JSON.stringify(clinic_id)})`

async function changeTo(clinic_id: string): Promise<void> {
  await user.click(`document.querySelector('nav .clinic-switch')`)
  const item = `[...document.querySelectorAll('nav [role=menuitem]')].find((one) => one.innerText.includes(${JSON.stringify(clinic_id)}))`
  // The console begins anew in the other clinic.
  await user.leave(item)
  await site.tab.until(isIn(clinic_id))
}

test('whoever adds a clinic signs in to it, agrees, and changes between both by their names', { skip }, async () => {
  const { tab, clinic_id } = site
  const there = other.clinic.clinic_id
  await signInHere()
  await user.press('Add a clinic')
  await user.press('Do not add a clinic')
  await user.sees('You have added no other clinic yet.')
  await user.press('Add a clinic')
  await user.sees('Sign in to the other clinic as you always do.')
  await enter(there, other.dana.email, other.password)
  await user.sees('One sign-in for')
  await user.sees('Agree only if both accounts are yours.')
  await user.press('Agree')
  await user.sees('You change the clinic by its name')
  await user.click(`[...document.querySelectorAll('dialog button')].find((one) => one.textContent === 'Close')`)
  await tab.until(`document.querySelector('dialog') === null && ${isIn(there)}`)
  await signInHere()
  await changeTo(there)
  await user.sees(other.dana.email)
  await changeTo(clinic_id)
  await user.sees(site.email)
})

test('a partner is seen in all clinics beside each other, and stopped in all of them at once', { skip }, async () => {
  const { tab, owner, clinic } = site
  const keys = [
    await keyOf(owner, clinic, ['patients:read'], null, 'CRM'),
    await keyOf(owner, other.clinic, ['patients:read'], null, 'crm'),
    await keyOf(owner, other.clinic, ['patients:read'], null, 'Till'),
  ]
  await site.go('/console/clinics')
  await user.press('Stop in all clinics: CRM')
  await user.sees('Its keys and connected apps are refused')
  await user.press('Stop it everywhere')
  await user.sees('Stopped in Carmel.')
  await user.sees('Stopped in Tavor.')
  assert.deepEqual(await Promise.all(keys.map(site.statusWith)), [401, 401, 200])
  await user.click(`[...document.querySelectorAll('dialog button')].find((one) => one.textContent === 'Close')`)
  await tab.until(`!${button('Stop in all clinics: CRM')}`)
  // Its page is in the clinic that it belongs to.
  await user.leave(
    `[...document.querySelectorAll('main section')].find((one) => one.ariaLabel === 'Till').querySelector('a')`,
  )
  await tab.until(`${isIn(other.clinic.clinic_id)} && document.querySelector('main h1')?.innerText === 'Till'`)
})

test('a clinic that is closed to the browser leads back to the one that was signed in to', { skip }, async () => {
  const { tab, owner } = site
  const { clinic_id } = other.clinic
  await owner.query(sql`delete from administrator_session where clinic_id = ${clinic_id} and pairing_id is not null`)
  await tab.load(() => tab.run(`history.pushState(null, '', '/console/keys'); dispatchEvent(new Event('popstate'))`))
  await tab.until(isIn(site.clinic_id))
})

test('a clinic that comes to demand another way of signing in leads back too, and its own sign-in is in the menu', {
  skip,
}, async () => {
  const { tab, owner } = site
  const { clinic_id } = other.clinic
  const demand = (sign_in_demand: string) =>
    owner.query(sql`update clinic set sign_in_demand = ${sign_in_demand} where clinic_id = ${clinic_id}`)
  await changeTo(clinic_id)
  await demand('passkey')
  await tab.load(() => tab.run(`history.pushState(null, '', '/console/keys'); dispatchEvent(new Event('popstate'))`))
  await tab.until(isIn(site.clinic_id))
  await user.click(`document.querySelector('nav .clinic-switch')`)
  await user.sees('Sign in there')
  await demand('any')
})

test('the pages of several clinics have no fault in both languages, and fit a phone', { skip }, async () => {
  const { tab } = site
  const { clinic_id } = other.clinic
  await pairAnew()
  const faults = await faultsOfPages(site, sized(VIEWS), {
    clinics: async (width) => {
      await site.go('/console/clinics', width)
      await user.sees('Laboratory')
    },
    account: async (width) => {
      await site.go('/console/account', width)
      await tab.until(`document.querySelector('main .passkeys')?.innerText.includes(${JSON.stringify(clinic_id)})`)
    },
  })
  assert.deepEqual(faults, [])
})

test('whoever connects an app chooses in which clinic, and proves there who it is', { skip }, async () => {
  const { tab, baseUrl } = site
  await using app = await startApp(site)
  await site.tab.visit(app.addressOf({ scope: 'calls:read' }))
  const asked = (clinic_id: string) =>
    `document.querySelector('.consent .signed-in-as')?.innerText.includes(${JSON.stringify(clinic_id)})`
  await tab.until(asked(site.clinic_id))
  await user.click(`document.querySelector('.consent .clinic-switch')`)
  await user.leave(`[...document.querySelectorAll('[role=menuitem]')].find((one) => one.innerText.includes('Tavor'))`)
  await tab.until(asked(other.clinic.clinic_id))
  await user.press('Allow')
  await user.write('Your password', other.password)
  await tab.load(() => user.press('Confirm'))
  const code = app.sentBack[0]?.get('code') ?? assert.fail('no code')
  const { access_token = '' } = (await app.exchange(code)).body
  const me = await fetch(`${baseUrl}/v1/me`, { headers: { authorization: `Bearer ${access_token}` } })
  const { data } = (await me.json()) as { data: { clinic_id: string } }
  assert.equal(data.clinic_id, other.clinic.clinic_id)
})

test('an owner sees who comes from another clinic, and closes that way', { skip }, async () => {
  const { tab, owner } = site
  await tab.visit(`${site.address}/console/people`)
  await tab.until(isIn(other.clinic.clinic_id))
  await user.sees('password and another clinic')
  await user.sees('Another clinic since 5 Mar 2026, ')
  await act(user, 'Dana of Tavor', 'Close the way from other clinics')
  await user.sees('The person keeps the account here')
  // The tab came that way itself.
  await tab.load(() => user.press('Close it'))
  await tab.until(isIn(site.clinic_id))
  const { clinic_id } = other.clinic
  assert.deepEqual((await owner.query(sql`select id from pairing where clinic_id = ${clinic_id}`)).rows, [])
})

test('whoever ends the one sign-in has one clinic again', { skip }, async () => {
  const { tab } = site
  await pairAnew()
  await site.go('/console/account')
  await user.sees('Since 5 Mar 2026')
  await user.click(`document.querySelector('main .passkeys button')`)
  await user.press('End it')
  await tab.until(`document.querySelector('dialog') === null && document.querySelector('.clinic-switch') === null`)
  await user.sees('You have added no other clinic yet.')
})
