// Tests what a reader on a slow line sees first, in the machine's Chromium.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ConsoleSite, openBeforeTests } from './site.ts'

/** A line of 50 kB a second brings so much within 300 ms. */
const MOST_BYTES = 15_000
/** Nobody notices it. Timers that wait longer do not fire in the page that must show itself at once. */
const MOST_WAIT_MS = 50

let site: ConsoleSite
const skip = openBeforeTests((opened) => {
  site = opened
})

/** Opens a page whose scripts, styles and pictures never arrive. @returns the bytes that had arrived when it showed something. */
async function bytesBeforeFirstPaint(path: string): Promise<number> {
  const { tab, address } = site
  await tab.visit('about:blank')
  await tab.send('Network.clearBrowserCache')
  await tab.send('Fetch.enable', { patterns: [{ urlPattern: '*/assets/*' }] })
  await tab.send('Page.navigate', { url: `${address}${path}` })
  await tab.until(`performance.getEntriesByName('first-contentful-paint').length > 0`)
  const [bytes = 0, others] = await tab.run<number[]>(`[
    performance.getEntriesByType('navigation')[0].transferSize,
    performance.getEntriesByType('resource').length,
  ]`)
  assert.equal(others, 0, 'something else than the document had arrived')
  await tab.send('Fetch.disable')
  await tab.until(`document.querySelector('main h1')`)
  return bytes
}

test('the page shows something after 15 kB at most, before a script or a style has arrived', { skip }, async () => {
  const signIn = await bytesBeforeFirstPaint('/console/')
  await site.begin()
  const overview = await bytesBeforeFirstPaint('/console/')
  for (const bytes of [signIn, overview]) assert.ok(bytes > 0 && bytes <= MOST_BYTES, `${bytes} bytes`)
})

test('a page is shown as soon as its code is there, without a wait of its own', { skip }, async () => {
  const { tab, address } = site
  await site.begin()
  const end = await tab.inject(
    `{ const at = setTimeout; setTimeout = (act, ms, ...given) => ms > ${MOST_WAIT_MS} ? 0 : at(act, ms, ...given) }`,
  )
  try {
    await tab.visit(`${address}/console/clinic`)
    await tab.until(`document.querySelector('main h1')`)
    await site.go('/console/connect')
    await tab.until(`document.querySelector('main h1')`)
  } finally {
    await end()
  }
})
