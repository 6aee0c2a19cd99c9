// The clinic's page in the machine's Chromium tells of chat messages on their way: which wait, and of which nobody knows whether they have
// arrived, with what to do. The service that it asks has the console's own login.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '@clinic-data/database'
import { insert, type Row } from '@clinic-data/testing/grounds/rows'
import { sized } from '@clinic-data/testing/run/size'
import { faultsOfPages, VIEWS } from './faults-of-pages.ts'
import { type ConsoleSite, openBeforeTests } from './site.ts'

const PHONE = '+972501234567'
const LOOK_FIRST = 'Look into the platform’s own list'
const CARD = `document.querySelector('section.chat')`

let site: ConsoleSite
const skip = openBeforeTests(async (opened) => {
  site = opened
  await site.hurry()
  await site.signIn('/console/clinic')
})

/** Accepted on this day of January. */
function message(day: number, further: Row): Row {
  const created_at = `2026-01-${day}T10:00:00Z`
  return { id: `out_${day}`, direction: 'outbound', status: 'queued', patient_phone: PHONE, created_at, ...further }
}

/** The service's own sender leaves the row alone: it is due long after. */
async function store(row: Row, state: 'waiting' | 'sending' | 'unknown'): Promise<void> {
  const { owner, clinic } = site
  await insert(owner, clinic, 'chat_message', row)
  await insert(owner, clinic, 'chat_send', {
    message_id: row.id ?? null,
    conversation_id: 'v1',
    position: 1,
    state,
    due_at: '2200-01-01T00:00:00Z',
  })
}

/** Returns each number, with what stands below it. */
const numbers = () => site.tab.run<string[]>(`[...${CARD}.querySelectorAll('dd')].map((one) => one.innerText)`)
const untilCard = (text: string) => site.tab.until(`${CARD}?.innerText.includes(${JSON.stringify(text)})`)

test('the page is silent where the clinic has sent nothing, then counts what waits, by itself', { skip }, async () => {
  const { tab, owner, clinic } = site
  await tab.until(`document.querySelector('section[aria-label="Settings"]') && !document.body.innerText.includes('…')`)
  const read = () => tab.run<string>(`fetch('/console/api/clinic/chat-sending').then((answer) => answer.text())`)
  assert.equal(await read(), '{"data":null}')
  assert.equal(await tab.run(`${CARD} === null`), true)
  await insert(owner, clinic, 'chat_conversation', { id: 'v1', patient_phone: PHONE })
  await store(message(11, { text: 'Your appointment' }), 'waiting')
  await untilCard('The oldest was accepted 11 Jan 2026, 12:00')
  assert.deepEqual((await numbers()).map(Number.parseFloat), [1, 0, 0])
  assert.ok(!(await tab.run<string>(`${CARD}.innerText`)).includes(LOOK_FIRST))
  const shown = await read()
  for (const part of [PHONE, 'appointment', 'out_']) assert.ok(!shown.includes(part), shown)
})

test('messages that the platform may have are counted, with since when, and what to do before one is sent again', {
  skip,
}, async () => {
  const { owner, clinic, clinic_id } = site
  await store(message(12, {}), 'sending')
  await store(message(13, {}), 'unknown')
  await untilCard(LOOK_FIRST)
  const unknown = { status: 'failed', failure_reason: 'outcome_unknown', failed_at: new Date().toISOString() }
  await insert(owner, clinic, 'chat_message', message(10, unknown))
  await untilCard('10 Jan 2026')
  const [waiting = '', unanswered = '', failed = ''] = await numbers()
  assert.match(waiting, /^1\s+The oldest was accepted 11 Jan 2026, 12:00$/)
  assert.match(unanswered, /^2\s+Unknown: the platform may have them\.\s+The oldest was accepted 12 Jan 2026, 12:00$/)
  assert.match(
    failed,
    /^1\s+Nobody knows whether the platform has them\.\s+The oldest was accepted 10 Jan 2026, 12:00$/,
  )
  await owner.query(sql`delete from chat_send where clinic_id = ${clinic_id} and state <> 'waiting'`)
  await owner.query(
    sql`update chat_message set delivered_at = now() where clinic_id = ${clinic_id} and status = 'failed'`,
  )
  await site.tab.until(`!${CARD}.innerText.includes(${JSON.stringify(LOOK_FIRST)})`)
  assert.deepEqual((await numbers()).map(Number.parseFloat), [1, 0, 0])
})

test('axe finds nothing in both languages and colour schemes, and the card is never too wide', { skip }, async () => {
  const { owner, clinic } = site
  const visit = async (width: number) => {
    await site.go('/console/clinic', width)
    await site.tab.until(`${CARD}?.querySelector('[role=status]')`)
  }
  const unknown = { status: 'failed', failure_reason: 'outcome_unknown', failed_at: new Date().toISOString() }
  await insert(owner, clinic, 'chat_message', message(20, unknown))
  assert.deepEqual(await faultsOfPages(site, sized(VIEWS), { narrow: visit, wide: visit }), [])
})
