// Who got the events of a record, in the machine's Chromium: from the page of all webhooks, from a search that found nothing, and from the activity.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '@clinic-data/database'
import { freePort } from '@clinic-data/testing/free-port'
import { until } from '@clinic-data/testing/until'
import { faultsOfPages, VIEWS } from './faults-of-pages.ts'
import { type ConsoleSite, openBeforeTests } from './site.ts'
import { UserActions } from './user-actions.ts'
import { chosen, emitted, receiver, subscribe } from './webhook-scene.ts'

let site: ConsoleSite
let user: UserActions
const skip = openBeforeTests(async (opened) => {
  site = opened
  user = new UserActions(site.tab)
  await site.hurry()
  await site.signIn('/console/webhooks')
})

const link = (text: string) =>
  `[...document.querySelectorAll('main a')].find((one) => one.textContent === ${JSON.stringify(text)})`

const outcomes = () =>
  site.tab.run<string[][]>(`[...document.querySelectorAll('.receivers')].map((list) =>
    [...list.querySelectorAll('.delivery')].map((one) => one.querySelector('.status').textContent))`)

test('a record’s events show who got them and why another webhook did not, and lead to the delivery', {
  skip,
}, async (t) => {
  const { tab } = site
  const port = await freePort()
  await receiver(t, port)
  await subscribe(site, `http://127.0.0.1:${port}/crm`)
  const stopped = await subscribe(site, `http://127.0.0.1:${port}/bi`)
  await chosen(user, 'Stop')
  await user.press('Stop the webhook')
  await user.sees('Somebody stopped it')
  await emitted(site, 'appointment.created')
  const { clinic_id } = site
  const arrived = sql`select from delivery where clinic_id = ${clinic_id} and status = 'delivered'`
  await until(
    async () => (await site.owner.query(arrived)).rows.length === 1,
    () => 'nothing has arrived',
  )

  await site.go('/console/webhooks')
  await user.write('Who got the events of a record?', 'x')
  await user.key('Enter')
  await user.sees('A new appointment is booked.')
  await tab.until(`document.querySelectorAll('.receivers .delivery').length === 2`)
  assert.deepEqual(await outcomes(), [['Arrived', 'Got nothing']])
  await user.sees('It has been stopped since')
  const pages = {
    'who got it': async () => {
      await site.go('/console/webhooks?record=x')
      await tab.until(`document.querySelectorAll('.receivers .delivery').length === 2`)
    },
  }
  assert.deepEqual(await faultsOfPages(site, VIEWS.long, pages), [])

  await site.go('/console/webhooks?record=nothing')
  await user.sees('No event of this record is kept.')
  await site.go(`/console/webhooks?webhook=${stopped}&record=x`)
  await user.click(link('Why did it get nothing?'))
  await user.sees('Got nothing')
  await user.click(`document.querySelector('.receivers a')`)
  await user.sees('What was sent')
})

test('a row of the activity leads to who got the events of its record', { skip }, async () => {
  await site.go('/console/activity?surface=webhook')
  await user.click(`document.querySelector('tbody .open')`)
  await user.click(link('Who got its events'))
  await user.sees('Who got the events of a record?')
})
