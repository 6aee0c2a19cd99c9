// The activity of the console in Chromium: who read a patient, a key's errors, nothing of another clinic, and nothing that runs.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { storedIds } from '@clinic-data/audit/stored-ids'
import { he } from '@clinic-data/console-words/he'
import { sql, utcSession } from '@clinic-data/database'
import { insert, insertPatient } from '@clinic-data/testing/grounds/rows'
import { sized } from '@clinic-data/testing/run/size'
import { emptyClinic } from '@clinic-data/testing/run/test-service'
import { faultsOfPages, VIEWS } from './faults-of-pages.ts'
import { type ConsoleSite, openBeforeTests } from './site.ts'
import { field, UserActions } from './user-actions.ts'

/** An id that no other test uses. */
const PATIENT = `patient-${randomBytes(4).toString('hex')}`
const [FAMILY, PHONE] = [`Peretz-${PATIENT.slice(-8)}`, '+972500000042']
const SCRIPT = '<img src=x onerror="window.hit = 1">'
let site: ConsoleSite
let user: UserActions
let key = ''
const skip = openBeforeTests(async (opened) => {
  site = opened
  user = new UserActions(site.tab)
  const avi = { id: PATIENT, first_name: 'Avi', last_name: FAMILY, phone: PHONE }
  await insertPatient(site.owner, site.clinic, avi, [PHONE])
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

/** Returns what the shown rows say, without their times. */
const rows = () =>
  site.tab.run<string[]>(`[...document.querySelectorAll('.log-row')].map((row) =>
    [...row.querySelectorAll('td[data-label]')].map((cell) => cell.innerText.trim().replace(/\\s+/g, ' ')).join(' | '))`)

/** Returns what a row names. */
const naming = (resource_ids: string[], patient_ids: string[]) => storedIds({ resource_ids, patient_ids })

/** Rows of this clinic, or of another, as requests of an hour leave them. */
async function stored(count: number, changes: Record<string, unknown> = {}, clinic = site.clinic): Promise<void> {
  const rows = Array.from({ length: count }, (_, n) => {
    const at = new Date(Date.now() - (count - n) * 1000).toISOString()
    return {
      stored_at: at,
      at,
      key_id: 'key_old',
      operation: 'patients.list',
      surface: 'rest',
      resource_ids: naming([], []),
      count: 0,
      status: 200,
      request_id: `req_${n}`,
      address: '192.0.2.1',
      ...changes,
    }
  })
  await insert(site.owner, clinic, 'audit', ...rows)
}

const pressKey = (key: string, more: object = {}) =>
  site.tab.send('Input.dispatchKeyEvent', { type: 'keyDown', key, code: key, ...more })
const pressEnter = () => pressKey('Enter', { text: '\r', windowsVirtualKeyCode: 13 })

/** Returns what the picker of a patient offers. */
const offered = () =>
  site.tab.run<string[]>(
    `[...document.querySelectorAll('[role=option]')].map((one) => one.innerText.split(/\\s+/).join(' '))`,
  )
const isOffered = (text: string) =>
  `[...document.querySelectorAll('[role=option]')].find((one) => one.textContent.includes(${JSON.stringify(text)}))`

async function lookUps(): Promise<number> {
  const { clinic_id } = site
  const found = await site.owner.read<{ count: number }>(
    utcSession(clinic_id),
    sql`select count(*)::int as count from audit where clinic_id = ${clinic_id} and operation = 'console.patients.find'`,
  )
  return found[0]?.count ?? 0
}

test('who read a patient is found by the patient’s name, and the search stands in the address', { skip }, async () => {
  assert.equal(await read(`/patients/${PATIENT}`), 200)
  assert.equal(await read('/me'), 200)
  await open('')
  await site.tab.until(field('Patient'))
  // Letter by letter, faster than anybody types.
  const name = `Avi ${FAMILY}`
  await site.tab.run(`{
    const control = ${field('Patient')}
    control.focus()
    for (let end = 1; end <= ${name.length}; end++) {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(control, ${JSON.stringify(name)}.slice(0, end))
      control.dispatchEvent(new Event('input', { bubbles: true }))
    }
  }`)
  await site.tab.until(isOffered(FAMILY))
  assert.deepEqual(await offered(), [`${name} ${PHONE} ${PATIENT}`, `Search for the id ${name}`])
  assert.equal(await lookUps(), 1, 'nothing is asked on each letter')
  await pressKey('ArrowDown')
  await pressEnter()
  await site.tab.until(`location.search === '?patient_id=${PATIENT}'`)
  assert.equal(await site.tab.run(`${field('Patient')}.value`), name)
  await site.tab.until(`document.querySelectorAll('.log-row').length === 1`)
  const expected = [`Power BI ${SCRIPT} API | Read a patient | ${PATIENT} | Done`]
  assert.deepEqual(await rows(), expected)
  await site.tab.run('history.back()')
  await site.tab.until(`location.search === '' && document.querySelectorAll('.log-row').length > 1`)
  // The same address in another browser.
  await site.tab.visit(`${site.address}/console/activity?patient_id=${PATIENT}`)
  await site.tab.until(`document.querySelector('.log-row')`)
  assert.deepEqual(await rows(), expected)
  await site.tab.run(`document.querySelector('[data-name=open] button').click()`)
  await user.sees('patients.get')
  assert.match(await site.tab.run<string>(`document.querySelector('.details').innerText`), /\d ms/)
  await user.seesNo('Rows from before')
})

test('a phone finds its patient by one key, and an id that nobody has any more is searched as well', {
  skip,
}, async () => {
  await stored(1, { operation: 'payments.list', resource_ids: naming(['payment-1'], ['gone-1']), count: 1 })
  await open('')
  await user.write('Patient', PHONE)
  await pressEnter()
  await site.tab.until(`location.search === '?patient_id=${PATIENT}'`)
  await user.write('Patient', 'gone-1')
  await site.tab.until(isOffered('Search for the id gone-1'))
  await user.sees('No patient is found by these words.')
  await pressEnter()
  await site.tab.until(`location.search === '?patient_id=gone-1'`)
  await site.tab.until(`document.querySelectorAll('.log-row').length === 1`)
  assert.deepEqual(await rows(), ["key_old API | List a patient's payments | payment-1 | Done"])
  await user.press('Clear the patient')
  await site.tab.until(`location.search === '' && ${field('Patient')}.value === ''`)
})

test('the page begins without what was done in the console, and one choice shows it too', { skip }, async () => {
  const inConsole = async () => (await rows()).filter((row) => row.includes(' Console |'))
  const aboutSignIn = `[...document.querySelectorAll('.log-row')].some((row) => row.innerText.includes('Sign in by a link'))`
  await stored(1)
  await open('')
  await site.tab.until(`document.querySelector('.log-row')`)
  assert.deepEqual(await inConsole(), [])
  await user.choose(field('Through'), 'all')
  await site.tab.until(`location.search === '?surface=all'`)
  await site.tab.until(aboutSignIn)
  assert.notDeepEqual(await inConsole(), [])
  // Whoever asks for an administrator means the console.
  await open('')
  const dana = `[...${field('Who')}.options].find((one) => one.textContent === 'Dana Levi')`
  await site.tab.until(dana)
  await user.choose(field('Who'), await site.tab.run<string>(`${dana}.value`))
  await site.tab.until(`location.search.endsWith('&surface=all')`)
  await site.tab.until(aboutSignIn)
  // Whoever came by an address is led there.
  await open('?operation=console.sign_in.link')
  await user.sees('Nothing fits these filters')
  await user.click(
    `[...document.querySelectorAll('main a')].find((one) => one.textContent.includes('in the console too'))`,
  )
  await site.tab.until(aboutSignIn)
})

test('a search for a patient says that older rows name records only, and such a row says so', { skip }, async () => {
  await stored(1, { operation: 'payments.get', key_id: 'key_older', resource_ids: ['payment-2'], count: 1 })
  await open('?patient_id=nobody')
  await user.sees('name only the ids of records, so some of them may be missing here.')
  await open('?actor=key_older')
  await user.click(`document.querySelector('[data-name=open] button')`)
  await user.sees('This older row names records only.')
  await user.seesNo('Rows from before')
})

test('a row names its patients, each a search of its own, and says how many more there are', { skip }, async () => {
  const patients = Array.from({ length: 103 }, (_, n) => `listed-${n}`)
  await stored(1, { key_id: 'key_list', resource_ids: naming(patients, patients), count: 103 })
  await open('?actor=key_list')
  await user.click(`document.querySelector('[data-name=open] button')`)
  await user.sees('and 3 more')
  await user.click(`document.querySelector('.details a[href*="patient_id=listed-7"]')`)
  await site.tab.until(`location.search === '?actor=key_list&patient_id=listed-7'`)
  await site.tab.until(`document.querySelectorAll('.log-row').length === 1`)
  // Also one that the row does not show.
  await open('?patient_id=listed-102')
  await site.tab.until(`document.querySelectorAll('.log-row').length === 1`)
})

test('a key’s refused and failed requests are seen, in the list and in its use', { skip }, async () => {
  assert.equal(await read('/appointments'), 403)
  await stored(2, { key_id: 'key_broken', status: 503 })
  await open('')
  await user.choose(field('Result'), 'refused')
  await site.tab.until(`location.search === '?outcome=refused'`)
  await site.tab.until(`document.querySelectorAll('.log-row').length === 1`)
  assert.deepEqual(await rows(), [`Power BI ${SCRIPT} API | List appointments | – | Refused Scope missing`])
  await user.click(`document.querySelector('[data-name=open] button')`)
  await user.sees('appointments:read')
  await user.sees('Missing scope')
  await user.choose(field('Result'), 'failed')
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
  await stored(1, { key_id: 'key_theirs', resource_ids: naming(['theirs'], [PATIENT]), count: 1 }, other)
  for (const search of ['?resource_id=theirs', '?actor=key_theirs', `?patient_id=${PATIENT}&actor=key_theirs`]) {
    await open(search)
    await user.sees('Nothing fits these filters')
  }
  // Not what the page has read before.
  await open(`?patient_id=${PATIENT}&surface=rest`)
  assert.equal((await rows()).length, 1)
})

test('a script in a name, an id or an address stays text', { skip }, async () => {
  await stored(1, {
    operation: SCRIPT,
    resource_ids: naming([SCRIPT], [SCRIPT]),
    count: 1,
    address: SCRIPT,
    request_id: SCRIPT,
  })
  await open(`?operation=${encodeURIComponent(SCRIPT)}`)
  await site.tab.until(`document.querySelectorAll('.log-row').length === 1`)
  await site.tab.run(`document.querySelector('[data-name=open] button').click()`)
  await site.tab.until(`document.querySelector('.details')`)
  assert.ok((await site.tab.run<string>(`document.querySelector('.log').innerText`)).split(SCRIPT).length > 4)
  assert.equal(await site.tab.run(`document.querySelector('main img') === null && window.hit === undefined`), true)
})

test('what happens meanwhile appears by itself, and looking on does not use the session', { skip }, async () => {
  await open('?operation=me.get')
  // The page has got everything that it asks for once, so only its looking on follows.
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

test('an id is written from left to right in Hebrew, beside its label from right to left', { skip }, async () => {
  const { tab } = site
  const language = (chosen: string) => user.choose(`document.querySelector('select:has([value=he])')`, chosen)
  await language('he')
  await open('?resource_id=a-1.2')
  const id = field(he.activity.resource)
  await tab.until(`${id}?.value === 'a-1.2'`)
  assert.equal(await tab.run(`getComputedStyle(${id}).direction`), 'ltr')
  assert.equal(await tab.run(`getComputedStyle(${id}.labels[0]).direction`), 'rtl')
  await language('en')
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
    // The list itself is a part of it.
    details: async (width) => {
      await list(width)
      await tab.run(`document.querySelector('[data-name=open] button').click()`)
      await tab.until(`document.querySelector('.details')`)
    },
    found: async (width) => {
      await list(width)
      await user.write(
        (await tab.run('document.documentElement.lang')) === 'he' ? he.activity.patient.label : 'Patient',
        PHONE,
      )
      await tab.until(isOffered(PHONE))
      await pressKey('ArrowDown')
      await tab.until(`document.querySelector('[data-combobox-selected]')`)
    },
    nothing: visit('?resource_id=nobody', `document.querySelector('main h2')`),
    use: visit('?view=use&period=month', `document.querySelectorAll('figure.chart svg').length >= 2`),
  })
  assert.deepEqual(faults, [])
})
