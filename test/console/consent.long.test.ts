// An app asks for access in the machine's Chromium: from its own site by the sign-in to the question, and back to it with a code that
// opens what was allowed.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { readScopes } from '@clinic-data/contract/scopes'
import { sql } from '@clinic-data/database'
import { sized } from '@clinic-data/testing/run/size'
import { until } from '@clinic-data/testing/until'
import { scopesWith, startApp, type TestApp } from './app-scene.ts'
import { axeFaults, faultsOfPages, VIEWS } from './faults-of-pages.ts'
import { addPerson, decideElsewhere } from './people-scene.ts'
import { type ConsoleSite, openBeforeTests } from './site.ts'
import { button, field, UserActions } from './user-actions.ts'

let site: ConsoleSite
let user: UserActions
let app: TestApp
const opened = new AsyncDisposableStack()
after(() => opened.disposeAsync())
const skip = openBeforeTests(async (found) => {
  site = found
  user = new UserActions(site.tab)
  app = opened.use(await startApp(site))
  await site.setPassword()
})

const box = (scope: string) => `document.querySelector('input[value="${scope}"]')`
const isAsked = `document.querySelector('.consent')`

/** What the app was told last, once. */
async function answered(): Promise<Record<string, string>> {
  const isBack = `location.pathname === '/back' && document.readyState === 'complete'`
  await until(
    () => site.tab.run<boolean>(isBack).catch(() => false),
    () => 'the browser is not sent back',
  )
  const [told = new URLSearchParams(), ...more] = app.sentBack.splice(0)
  assert.deepEqual(more, [])
  return Object.fromEntries(told)
}

test('an app leads through the sign-in to the question, and its code opens only what was left of its scopes', {
  skip,
}, async () => {
  const { tab, baseUrl } = site
  await app.lead({ scope: 'patients:read appointments:read calls:read' })
  await user.write('Clinic', site.clinic_id)
  await user.write('E-mail', site.email)
  await user.write('Password', site.password)
  await user.press('Sign in')
  await tab.until(isAsked)
  assert.equal(await tab.run(`document.querySelector('h1').textContent`), 'Desk')
  await user.sees('Verified by your operator')
  await user.sees(site.email)
  await user.click(box('patients:read'))
  await tab.load(() => user.press('Allow'))
  const { code = '', ...told } = await answered()
  assert.deepEqual(told, { state: 'of the app', iss: baseUrl })
  assert.equal(await tab.run(`document.querySelector('h1').textContent`), 'In the app')
  const { status, body } = await app.exchange(code)
  assert.deepEqual([status, body.scope], [200, 'appointments:read calls:read'])
  assert.deepEqual(await scopesWith(site, body.access_token ?? ''), ['appointments:read', 'calls:read'])
})

test('whoever is signed in is asked at once, and "back" does not lead to an answered question', { skip }, async () => {
  const { tab } = site
  await app.lead()
  await tab.until(isAsked)
  const offered = `[...document.querySelectorAll('.consent input[type=checkbox]')].map(({ value }) => value)`
  assert.deepEqual(await tab.run(offered), [...readScopes])
  await tab.load(() => user.press('Allow'))
  await answered()
  // Once the page has answered: it leaves at that.
  await tab.load(() => tab.run('void setTimeout(() => history.back())'))
  assert.equal(await tab.run('document.body.textContent.trim()'), 'Connect')
})

test('where the clinic wants approvals the question waits for another person, and the app gets its code then', {
  skip,
}, async () => {
  const { tab, owner, clinic_id } = site
  const set = (needs_approval: boolean) =>
    owner.query(sql`update clinic set needs_approval = ${needs_approval} where clinic_id = ${clinic_id}`)
  const tal = await addPerson(site, 'Tal Ronen', 'administrator')
  await set(true)
  await app.lead({ scope: 'patients:read' })
  await user.press('Allow')
  await user.sees('Another person has to approve this')
  await user.sees('Desk')
  assert.deepEqual(await axeFaults(tab), [])
  assert.equal(await tab.overflow(360), 0)
  await tab.load(() => decideElsewhere(site, tal, 'approve'))
  const { code = '' } = await answered()
  assert.equal((await app.exchange(code)).body.scope, 'patients:read')
  await set(false)
})

test('Cancel tells the app that nothing was allowed, and nothing is', { skip }, async () => {
  const { tab, baseUrl } = site
  await app.lead()
  await tab.load(() => user.press('Cancel'))
  const { error_description, ...told } = await answered()
  assert.deepEqual(told, { error: 'access_denied', state: 'of the app', iss: baseUrl })
})

test('a request that is wrong elsewhere than in its address is answered to the app', { skip }, async () => {
  const { tab } = site
  await tab.visit(app.addressOf({ code_challenge_method: 'plain' }))
  assert.equal((await answered()).error, 'invalid_request')
})

test('an address that is not the app’s is neither linked nor followed', { skip }, async () => {
  const { tab } = site
  const before = app.sentBack.length
  for (const redirect_uri of [
    'https://elsewhere.example/back',
    'javascript:document.title="run"',
    'data:text/html,x',
  ]) {
    await tab.visit(app.addressOf({ redirect_uri }))
    await user.sees('This app cannot be connected')
    assert.equal(await tab.run(`document.querySelectorAll('a, form').length`), 0)
    assert.ok(!(await tab.run<string>('document.body.innerHTML')).includes('elsewhere'))
    assert.equal(await tab.run('location.origin'), site.address)
  }
  assert.equal(app.sentBack.length, before)
})

test('nothing chosen is nothing allowed, and the page says so', { skip }, async () => {
  const { tab } = site
  await tab.visit(app.addressOf({ scope: 'calls:read' }))
  await user.click(box('calls:read'))
  await user.press('Allow')
  await user.sees('Choose at least one permission.')
  assert.equal(app.sentBack.length, 0)
})

test('when the answer to Allow is lost, Allow again says what happened, and makes no second connection', {
  skip,
}, async () => {
  const { tab } = site
  const usual = await tab.inject(`{
    const ask = fetch
    let isLost = false
    fetch = async (path, request) => {
      const answer = await ask(path, request)
      if (isLost || !String(path).endsWith('/connect/allow')) return answer
      isLost = true
      throw new TypeError('lost')
    }
  }`)
  await tab.visit(app.addressOf())
  await user.press('Allow')
  await tab.until(`document.querySelector('.consent [role=alert]')`)
  await user.press('Allow')
  await user.sees('It was allowed, but the connection broke before the app was told. Begin again in the app.')
  await usual()
  assert.equal(app.sentBack.length, 0)
})

test('the question is answered by keyboard alone, and the focus is seen', { skip }, async () => {
  const { tab } = site
  // A list has a border of another colour than the one of languages, which has no focus.
  const isSeen = () =>
    tab.until(`getComputedStyle(document.activeElement).outlineStyle !== 'none' || (document.activeElement.matches('select')
      && getComputedStyle(document.activeElement).borderColor !== getComputedStyle(document.querySelector('[aria-label=Language]')).borderColor)`)
  await tab.visit(app.addressOf({ scope: 'patients:read calls:read' }))
  await tab.until(isAsked)
  await user.reach(`document.activeElement === ${box('patients:read')}`)
  await isSeen()
  await user.key(' ', 'Space')
  await user.reach(`document.activeElement === ${field('Connected for')}`)
  await isSeen()
  await tab.until(`${button('Allow')} && !${button('Allow')}.disabled`)
  await user.reach(`document.activeElement === ${button('Allow')}`)
  await isSeen()
  await tab.load(() => user.key('Enter'))
  const { code = '' } = await answered()
  assert.equal((await app.exchange(code)).body.scope, 'calls:read')
})

test('in Hebrew the page runs from right to left, and each app’s name in its own direction', { skip }, async () => {
  const { tab } = site
  await using hebrew = await startApp(site, { name: 'יומן (Yoman) 2', kind: 'self_registered' })
  await tab.visit(app.addressOf())
  await tab.run(`localStorage.setItem('console.language', 'he')`)
  const directions = []
  for (const one of [app, hebrew]) {
    await tab.visit(one.addressOf({ scope: 'patients:read payments:write' }))
    await tab.until(isAsked)
    const name = `document.querySelector('h1 bdi')`
    assert.equal(await tab.run(`${name}.textContent`), one.name)
    directions.push(await tab.run(`getComputedStyle(${name}).direction`))
    await tab.until(`document.documentElement.dir === 'rtl'`)
    // The name stands at the right edge of the sheet, whichever language it is in.
    const gap = `document.querySelector('.consent').getBoundingClientRect().right - ${name}.getBoundingClientRect().right`
    assert.ok((await tab.run<number>(gap)) < 2)
    assert.deepEqual(await axeFaults(tab), [])
  }
  assert.deepEqual(directions, ['ltr', 'rtl'])
  await tab.run(`localStorage.setItem('console.language', 'en')`)
})

test('the pages of the question are accessible and fit', { skip }, async () => {
  const { tab } = site
  await using web = await startApp(site, { redirect: 'https://crm.example.com/back' })
  await using own = await startApp(site, { name: 'א'.repeat(200), kind: 'self_registered', redirect: 'desk://back' })
  const ask = (one: TestApp, more?: Record<string, string>) => async (width: number) => {
    await tab.visit(one.addressOf(more), width)
    await tab.until(`document.querySelector('main h1')`)
  }
  const faults = await faultsOfPages(site, sized(VIEWS), {
    reads: ask(web),
    changes: ask(app, { scope: 'reads payments:write webhooks:manage', resource: `${site.baseUrl}/mcp` }),
    'of this computer': ask(own),
    wrong: ask(app, { client_id: 'https://app.invalid/app' }),
  })
  assert.deepEqual(faults, [])
})
