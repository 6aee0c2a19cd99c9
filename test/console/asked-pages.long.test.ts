// The pages to which an app or a device leads people, in the machine's Chromium: whoever is signed out signs in and comes back to the same
// question, from whatever site they came, and a request that is wrong leads nowhere.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { sized } from '@clinic-data/testing/run/size'
import { faultsOfPages, VIEWS } from './faults-of-pages.ts'
import { type ConsoleSite, openBeforeTests } from './site.ts'
import { field, UserActions } from './user-actions.ts'

let site: ConsoleSite
let user: UserActions
const skip = openBeforeTests(async (opened) => {
  site = opened
  user = new UserActions(site.tab)
  await site.setPassword()
})

const WRONG = '/console/authorize?client_id=nobody&redirect_uri=https%3A%2F%2Felsewhere.example%2Fback&state=s'
const REFUSED = 'This app cannot be connected'
const address = () => site.tab.run<string>('location.pathname + location.search')

async function signInByPassword(): Promise<void> {
  await user.write('Clinic', site.clinic_id)
  await user.write('E-mail', site.email)
  await user.write('Password', site.password)
  await user.press('Sign in')
}

test('whoever is signed out signs in and is asked the same, at the same address', { skip }, async () => {
  await site.tab.visit(`${site.address}${WRONG}`)
  await user.sees('Sign in')
  await signInByPassword()
  await user.sees(REFUSED)
  assert.equal(await address(), WRONG)
  await site.signOut()
})

test('a page that waits for a sign-in goes on when a link has signed in elsewhere', { skip }, async () => {
  await site.tab.visit(`${site.address}${WRONG}`)
  await site.tab.until(field('Password'))
  await site.begin()
  await site.tab.run(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
  await user.sees(REFUSED)
  assert.equal(await address(), WRONG)
})

test('a request that must not be answered leads nowhere, and neither does an empty one', { skip }, async () => {
  for (const path of [WRONG, '/console/authorize']) {
    await site.tab.visit(`${site.address}${path}`)
    await user.sees(REFUSED)
    assert.equal(await site.tab.run(`document.querySelectorAll('a').length`), 0)
    assert.equal(await address(), path)
  }
})

test('whoever comes from another site is still signed in', { skip }, async (t) => {
  const target = `${site.address}${WRONG}`
  const app = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end(`<a href="${target.replaceAll('&', '&amp;')}">Connect</a>`),
  ).listen(0, '127.0.0.1')
  await once(app, 'listening')
  t.after(() => {
    app.closeAllConnections()
    app.close()
  })
  const { port } = app.address() as AddressInfo
  // For the browser `localhost` and `127.0.0.1` are two sites.
  await site.tab.visit(`http://localhost:${port}/`)
  await site.tab.load(() => site.tab.run(`document.querySelector('a').click()`))
  await user.sees(REFUSED)
  assert.equal(await address(), WRONG)
})

test('a code in the address of the device page is filled in, not sent, and an unknown one is refused in words', {
  skip,
}, async () => {
  await site.tab.visit(`${site.address}/console/device?user_code=bcdf-ghjk`)
  await site.tab.until(`${field('Code')}?.value === 'bcdf-ghjk'`)
  await user.press('Go on')
  await user.sees('No device waits for this code.')
})

test('the pages are accessible and fit', { skip }, async () => {
  const visit = (path: string, shown: string) => async (width: number) => {
    await site.tab.visit(`${site.address}${path}`, width)
    await site.tab.until(shown)
  }
  const pages = {
    'wrong request': visit(WRONG, `document.querySelector('main h1')`),
    device: visit('/console/device?user_code=BCDF-GHJK', `document.querySelector('main input')`),
    connections: visit('/console/connections', `document.querySelector('main h1')`),
  }
  assert.deepEqual(await faultsOfPages(site, sized(VIEWS), pages), [])
})
