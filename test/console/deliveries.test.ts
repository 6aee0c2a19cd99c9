// The deliveries of a webhook in the machine's Chromium: they appear by themselves, a test is shown as one, and filters find what is asked for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventType } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { freePort } from '@clinic-data/testing/free-port'
import { until } from '@clinic-data/testing/until'
import { emit } from '@clinic-data/webhooks'
import { type ConsoleSite, openBeforeTests } from './site.ts'
import { closeOfDialog, UserActions } from './user-actions.ts'
import { chosen, emitted, firstRow, receiver, subscribe } from './webhook-scene.ts'

let site: ConsoleSite
let user: UserActions
const skip = openBeforeTests(async (opened) => {
  site = opened
  user = new UserActions(site.tab)
  await site.hurry()
  await site.signIn('/console/webhooks')
})
const subscribed = (url: string) => subscribe(site, url)
const happen = (...types: EventType[]) => emitted(site, ...types)
const choose = (action: string) => chosen(user, action)

test('new deliveries appear by themselves, are offered to a reader further down, and filters stand in the address', {
  skip,
}, async (t) => {
  const { tab } = site
  let status = 204
  const port = await freePort()
  await receiver(t, port, () => status)
  await site.go('/console/webhooks')
  const id = await subscribed(`http://127.0.0.1:${port}/live`)
  await user.sees('No deliveries yet')
  await happen(...Array<EventType>(30).fill('patient.created'))
  await tab.until(`document.querySelectorAll('.delivery').length === 30`)
  await tab.until(`document.querySelectorAll('.delivery [data-tone=good]').length === 30`)
  await tab.run(`window.scrollTo(0, 600)`)
  const place = await tab.run<number>(`document.querySelector('.delivery').getBoundingClientRect().top`)
  await happen('payment.recorded')
  await user.sees('1 new delivery')
  assert.equal(await tab.run(`document.querySelectorAll('.delivery').length`), 30)
  const moved = await tab.run<number>(`document.querySelector('.delivery').getBoundingClientRect().top`)
  assert.ok(Math.abs(moved - place) < 1, `the list moved by ${moved - place} pixels`)
  await user.press('1 new delivery')
  await tab.until(`document.querySelector('.delivery').textContent.includes('payment.recorded')`)
  // A delivery that came by itself obeys a filter that is chosen afterwards.
  await tab.run(
    `history.pushState(0, '', location.search + '&type=patient.created'); dispatchEvent(new Event('popstate'))`,
  )
  await tab.until(`document.querySelectorAll('.delivery').length === 25`)
  assert.ok(!(await tab.run(`document.querySelector('.deliveries').textContent.includes('payment.recorded')`)))
  await user.sees('31 arrived, 0 failed')
  // A delivery that is tried again has failed too. Those that were given up are sent again together.
  status = 500
  await happen('call.completed')
  await site.go(`/console/webhooks?webhook=${id}&type=call.completed`)
  await tab.until(`document.querySelectorAll('.delivery').length === 1`)
  await tab.until(`document.querySelector('.delivery-why').textContent.includes('The program met an error')`)
  await site.go(`/console/webhooks?webhook=${id}&status=failed`)
  await tab.until(`document.querySelector('.delivery .status')?.textContent === 'Tried again'`)
  await user.sees('31 arrived, 1 failed')
  // Without its lease a retry that is under way changes nothing any more.
  await site.owner.query(sql`update delivery set status = 'failed', due_at = null, lease_id = null, lease_until = null
    where subscription_id = ${id} and event_type = 'call.completed'`)
  status = 204
  await site.go(`/console/webhooks?webhook=${id}&status=failed`)
  await tab.until(`document.querySelectorAll('.delivery').length === 1`)
  await choose('Send again…')
  await user.press('Send again')
  await user.sees('1 event will be sent again.')
  await user.click(closeOfDialog)
  await user.sees('No delivery fits these filters.')
})

test('the first deliveries appear in an empty list, wherever the page is scrolled', { skip }, async (t) => {
  const { tab } = site
  const port = await freePort()
  await receiver(t, port)
  await site.go('/console/webhooks')
  await subscribed(`http://127.0.0.1:${port}/first`)
  await user.sees('No deliveries yet')
  await tab.run(`document.body.style.minHeight = '300vh'`)
  t.after(() => tab.run(`document.body.style.minHeight = ''`))
  await tab.run(`window.scrollTo(0, 200)`)
  await happen('patient.created')
  await tab.until(`document.querySelectorAll('.delivery').length === 1`)
  assert.equal(await tab.run('scrollY'), 200)
})

test('a test event is shown as a test, at once, whatever was filtered', { skip }, async (t) => {
  const { tab } = site
  const port = await freePort()
  const received = await receiver(t, port)
  await site.go('/console/webhooks')
  const id = await subscribed(`http://127.0.0.1:${port}/tested`)
  await user.sees('No deliveries yet')
  // A look from before the test is still on its way, and the page looks at nothing by itself any more.
  await tab.run(`{
    Object.assign(globalThis, { every: setInterval, ask: fetch, held: [] })
    const isLook = (path) => /\\/deliveries(?!.*status=)/.test(path)
    fetch = async (path, request) => {
      const answer = await ask(path, request)
      if (held !== null && isLook(path)) await new Promise((goOn) => held.push(goOn))
      if (String(path).endsWith('/test')) {
        const looks = held
        held = null
        setTimeout(() => { for (const goOn of looks) goOn() }, 200)
      }
      return answer
    }
  }`)
  t.after(() => tab.run(`{ setInterval = globalThis.every; fetch = globalThis.ask }`))
  await tab.until(`held.length > 0`)
  await tab.run(`setInterval = () => 0`)
  await site.go(`/console/webhooks?webhook=${id}&status=failed`)
  await user.sees('No delivery fits these filters.')
  await user.press('Send a test event')
  await user.choose(`document.querySelector('dialog select')`, 'chat.message.read')
  await user.press('Send')
  await tab.until(`document.querySelector('.delivery')?.textContent.includes('chat.message.read')`)
  assert.equal(await tab.run(`document.querySelector('.delivery .statuses').lastChild.textContent`), 'Test')
  await user.click(firstRow)
  await user.sees('This is a test event. Its data is invented.')
  // The list shows it as soon as it is stored, which may be before it has arrived.
  const { body } = await until(
    async () => received[0] ?? null,
    () => 'the test event did not arrive',
  )
  const { type, test, data } = JSON.parse(body)
  assert.deepEqual([type, test, data.status], ['chat.message.read', true, 'read'])
})

test('the deliveries of a patient, a record or a day are found, and from the activity too', { skip }, async (t) => {
  const { tab } = site
  const port = await freePort()
  await receiver(t, port)
  await site.go('/console/webhooks')
  const id = await subscribed(`http://127.0.0.1:${port}/found`)
  const data = JSON.stringify({ id: 'appointment-7', patient: { id: 'patient-7' } })
  await happen('patient.created', 'patient.updated')
  await site.owner.write(site.clinic, (tx) =>
    emit(tx, site.clinic, [{ type: 'appointment.created', data }], new Date()),
  )
  const found = async (type: string) => {
    await tab.until(`document.querySelectorAll('.delivery').length === 1`)
    assert.equal(await tab.run(`document.querySelector('.delivery-type').textContent`), type)
  }
  await tab.until(`document.querySelectorAll('.delivery').length === 3`)
  await user.write('Id of event or record', 'appointment-7')
  await tab.run(`document.activeElement.blur()`)
  await tab.until(`location.search.endsWith('&record=appointment-7')`)
  await found('appointment.created')
  await site.go(`/console/webhooks?webhook=${id}&patient=patient-7`)
  await found('appointment.created')
  await site.go(`/console/webhooks?webhook=${id}&to=2020-01-01`)
  await user.sees('No delivery fits these filters.')
  await user.press('Clear the filters')
  await tab.until(`document.querySelectorAll('.delivery').length === 3`)
  // From an appointment's id to its deliveries.
  await tab.until(`document.querySelectorAll('.delivery [data-tone=good]').length === 3`)
  await site.go('/console/activity?resource_id=appointment-7')
  await user.click(`document.querySelector('[data-name=open] button')`)
  await user.click(`[...document.querySelectorAll('.details a')].find((one) => one.textContent === 'Its deliveries')`)
  await tab.until(`location.search === '?webhook=${id}&record=appointment-7'`)
  await found('appointment.created')
  // Each search was made once, however long its page stayed open and though one was shown again.
  const { rows } = await site.owner.query(
    sql`select from audit where clinic_id = ${site.clinic.clinic_id} and operation = 'console.webhooks.find_deliveries'`,
  )
  assert.equal(rows.length, 2)
})
