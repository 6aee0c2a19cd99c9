// What was unusual, in the machine's Chromium: the home page tells it above everything else, and the list keeps it with whoever has looked.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stopCalled } from '@clinic-data/administration/alerts/stop-called'
import { type Notice, storeAlerts } from '@clinic-data/audit/watch/alerts'
import { chooseRule } from '@clinic-data/audit/watch/stopping-rules'
import { en } from '@clinic-data/console-words/en'
import { alerts } from '@clinic-data/console-words/en/home'
import { integrations } from '@clinic-data/console-words/en/integrations'
import { operations } from '@clinic-data/console-words/en/operations'
import { sql, utcSession } from '@clinic-data/database'
import { sized } from '@clinic-data/testing/run/size'
import { faultsOfPages, VIEWS } from './faults-of-pages.ts'
import { addPerson, enterAs } from './people-scene.ts'
import { type ConsoleSite, openBeforeTests } from './site.ts'
import { button, UserActions } from './user-actions.ts'

let site: ConsoleSite
let user: UserActions
let key_id: string
const skip = openBeforeTests(async (opened) => {
  site = opened
  user = new UserActions(site.tab)
  await site.mint('CRM')
  const [key] = await site.keys()
  key_id = key?.id ?? assert.fail('no key')
  await site.hurry()
})

const LIST = '/console/activity?view=alerts'
const ALERTS = `document.querySelectorAll('main article')`

/** In place of those of the test before. */
async function notice(...notices: Notice[]): Promise<void> {
  const { owner, clinic_id } = site
  await owner.write(utcSession(clinic_id), async (tx) => {
    await tx.query(sql`delete from audit_alert where clinic_id = ${clinic_id}`)
    await storeAlerts(tx, clinic_id, { notices, now: new Date() })
  })
}

const today = () =>
  new Intl.DateTimeFormat('en-CA', { timeZone: site.clinic.time_zone, dateStyle: 'short' }).format(new Date())

const manyPatients = (): Notice => ({
  rule: 'many_patients',
  key_id,
  day: today(),
  facts: { patients: 4112, busiest: 310, busiest_day: '2026-03-03' },
})

/** One of each further rule. */
const others = (): Notice[] => [
  { rule: 'silence', key_id, day: '2026-07-14', facts: { days: 90, last_day: '2026-04-15' } },
  { rule: 'new_network', key_id, day: '2026-07-14', facts: { network: '2001:db8:1::/48', known: 2 } },
  { rule: 'patients_in_order', key_id, day: '2026-07-14', facts: { patients: 500, longest_before: 4 } },
  {
    rule: 'many_refusals',
    key_id,
    day: '2026-07-14',
    facts: { refusals: 1080, requests: 1100, most: 3, most_day: null },
  },
  ...(['ended_key', 'stopped_partner'] as const).map((rule) => ({
    rule,
    key_id,
    day: '2026-07-14',
    facts: { ended_at: '2026-07-13T06:00:00.000Z', tried_at: '2026-07-14T09:30:00.000Z' },
  })),
]

const READ = 'read 4,112 people today; its busiest day was 310, on 3 Mar 2026.'
const lineOf = (text: string) =>
  `[...document.querySelectorAll('.unusual li')].find((one) => one.innerText.includes(${JSON.stringify(text)}))`

test('a clinic in which nothing was unusual reads so in the list, and nothing of it on the home page', {
  skip,
}, async () => {
  await site.signIn(LIST)
  await user.sees('Nothing unusual was noticed.')
  await site.go('/console/home')
  await user.sees('Needs attention')
  assert.equal(await site.tab.run(`document.body.innerText.includes('Unusual use')`), false)
})

test('the home page tells it first and by itself, until somebody says to have looked at it', { skip }, async () => {
  const { tab } = site
  await site.open('/console/home')
  await notice(manyPatients())
  await user.sees(READ)
  const first = `document.querySelector('main h2').innerText`
  assert.equal(await tab.run(first), 'Unusual use')
  const look = `${lineOf(READ)}?.querySelector('button')`
  assert.match(await tab.run<string>(`${look}.ariaLabel`), /^I have looked at it: .*CRM.* read 4,112/)
  await user.click(look)
  await tab.until(`${first} === 'Needs attention' && document.activeElement === document.querySelector('main h1')`)
})

test('the list keeps it with who has looked at it, and leads to what was done and to the integration', {
  skip,
}, async () => {
  const { tab } = site
  await notice(manyPatients())
  await site.open(LIST)
  await user.sees(READ)
  await user.click(`document.querySelector('article button')`)
  await user.sees('Looked at by')
  await user.sees('Dana Levi')
  await user.click(
    `[...document.querySelectorAll('article a')].find((one) => one.textContent === 'CRM' && one.href.includes('integrations'))`,
  )
  await user.sees('Stop')
  await site.open(LIST)
  await user.click(
    `[...document.querySelectorAll('article a')].find((one) => one.textContent === 'What it did that day')`,
  )
  const [actor, from, to] = [key_id, today(), today()]
  await tab.until(`location.search === '?${new URLSearchParams({ actor, from, to })}'`)
  await tab.until(
    `document.querySelector('[role=tab][aria-selected=true]').innerText === ${JSON.stringify(en.activity.views.log)}`,
  )
})

test('older ones come with a button until there are none', { skip }, async () => {
  const { tab } = site
  const day = (at: number) => new Date(at * 86_400_000).toISOString().slice(0, 10)
  await notice(...Array.from({ length: 60 }, (_, at): Notice => ({ ...manyPatients(), day: day(at) })))
  await site.open(LIST)
  for (const count of [25, 50, 60]) {
    await tab.until(`${ALERTS}.length === ${count}`)
    if (count === 60) break
    await user.click(button(alerts.older))
  }
  await tab.until(`!${button(alerts.older)}`)
})

test('each rule has its reason in words, with its numbers and days, in both languages', { skip }, async () => {
  const { tab } = site
  await notice(manyPatients(), ...others())
  await site.open(LIST)
  for (const text of [
    'was used on 14 Jul 2026, after 90 days of silence. Its last use before was on 15 Apr 2026.',
    'Before it came from 2 other networks, and never from there.',
    'read 500 people on 14 Jul 2026 one after the other, in the order of their ids; the most before were 4.',
    'were refused on 14 Jul 2026; the most on a day before were 3.',
    'was revoked on 13 Jul 2026, 09:00, and still tried on 14 Jul 2026, 12:30. It was refused.',
    'was stopped with its integration on 13 Jul 2026, 09:00, and still tried on 14 Jul 2026, 12:30.',
  ])
    await user.sees(text)
  const links = (text: string) =>
    tab.run<string[]>(`[...document.querySelectorAll('article a')]
    .filter((one) => one.textContent === '${text}').map((one) => one.search)`)
  const ofDay = `?${new URLSearchParams({ actor: key_id, from: '2026-07-14', to: '2026-07-14' })}`
  assert.equal((await links('What it did that day')).filter((one) => one === ofDay).length, 4)
  // Refusals of a key that has ended have no rows.
  const before = `?${new URLSearchParams({ actor: key_id })}`
  assert.deepEqual(await links('What it did before'), [before, before])
  await user.choose(`document.querySelector('select:has([value=he])')`, 'he')
  await user.sees('4,112 אנשים נקראו היום; ביום העמוס ביותר עד אז: 310, ב־3 במרץ 2026.')
  await user.sees('אחרי 90 ימים של שתיקה. השימוש הקודם היה ב־15 באפר׳ 2026.')
  await user.sees('מתוך 1,100 בקשות נדחו ב־14 ביולי 2026')
  await user.choose(`document.querySelector('select:has([value=en])')`, 'en')
  await tab.until(`document.documentElement.lang === 'en'`)
})

const RULES = `document.querySelector('.stop-rules')`
const box = (label: string) =>
  `[...${RULES}.querySelectorAll('label')].find((one) => one.textContent === ${JSON.stringify(label)})?.control`
const summary = (text: string) => `${RULES}?.querySelector('summary').innerText === ${JSON.stringify(text)}`

test('by the keyboard an owner lets a rule stop what it calls, is asked first, and takes it back', {
  skip,
}, async () => {
  const { tab } = site
  const [rule, words] = [alerts.rules.many_patients, alerts.stops]
  await notice(manyPatients())
  await site.open(LIST)
  await tab.until(summary('Stop at once: no rule'))
  await user.reach(`document.activeElement.tagName === 'SUMMARY'`)
  await user.key('Enter')
  const press = async () => {
    await tab.until(box(rule))
    await user.reach(`document.activeElement === ${box(rule)}`)
    await user.key(' ', 'Space')
  }
  await press()
  await user.sees(words.onText)
  await user.press(words.onSubmit)
  await tab.until(summary('Stop at once: 1 rule'))
  await user.sees('chosen by \u2068Dana Levi\u2069')
  await tab.until(`${box(rule)}?.checked`)
  await press()
  await user.sees(words.offText)
  await user.press(words.offSubmit)
  await tab.until(summary('Stop at once: no rule'))
})

test('what a rule has stopped says so in the list, on the page of the integration and in the activity', {
  skip,
}, async () => {
  const { tab, owner, clinic_id, clinic } = site
  const now = new Date()
  const { rows } = await owner.query<{ id: string }>(
    sql`select id from administrator where clinic_id = ${clinic_id} limit 1`,
  )
  const by = rows[0]?.id ?? assert.fail('no administrator')
  await owner.write(clinic, (tx) => chooseRule(tx, clinic_id, { rule: 'many_patients', stops: true, by, now }))
  await notice(manyPatients())
  await stopCalled(owner, clinic, { now: () => new Date(), wait: async () => undefined })
  await site.open('/console/home')
  await tab.until(`${lineOf(READ)}?.innerText.includes(${JSON.stringify(alerts.stopped)})`)
  await site.open(LIST)
  await user.sees(alerts.stopped)
  await user.click(`[...document.querySelectorAll('article a')].find((one) => one.href.includes('integrations'))`)
  await user.sees('by a rule of the watch')
  await user.press(integrations.resume)
  await tab.until(`${button(integrations.stop)} && !document.body.innerText.includes('by a rule of the watch')`)
  await site.open(`/console/activity?${new URLSearchParams({ actor: 'watch', surface: 'all' })}`)
  for (const text of [operations['watch.integrations.stop'], en.activity.kinds.watch])
    await tab.until(`document.querySelector('.log-row')?.innerText.includes(${JSON.stringify(text)})`)
  await owner.write(clinic, (tx) => chooseRule(tx, clinic_id, { rule: 'many_patients', stops: false, by, now }))
})

test('an auditor sees the list without the button and without links that would be refused', { skip }, async () => {
  const { tab } = site
  await notice(manyPatients(), ...others())
  await enterAs(site, await addPerson(site, 'Amir Bar', 'auditor'))
  await site.go(LIST)
  await tab.until(`${ALERTS}.length === 7`)
  assert.equal(await tab.run(`document.querySelectorAll('main article button').length`), 0)
  await tab.until(`${RULES}?.querySelectorAll('input').length === 4`)
  assert.equal(await tab.run(`${RULES}.querySelectorAll('input:disabled').length`), 4)
  const places = await tab.run<string[]>(`[...document.querySelectorAll('main article a')].map((one) => one.pathname)`)
  assert.deepEqual([...new Set(places)], ['/console/activity'])
})

test('the list and the home page have no fault in both languages, and fit a phone', { skip }, async () => {
  await notice(manyPatients(), ...others())
  await site.signIn('/console/home')
  const faults = await faultsOfPages(site, sized(VIEWS), {
    list: async (width) => {
      await site.go(LIST, width)
      await site.tab.until(`${ALERTS}.length === 7`)
      await site.tab.until(
        `${RULES}?.querySelectorAll('input').length === 4 && (${RULES}.querySelector('details').open = true)`,
      )
    },
    home: async (width) => {
      await site.go('/console/home', width)
      await site.tab.until(`document.querySelectorAll('.unusual li').length === 5`)
    },
  })
  assert.deepEqual(faults, [])
})
