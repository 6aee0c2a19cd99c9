// The reference in the machine's Chromium: accessible on wide and narrow screens, light and dark, and what its script does.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, test } from 'node:test'
import { packagesOnDemand } from '@clinic-data/server/packages-on-demand'
import { Tab } from '@clinic-data/testing/run/chromium'
import { sized } from '@clinic-data/testing/run/size'
import { smallClinic, startParts, type TestService } from '@clinic-data/testing/run/test-service'

const skip = process.env.TEST_CHROMIUM === undefined ? 'no Chromium on this machine' : false

/** One page of each form, and those with the most forms twice in the long size. */
const wide = ['/docs/webhooks', '/docs/availability', '/problems/not-found']
const narrow = ['/docs', '/docs/events', '/docs/install', '/docs/clients']
const PAGES = sized({
  everyday: { wide, narrow },
  long: { wide: [...wide, '/docs', '/docs/events'], narrow: [...narrow, '/docs/availability'] },
})
const VISITS = [
  ...PAGES.wide.map((path) => ({ path, width: 1440, scheme: 'light' }) as const),
  ...PAGES.narrow.map((path) => ({ path, width: 390, scheme: 'dark' }) as const),
]

let service: TestService
let tab: Tab
let base: string
let key: string
before(async () => {
  if (skip) return
  service = await startParts({ packages: packagesOnDemand({ log: { debug() {}, info() {}, warn() {}, error() {} } }) })
  key = (await smallClinic(service)).key
  base = await service.address()
  tab = await Tab.open()
})
after(async () => {
  await tab?.close()
  await service?.close()
})

const wait = (condition: string) => tab.until(condition)
/** A page that is left while it loads would tell the next visit that it has loaded. */
const arrives = (condition: string) => wait(`document.readyState === 'complete' && ${condition}`)

test('axe finds nothing, on wide and narrow screens, light and dark', { skip }, async () => {
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  const found: string[] = []
  for (const { path, width, scheme } of VISITS) {
    await tab.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] })
    await tab.visit(`${base}${path}`, width)
    await tab.run(`${axe}; for (const one of document.querySelectorAll('details')) one.open = true`)
    const violations = await tab.run<{ id: string; nodes: { html: string }[] }[]>(
      `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)`,
    )
    for (const { id, nodes } of violations) found.push(`${path} ${width} ${scheme}: ${id} ${nodes[0]?.html}`)
    for (const screen of [1440, 390]) {
      const overflow = await tab.overflow(screen)
      if (overflow > 0) found.push(`${path} ${screen}: ${overflow} pixels too wide`)
    }
  }
  await tab.send('Emulation.setEmulatedMedia', { features: [] })
  assert.deepEqual(found, [])
})

test('on a narrow screen no button to copy covers the text that it copies', { skip }, async () => {
  const covered = await tab.visit(`${base}/docs/webhooks`, 390).then(() =>
    tab.run<
      string[]
    >(`[...document.querySelectorAll('.copy')].filter((one) => one.checkVisibility()).flatMap((button) => {
      const { left, right, top, bottom } = button.getBoundingClientRect()
      const text = document.createRange()
      text.selectNodeContents(button.parentElement.querySelector('pre'))
      return [...text.getClientRects()].some((line) =>
        line.left < right && line.right > left && line.top < bottom && line.bottom > top) ? [button.parentElement.textContent] : []
    })`),
  )
  assert.ok(await tab.run(`document.querySelectorAll('.copy').length > 0`))
  assert.deepEqual(covered, [])
})

test('an address of the time when all was one page leads to the place', { skip }, async () => {
  await tab.visit(`${base}/docs#patients-list`)
  await arrives(`location.pathname === '/docs/patients' && location.hash === '#patients-list'`)
  await tab.visit(`${base}/docs#errors`)
  await arrives(`location.pathname === '/docs/errors'`)
})

test('/ leads to the search, and Enter to the first result', { skip }, async () => {
  await tab.visit(`${base}/docs`)
  await tab.run(`document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true }))`)
  await wait(`document.activeElement.matches('.search input')`)
  await tab.send('Input.insertText', { text: 'free slots' })
  await wait(`document.querySelector('#results a')?.textContent.includes('/v1/availability')`)
  for (const type of ['keyDown', 'keyUp'])
    await tab.send('Input.dispatchKeyEvent', { type, key: 'Enter', code: 'Enter' })
  await arrives(`location.pathname === '/docs/availability'`)
})

test('on a narrow screen the languages of a sample stand in one row', { skip }, async () => {
  await tab.visit(`${base}/docs/leads`, 390)
  await wait(`document.querySelector('.languages').checkVisibility()`)
  const tops = await tab.run<number[]>(
    `[...document.querySelectorAll('#leads-create [data-choose]')].map((one) => one.getBoundingClientRect().top)`,
  )
  assert.equal(tops.length, 6)
  assert.equal(new Set(tops).size, 1)
})

test('a language is chosen by the keyboard, and stays chosen on the next page', { skip }, async () => {
  const shown = `[...document.querySelectorAll('section .shell')].filter((one) => one.checkVisibility()).map((one) => one.dataset.language)`
  // A page has its places a moment after it has loaded.
  const shows = (language: string) => wait(`String(${shown}) === ${JSON.stringify(language)}`)
  await tab.visit(`${base}/docs/identity`)
  await shows('curl')
  await tab.run(`document.querySelector('[data-choose="clinic_data"]').focus()`)
  await tab.send('Input.dispatchKeyEvent', { type: 'keyDown', key: 'Enter', code: 'Enter', text: '\r' })
  await tab.send('Input.dispatchKeyEvent', { type: 'keyUp', key: 'Enter', code: 'Enter' })
  await shows('clinic_data')
  await tab.visit(`${base}/docs/availability`)
  await shows('clinic_data')
})

test('a reading operation runs with a key that is kept nowhere', { skip }, async () => {
  await tab.visit(`${base}/docs/identity`)
  await tab.run(`document.querySelector('.try summary').click(); document.querySelector('.try input').focus()`)
  await tab.send('Input.insertText', { text: key })
  await tab.run(`document.querySelector('.try button').click()`)
  await wait(`document.querySelector('.outcome').textContent.startsWith('200 in')`)
  assert.match(await tab.run<string>(`document.querySelector('.try pre').textContent`), /"clinic_id": "test-/)
  const kept = await tab.run<string>(
    `JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, document.body.outerHTML])`,
  )
  assert.ok(!kept.includes(key))
})

test('a key is kept in the tab where the reader says so, and gone from it when the reader takes that back', {
  skip,
}, async () => {
  const kept = () => tab.run<string>(`JSON.stringify([sessionStorage, localStorage, document.cookie])`)
  await tab.visit(`${base}/docs/identity`)
  await tab.run(`document.querySelector('.try summary').click(); document.querySelector('.try input').focus()`)
  await tab.send('Input.insertText', { text: key })
  await tab.run(`document.querySelector('.try [type="checkbox"]').click()`)
  const [session, ...others] = JSON.parse(await kept())
  assert.deepEqual(session, { 'tried-key': key })
  assert.ok(!JSON.stringify(others).includes(key))
  await tab.visit(`${base}/docs/catalog`)
  await wait(`document.querySelector('.try [type="password"]')?.value === ${JSON.stringify(key)}`)
  await tab.run(`document.querySelector('.try [type="checkbox"]').click()`)
  assert.ok(!(await kept()).includes(key))
})

test('a word with a slip finds what was meant, and the name of a measure its dataset', { skip }, async () => {
  const search = async (query: string) => {
    await tab.visit(`${base}/docs`)
    await tab.run(`document.querySelector('.search input').focus()`)
    await tab.send('Input.insertText', { text: query })
    await wait(`document.querySelector('#results a, #results .none')`)
    return tab.run<string[]>(`[...document.querySelectorAll('#results li')].map((one) => one.textContent)`)
  }
  for (const slip of ['apointments', 'appiontments', 'appointmnets', 'appointmentss']) {
    const [said, first] = await search(slip)
    assert.equal(said, 'Results for appointments', slip)
    assert.match(String(first), /appointments/i)
  }
  // The more usual `list` is as near, but on no page beside `rate` in a title.
  const [said, ...found] = await search('rate limt')
  assert.equal(said, 'Results for rate limit')
  assert.match(found[0] ?? '', /^Rate limit Guide/)
  assert.deepEqual(found, await search('rate limit'))
  for (const slip of ['cancled appointment', 'canclled apointment']) {
    const [said, first] = await search(slip)
    assert.equal(said, 'Results for cancelled appointment', slip)
    assert.match(String(first), /^appointment\.cancelled Event/, slip)
  }
  // A slip in each of two words, and in a word of three letters.
  const [keySaid, keyFound] = await search('idempotncy kye')
  assert.equal(keySaid, 'Results for idempotency key')
  assert.match(String(keyFound), /^Idempotency key reused/)
  // No page has both words, or the other word of the two stands nowhere.
  const [slotsSaid, slotsFound] = await search('avalable slots')
  assert.equal(slotsSaid, 'Results for available or slots')
  assert.match(String(slotsFound), /^Free slots/)
  const [paymentsSaid, paymentsFound] = await search('invoise paymant')
  assert.match(String(paymentsSaid), /^Results for payments?$/)
  assert.match(String(paymentsFound), /payments/i)
  assert.match((await search('no_show_rate'))[0] ?? '', /^no_show_rate Measure of appointments/)
  for (const [query, first] of [
    ['error codes', /^Errors Guide/],
    ['sandbox', /^Quick start Guide/],
    ['postman', /^Generated clients Page/],
    ['timezone', /^Requests and answers Guide/],
    ['time zone', /^Requests and answers Guide/],
    ['book appointment', /^Appointments Reference.*The clinic books them in its own system/],
  ] as const) {
    assert.match((await search(query))[0] ?? '', first, query)
  }
  assert.deepEqual(await search('zzqqxxyy'), ['Nothing found.'])
})

test('a page is copied as its Markdown', { skip }, async () => {
  await tab.visit(`${base}/docs/webhooks`)
  await wait(`document.querySelector('.in-markdown button')`)
  // A browser without a window has no clipboard to look into.
  await tab.run(`navigator.clipboard.write = async ([item]) => { globalThis.copied = await (await item.getType('text/plain')).text() };
    document.querySelector('.in-markdown button').click()`)
  await wait(`globalThis.copied !== undefined`)
  assert.equal(await tab.run<string>('globalThis.copied'), await (await fetch(`${base}/docs/webhooks.md`)).text())
})

test('a query runs with the body that the reader wrote', { skip }, async () => {
  const tried = `document.querySelector('#query-run .try')`
  await tab.visit(`${base}/docs/analytics`)
  await tab.run(`${tried}.querySelector('summary').click(); ${tried}.querySelector('input').focus()`)
  await tab.send('Input.insertText', { text: key })
  await tab.run(`${tried}.querySelector('button').click()`)
  await wait(`${tried}.querySelector('.outcome').textContent.startsWith('200 in')`)
  assert.match(await tab.run<string>(`${tried}.querySelector('pre').textContent`), /"totals"/)
  await tab.run(`${tried}.querySelector('textarea').value = '{'; ${tried}.querySelector('button').click()`)
  await wait(`${tried}.querySelector('.outcome').textContent.startsWith('400 in')`)
})

test('nothing was refused by the content security policy, and no script failed', { skip }, () => {
  assert.deepEqual(
    (tab?.said ?? []).filter((one) => /Content Security Policy|exceptionDetails/.test(one)),
    [],
  )
})
