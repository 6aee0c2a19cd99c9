// The console when something is in the way: an outage, a lost line, a sheet of paper.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeSignInLink } from '@clinic-data/administration/administrators'
import { addPerson } from './people-scene.ts'
import { type ConsoleSite, openBeforeTests } from './site.ts'
import { UserActions } from './user-actions.ts'

let site: ConsoleSite
let user: UserActions
const skip = openBeforeTests(async (opened) => {
  site = opened
  user = new UserActions(site.tab)
  await site.mint('CRM')
})

/** Signs in, and shows the page of keys. It has not loaded itself again. */
async function onKeys(): Promise<void> {
  const { tab } = site
  await tab.visit(`${site.address}/console/`)
  await tab.run('sessionStorage.clear()')
  await site.signIn('/console/keys')
  await tab.until(`document.querySelector('.keys')`)
}

test('a page that was opened during an outage comes by itself once the service answers', { skip }, async () => {
  const { tab } = site
  await site.begin()
  const usual = await tab.inject(`{
    const [ask, every] = [fetch, setInterval]
    fetch = (...request) => window.isBack ? ask(...request) : Promise.resolve(new Response('{}', { status: 503 }))
    setInterval = (act, ms) => every(act, Math.min(ms, 300))
  }`)
  await tab.visit(`${site.address}/console/keys`)
  await user.sees('The service met an unexpected error.')
  await tab.run('window.isBack = true')
  await tab.until(`document.querySelector('nav a') && document.querySelector('.keys')`)
  await usual()
})

test('a printed page is its content alone', { skip }, async () => {
  const { tab } = site
  await site.open('/console/keys')
  await tab.until(`document.querySelector('.keys')`)
  await tab.send('Emulation.setEmulatedMedia', { media: 'print' })
  const isShown = (what: string) => tab.run(`document.querySelector('${what}').checkVisibility()`)
  assert.deepEqual(await Promise.all(['.navigation', 'main button', 'main h1', '.keys'].map(isShown)), [
    false,
    false,
    true,
    true,
  ])
  // On a screen the place of the navigation goes in a movement.
  await tab.until(`getComputedStyle(document.querySelector('main')).paddingInlineStart === '0px'`)
  await tab.send('Emulation.setEmulatedMedia', { media: '' })
})

test('a lost connection is shown, and mended when it is back', { skip }, async () => {
  const { tab } = site
  await onKeys()
  await tab.send('Network.enable')
  const network = (offline: boolean) =>
    tab.send('Network.emulateNetworkConditions', { offline, latency: 0, downloadThroughput: -1, uploadThroughput: -1 })
  await network(true)
  await tab.run(`document.querySelector('[aria-label=Refresh]').click()`)
  await user.sees('The connection is lost.')
  await network(false)
  await tab.until(`!document.body.innerText.includes('The connection is lost.')`)
  await tab.send('Network.disable')
})

test('a page whose files are gone loads itself again, once, and after that says so', { skip }, async () => {
  const { tab } = site
  await onKeys()
  await tab.send('Network.enable')
  await tab.send('Network.setBlockedURLs', { urls: ['*/console/assets/webhooks-*.js'] })
  await tab.load(() => tab.run(`document.querySelector('nav a[href="/console/webhooks"]').click()`))
  await tab.run('window.isSecond = true')
  await user.sees('This page could not be shown. The service may have been updated: load it again.')
  assert.equal(await tab.run('window.isSecond'), true)
  await tab.send('Network.setBlockedURLs', { urls: [] })
  await tab.load(() => user.press('Try again'))
  await tab.until(`document.querySelector('main h1')?.textContent === 'Webhooks'`)
  await tab.send('Network.disable')
})

test('a page whose files do not come in an outage stays, and says so', { skip }, async () => {
  const { tab } = site
  await onKeys()
  await tab.send('Network.enable')
  await tab.send('Network.setBlockedURLs', { urls: ['*/console/assets/clinic-*.js'] })
  await tab.run(`{
    const ask = fetch
    fetch = (...request) => {
      if (request[0] !== '/console/') return ask(...request)
      // Another page would be there by then.
      setTimeout(() => (window.isAsked = true), 100)
      return Promise.reject(new TypeError('away'))
    }
  }`)
  await tab.run(`document.querySelector('nav a[href="/console/clinic"]').click()`)
  await tab.until('window.isAsked')
  await user.sees('This page could not be shown.')
  await tab.send('Network.setBlockedURLs', { urls: [] })
  await tab.send('Network.disable')
})

test('a page that fails with what it was answered says so, and loads nothing anew', { skip }, async () => {
  const { tab } = site
  await onKeys()
  await tab.run(`{
    fetch = (...request) => {
      if (request[0] === '/console/') window.isAsked = true
      return Promise.resolve(new Response('{"data":[{"revoked_at":null,"expires_at":null}]}', { headers: { 'content-type': 'application/json' } }))
    }
    window.isFirst = true
  }`)
  await tab.run(`document.querySelector('[aria-label=Refresh]').click()`)
  await user.sees('This page could not be shown.')
  assert.deepEqual(await tab.run('[window.isFirst, window.isAsked ?? false]'), [true, false])
})

test('a page whose reader signed in as somebody else in another tab does nothing in that name', { skip }, async () => {
  const { tab, owner, clinic_id } = site
  await onKeys()
  const tal = await addPerson(site, 'Tal Ronen', 'owner')
  const { token } = await makeSignInLink(owner, { clinic_id, id: tal.id, now: new Date() })
  // Another tab of the browser.
  await tab.run(`fetch('/console/api/sign-in/link', { method: 'POST', body: '${JSON.stringify({ token })}',
    headers: { 'x-console': '1', 'content-type': 'application/json' } })`)
  await site.go('/console/integrations')
  await user.sees('Your session has ended.')
})
