// The activity of the console in Chromium: who read a patient, a key's errors, nothing of another clinic, and nothing that runs.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { sql, utcSession } from '@clinic-data/database'
import { insert, insertPatient } from '@clinic-data/testing/rows'
import { sized } from '@clinic-data/testing/size'
import { emptyClinic } from '@clinic-data/testing/test-service'
import { faultsOfPages, VIEWS } from './faults-of-pages.ts'
import { field, Hand } from './hand.ts'
import { type ConsoleSite, openBeforeTests } from './site.ts'

/** An id that no other test uses. */
const PATIENT = `patient-${randomBytes(4).toString('hex')}`
const SCRIPT = '<img src=x onerror="window.hit = 1">'

let site: ConsoleSite
let hand: Hand
let key = ''
const skip = openBeforeTests(async (opened) => {
  site = opened
  hand = new Hand(site.tab)
  await insertPatient(site.owner, site.clinic, { id: PATIENT, first_name: 'Avi' })
  key = await site.mint(`Power BI ${SCRIPT}`)
  await site.hurry()
  await site.signIn('/console/activity')
})

const read = async (path: string, by = key) =>
  (await fetch(`${site.baseUrl}/v1${path}`, { headers: { authorization: `Bearer ${by}` } })).status

async function open(search: string): Promise<void> {
  await site.go(`/console/activity${search}`)
  await site.tab.until(`document.querySelector('.log-row, main h2')`)
}

/** What the shown rows say, without their times. */
const rows = () =>
  site.tab.run<string[]>(`[...document.querySelectorAll('.log-row')].map((row) =>
    [...row.querySelectorAll('td[data-label]')].map((cell) => cell.innerText.trim().replace(/\\s+/g, ' ')).join(' | '))`)

/** Rows of this clinic, or of another, as requests of an hour leave them. */
async function stored(count: number, changes: Record<string, unknown> = {}, clinic = site.clinic): Promise<void> {
  const rows = Array.from({ length: count }, (_, n) => {
    const at = new Date(Date.now() - (count - n) * 1000).toISOString()
    return {
      ...{
        stored_at: at,
        at,
        key_id: 'key_old',
        operation: 'patients.list',
        surface: 'rest',
        resource_ids: [],
        count: 0,
      },
      ...{ status: 200, request_id: `req_${n}`, address: '192.0.2.1', ...changes },
    }
  })
  await insert(site.owner, clinic, 'audit', ...rows)
}

test('who read a patient is found by the patient’s id, and the search stands in the address', { skip }, async () => {
  assert.equal(await read(`/patients/${PATIENT}`), 200)
  assert.equal(await read('/me'), 200)
  await open('')
  await site.tab.run(`${field('Patient or other id')}.focus()`)
  await site.tab.send('Input.insertText', { text: PATIENT })
  await site.tab.send('Input.dispatchKeyEvent', {
    type: 'keyDown',
    key: 'Enter',
    text: '\r',
    windowsVirtualKeyCode: 13,
  })
  await site.tab.until(`location.search === '?resource_id=${PATIENT}'`)
  await site.tab.until(`document.querySelectorAll('.log-row').length === 1`)
  const expected = [`Power BI ${SCRIPT} API | Read a patient | ${PATIENT} | Done`]
  assert.deepEqual(await rows(), expected)
  await site.tab.run('history.back()')
  await site.tab.until(`location.search === '' && document.querySelectorAll('.log-row').length > 1`)
  // The same address in another browser.
  await site.tab.visit(`${site.address}/console/activity?resource_id=${PATIENT}`)
  await site.tab.until(`document.querySelector('.log-row')`)
  assert.deepEqual(await rows(), expected)
  await site.tab.run(`document.querySelector('[data-name=open] button').click()`)
  await hand.sees('patients.get')
  assert.match(await site.tab.run<string>(`document.querySelector('.details').innerText`), /\d ms/)
})

test('a key’s refused and failed requests are seen, in the list and in its use', { skip }, async () => {
  assert.equal(await read('/appointments'), 403)
  await stored(2, { key_id: 'key_broken', status: 503 })
  await open('')
  await hand.choose(field('Result'), 'refused')
  await site.tab.until(`location.search === '?outcome=refused'`)
  await site.tab.until(`document.querySelectorAll('.log-row').length === 1`)
  assert.deepEqual(await rows(), [`Power BI ${SCRIPT} API | List appointments | – | Refused`])
  await hand.choose(field('Result'), 'failed')
  await site.tab.until(`document.querySelectorAll('.log-row').length === 2`)
  await open('?view=use')
  await site.tab.until(`document.querySelector('.use')`)
  const used = await site.tab.run<string[]>(`[...document.querySelectorAll('.use tbody tr')].map((row) =>
    [...row.cells].slice(0, 4).map((cell) => cell.innerText.trim()).join(' | '))`)
  assert.ok(used.includes(`Power BI ${SCRIPT} | 3 | 1 | 0`), used.join('\n'))
  assert.ok(used.includes('key_broken | 2 | 0 | 2'), used.join('\n'))
  await site.tab.until(`document.querySelectorAll('figure.chart svg').length >= 2`)
})

test('another clinic’s rows are never shown, also by its ids', { skip }, async () => {
  const other = await emptyClinic(site.owner)
  await stored(1, { key_id: 'key_theirs', resource_ids: [PATIENT, 'theirs'], count: 2 }, other)
  for (const search of ['?resource_id=theirs', '?actor=key_theirs']) {
    await open(search)
    await hand.sees('Nothing fits these filters')
  }
  // Not what the page has read before.
  await open(`?resource_id=${PATIENT}&surface=rest`)
  assert.equal((await rows()).length, 1)
})

test('a script in a name, an id or an address stays text', { skip }, async () => {
  await stored(1, { operation: SCRIPT, resource_ids: [SCRIPT], count: 1, address: SCRIPT, request_id: SCRIPT })
  await open(`?operation=${encodeURIComponent(SCRIPT)}`)
  await site.tab.until(`document.querySelectorAll('.log-row').length === 1`)
  await site.tab.run(`document.querySelector('[data-name=open] button').click()`)
  await site.tab.until(`document.querySelector('.details')`)
  assert.ok((await site.tab.run<string>(`document.querySelector('.log').innerText`)).split(SCRIPT).length > 4)
  assert.equal(await site.tab.run(`document.querySelector('main img') === null && window.hit === undefined`), true)
})

test('what happens meanwhile appears by itself, and looking on does not use the session', { skip }, async () => {
  await open('?operation=me.get')
  // What the page asks for once has come, so only its looking on follows.
  await site.tab.until(`${field('Who')}.options.length > 1`)
  const before = (await rows()).length
  const seen = async () => {
    const { clinic_id } = site
    const found = await site.owner.read<{ seen_at: string }>(
      utcSession(clinic_id),
      sql`select max(seen_at) as seen_at from administrator_session where clinic_id = ${clinic_id}`,
    )
    return found[0]?.seen_at
  }
  const seenBefore = await seen()
  assert.equal(await read('/me'), 200)
  await site.tab.until(`document.querySelectorAll('.log-row').length === ${before + 1}`)
  assert.equal(await seen(), seenBefore)
})

test('more rows come page by page, each once', { skip }, async () => {
  await stored(60, { key_id: 'key_many' })
  await open('?actor=key_many')
  for (const shown of [25, 50, 60]) {
    await site.tab.until(`document.querySelectorAll('.log-row').length === ${shown}`)
    const more = `[...document.querySelectorAll('button')].find((one) => one.textContent === 'Show more')`
    assert.equal(await site.tab.run(`Boolean(${more})`), shown < 60)
    await site.tab.run(`${more}?.click()`)
  }
})

test('axe finds nothing in both languages and colour schemes, and no page is too wide', { skip }, async () => {
  const { tab } = site
  await stored(3, { key_id: 'key_seen', status: 503 })
  const visit = (search: string, until: string) => async (width: number) => {
    await site.go(`/console/activity${search}`, width)
    await tab.until(until)
  }
  // All rows are alike, and a look at each takes time.
  const list = visit('?outcome=failed', `document.querySelector('.log-row')`)
  const faults = await faultsOfPages(site, sized(VIEWS), {
    list,
    details: async (width) => {
      await list(width)
      await tab.run(`document.querySelector('[data-name=open] button').click()`)
      await tab.until(`document.querySelector('.details')`)
    },
    nothing: visit('?resource_id=nobody', `document.querySelector('main h2')`),
    use: visit('?view=use&period=month', `document.querySelectorAll('figure.chart svg').length >= 2`),
  })
  assert.deepEqual(faults, [])
})
