// Days that are typed into the console's filters, in Chromium: a year is searched for once it is whole, and wrong days are told.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ConsoleSite, openBeforeTests } from './site.ts'
import { field, UserActions } from './user-actions.ts'

let site: ConsoleSite
let user: UserActions
const skip = openBeforeTests(async (opened) => {
  site = opened
  user = new UserActions(site.tab)
  await site.signIn('/console/activity')
})

/** The same in each order of day and month. */
const DAY = { typed: '11112026', shown: '2026-11-11' }

async function typeDay(label: string): Promise<void> {
  await site.tab.until(`(${field(label)}?.focus(), ${field(label)})`)
  for (const text of DAY.typed) await site.tab.send('Input.dispatchKeyEvent', { type: 'keyDown', key: text, text })
}

const PLACES = [
  ['/console/activity', 'From day', 'from=2026-11-11'],
  ['/console/explore?dataset=appointments&measures=appointment_count', 'From', 'from=2026-11-11'],
] as const

for (const [address, label, wanted] of PLACES) {
  test(`a day that is typed at ${address.split('?')[0]} is one search, and one step back`, { skip }, async () => {
    const { tab } = site
    await site.go(address)
    const before = await tab.run<string>('location.search')
    await typeDay(label)
    await tab.until(`location.search.includes(${JSON.stringify(wanted)})`)
    assert.equal(await tab.run(`document.activeElement === ${field(label)}`), true)
    const left = `new Promise((done) => {
      addEventListener('popstate', () => done(location.search), { once: true })
      history.back()
    })`
    assert.equal(await tab.run(left), before)
    await tab.until(`${field(label)}?.value !== ${JSON.stringify(DAY.shown)}`)
  })
}

test('a first day after the last is told, in place of nothing found alone', { skip }, async () => {
  await site.go('/console/activity?from=2026-12-02&to=2026-11-30')
  await user.sees('The first day comes after the last.')
  await user.choose(field('To day'), '2026-12-02')
  await user.seesNo('The first day comes after the last.')
})
