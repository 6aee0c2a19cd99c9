// The connected apps in the machine's Chromium: a device that shows a code, what each app did, what is changed and ended, and what a
// service shows to which no app can be connected.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sized } from '@clinic-data/testing/run/size'
import { scopesWith, startApp, type TestApp } from './app-scene.ts'
import { faultsOfPages, VIEWS } from './faults-of-pages.ts'
import { secondListener } from './second-listener.ts'
import { type ConsoleSite, openBeforeTests } from './site.ts'
import { field, UserActions } from './user-actions.ts'

let site: ConsoleSite
let user: UserActions
let app: TestApp
const opened = new AsyncDisposableStack()
after(() => opened.disposeAsync())
const skip = openBeforeTests(async (found) => {
  site = found
  user = new UserActions(site.tab)
  app = opened.use(await startApp(site))
})

const row = (name: string) =>
  `[...document.querySelectorAll('.keys tbody tr')].find((one) => one.querySelector('a')?.textContent === ${JSON.stringify(name)})`

test('a device’s code is typed as it is shown, and the device gets what is allowed to it', { skip }, async () => {
  const { tab } = site
  const { user_code = '', device_code = '', verification_uri } = await app.startDevice('patients:read calls:read')
  assert.equal(new URL(verification_uri ?? '').pathname, '/console/device')
  await site.begin()
  await tab.visit(`${site.address}/console/device`)
  await tab.until(field('Code'))
  await user.write('Code', user_code.toLowerCase().replace('-', ' '))
  await user.press('Go on')
  await user.sees('Your device must show this code:')
  await user.sees(user_code)
  assert.equal((await app.pollDevice(device_code)).body.error, 'authorization_pending')
  await user.click(`document.querySelector('input[value="calls:read"]')`)
  await user.press('Allow')
  await user.sees('The device is connected')
  const { status, body } = await app.pollDevice(device_code)
  assert.deepEqual([status, body.scope], [200, 'patients:read'])
  assert.deepEqual(await scopesWith(site, body.access_token ?? ''), ['patients:read'])
})

test('a device that is refused gets nothing, and the same code works no more', { skip }, async () => {
  const { tab } = site
  const { user_code = '', device_code = '' } = await app.startDevice('patients:read')
  await tab.visit(`${site.address}/console/device?user_code=${user_code}`)
  await user.press('Go on')
  await user.press('Cancel')
  await user.sees('Nothing was allowed')
  assert.equal((await app.pollDevice(device_code)).body.error, 'access_denied')
  await tab.visit(`${site.address}/console/device?user_code=${user_code}`)
  await user.press('Go on')
  await user.sees('No device waits for this code.')
})

test('a connection shows what the app did, is narrowed and ends, and its token is refused at once', {
  skip,
}, async () => {
  const { tab, baseUrl } = site
  await using crm = await startApp(site, { name: 'CRM' })
  await site.open('/console/connections')
  const { access_token: token = '' } = await crm.connect(['patients:read', 'calls:read'], 30)
  const calls = async () =>
    (await fetch(`${baseUrl}/v1/calls?limit=1`, { headers: { authorization: `Bearer ${token}` } })).status
  assert.equal(await calls(), 200)
  await tab.visit(`${site.address}/console/connections`)
  await tab.until(row('CRM'))
  await user.click(`${row('CRM')}.querySelector('a')`)
  await user.sees('What it may do')
  await tab.until(`document.querySelector('.connection-facts')?.innerText.includes('List calls')`)
  const shown = await tab.run<string>(`document.querySelector('main').innerText`)
  for (const text of ['Dana Levi', '1 request', '127.0.0.1', 'Read the call log']) assert.ok(shown.includes(text), text)

  await user.press('Change')
  await user.click(`document.querySelector('dialog input[value="calls:read"]')`)
  await user.press('Save')
  await tab.until(`!document.querySelector('dialog')`)
  assert.deepEqual(await scopesWith(site, token), ['patients:read'])
  assert.equal(await calls(), 403)

  await user.press('Change')
  await user.write('Only from these addresses', '198.51.100.7')
  await user.press('Save')
  await tab.until(`!document.querySelector('dialog')`)
  assert.equal(await scopesWith(site, token), 403)
  await tab.visit(`${site.address}/console/connections`)
  await tab.until(row('CRM'))
  await user.click(`${row('CRM')}.querySelector('a')`)
  await user.sees('1 of them refused for the address')
  assert.ok((await tab.run<string>(`document.querySelector('.connection-facts').innerText`)).includes('198.51.100.7'))

  await user.press('End')
  await user.sees('Whoever wants it back connects it again.')
  await user.press('End the connection')
  await user.sees('Ended in the console')
  assert.equal(await scopesWith(site, token), 401)
  await user.click(`[...document.querySelectorAll('a')].find((one) => one.textContent === 'All connected apps')`)
  await user.sees('Ended (1)')
})

test('the activity names an app with the person who connected it, in both languages', { skip }, async () => {
  const { tab } = site
  await site.open('/console/activity')
  const who = (text: string) =>
    tab.until(`[...document.querySelectorAll('.log-row .who')].some((one) => one.textContent === '${text}')`)
  await who('CRM, connected by Dana Levi')
  await user.choose(field('What'), 'console.connections.end')
  await tab.until(`document.querySelectorAll('.log-row').length === 1`)
  await user.sees("End an app's connection")
  await user.choose(field('What'), 'connect.token')
  await who('CRM, connected by Dana Levi')
  const group = `document.querySelector('optgroup[label="Connected apps"]')`
  await tab.until(group)
  assert.match(await tab.run(`${group}.textContent`), /CRM\W*, connected by \W*Dana Levi/)
  await user.choose(`document.querySelector('select:has([value=he])')`, 'he')
  await who('CRM, בחיבור של Dana Levi')
  await user.choose(`document.querySelector('select:has([value=he])')`, 'en')
})

test('where no app can be connected, nothing speaks of it, and programs are connected by keys', { skip }, async () => {
  const { tab } = site
  await using listener = await secondListener(site, {})
  await site.signIn('/console/connect', listener.address)
  await tab.until(`document.querySelector('main .copy-text')`)
  const shown = await tab.run<string>('document.body.innerText')
  for (const absent of ['Connected apps', 'ChatGPT', 'only an address']) assert.ok(!shown.includes(absent), absent)
  assert.equal(await tab.run(`document.querySelectorAll('details.by-key').length`), 0)
  for (const path of ['connections', 'authorize?client_id=x', 'device']) {
    await tab.visit(`${listener.address}/console/${path}`)
    await user.sees('There is no such page')
  }
})

test('the pages of connections are accessible and fit', { skip }, async () => {
  const { tab } = site
  await using web = await startApp(site, {
    name: 'יומן',
    kind: 'self_registered',
    redirect: 'https://yoman.example.com/back',
  })
  const { user_code = '' } = await web.startDevice('reads')
  await site.signIn('/console/connections')
  const { access_token: token = '' } = await web.connect(['patients:read', 'payments:write'], 90)
  await fetch(`${site.baseUrl}/v1/patients`, { headers: { authorization: `Bearer ${token}` } })
  const listed = async (width: number) => {
    await site.go('/console/connections', width)
    await tab.until(row('יומן'))
  }
  const pages = {
    list: listed,
    one: async (width: number) => {
      await listed(width)
      await user.click(`${row('יומן')}.querySelector('a')`)
      await tab.until(`document.querySelector('.connection-facts')`)
    },
    change: async (width: number) => {
      await listed(width)
      await user.click(`${row('יומן')}.querySelector('[data-name=actions] button')`)
      await user.click(`document.querySelector('[role=menuitem]')`)
      await tab.until(`document.querySelector('dialog .scope-boxes')`)
    },
    device: async (width: number) => {
      await tab.visit(`${site.address}/console/device?user_code=${user_code}`, width)
      await user.click(`document.querySelector('form button')`)
      await tab.until(`document.querySelector('.consent')`)
    },
  }
  assert.deepEqual(await faultsOfPages(site, sized(VIEWS), pages), [])
})
