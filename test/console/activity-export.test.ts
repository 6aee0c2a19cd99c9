// The export of the activity in Chromium: a table as the page words it, without formulas, and a file with proof; whatever is not whole is not saved.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { storedIds } from '@clinic-data/audit/stored-ids'
import { verified } from '@clinic-data/testing/grounds/exported-file'
import { insert } from '@clinic-data/testing/grounds/rows'
import { sized } from '@clinic-data/testing/run/size'
import { faultsOfPages, VIEWS } from './faults-of-pages.ts'
import { addPerson, enterAs } from './people-scene.ts'
import { type ConsoleSite, openBeforeTests } from './site.ts'
import { button, UserActions } from './user-actions.ts'

const PATIENT = `patient-${randomBytes(4).toString('hex')}`
const FORMULA = '=HYPERLINK("http://x.example";"CRM")'
/** More than a page shows, and more than one answer of the list. */
const ROWS = 60

let site: ConsoleSite
let user: UserActions
const skip = openBeforeTests(async (opened) => {
  site = opened
  user = new UserActions(site.tab)
  await site.mint(FORMULA)
  const [key] = await site.keys()
  const stored = Array.from({ length: ROWS }, (_, n) => ({
    stored_at: new Date(Date.now() - (ROWS - n) * 1000).toISOString(),
    at: '2026-07-12T06:30:00.123Z',
    key_id: key?.id ?? '',
    operation: n === 0 ? '+unknown.operation' : 'patients.get',
    surface: 'rest',
    resource_ids: storedIds({ resource_ids: n === 1 ? ['-1+1', PATIENT] : [PATIENT], patient_ids: [PATIENT] }),
    count: 1,
    status: n === 2 ? 404 : 200,
    request_id: `req_${n}`,
    address: '192.0.2.1',
  }))
  await insert(site.owner, site.clinic, 'audit', ...stored)
  await site.signIn('/console/activity')
})

const FILTERED = `/console/activity?patient_id=${PATIENT}`
const DIALOG = `document.querySelector('dialog[open] input[type=radio]')`
const NEWS = `document.querySelector('dialog[open] form [role=status]')?.innerText`

async function openDialog(search = FILTERED, width?: number): Promise<void> {
  await site.go(search, width)
  await user.click(`document.querySelector('.export button')`)
  await site.tab.until(DIALOG)
}

const catchFile = () =>
  site.tab.run(`window.saved = undefined; URL.createObjectURL = (file) => { window.saved = file.text(); return '#' }`)
const choose = (place: number) => user.click(`document.querySelectorAll('dialog[open] input[type=radio]')[${place}]`)
const submit = `document.querySelector('dialog[open] [type=submit]')`

async function saved(place: number): Promise<string> {
  await catchFile()
  await choose(place)
  await user.click(submit)
  await site.tab.until('window.saved')
  return site.tab.run<string>('window.saved')
}

test('the table holds all rows of the filter in the words of the page, says where it ends, and holds no formula', {
  skip,
}, async () => {
  await openDialog()
  const csv = await saved(0)
  await site.tab.until(`${NEWS}?.startsWith('${ROWS} rows are in activity-')`)
  const [header, ...lines] = csv.trimEnd().split('\r\n')
  assert.match(header ?? '', /^\uFEFF?When,Who,Id of who,What,/)
  assert.equal(lines.pop(), `End: ${ROWS} rows`)
  assert.equal(lines.length, ROWS)
  assert.ok(lines.every((line) => line.includes(`"'=HYPERLINK(""http://x.example"";""CRM"")"`)))
  assert.match(lines.at(-1) ?? '', /'\+unknown\.operation/)
  assert.match(lines.at(-2) ?? '', /'-1\+1/)
  assert.match(lines.at(-3) ?? '', /,Read a patient,API,Refused,/)
  assert.match(lines[0] ?? '', /^2026-07-12 09:30:00,/)
  for (const line of csv.split('\r\n')) assert.doesNotMatch(line, /(^|[,;]|,")[=+@-]/)
})

test('the file with proof verifies, and its search stands in it', { skip }, async () => {
  await openDialog()
  const verdict = await verified(await saved(1))
  assert.ok(verdict.sound)
  const { filter, matching } = verdict.selected ?? assert.fail('no selection')
  assert.deepEqual([filter.patient_id, filter.outside_console, matching], [PATIENT, true, ROWS])
  await site.tab.until(`${NEWS}?.startsWith('Saved as activity-')`)
})

test('an export that breaks off, or is refused, saves nothing and says how to mend it', { skip }, async () => {
  const { tab } = site
  const answers: [answer: string, news: RegExp][] = [
    [`new Response('{"type":"sele')`, /broke off, and nothing was saved/],
    [`new Response('')`, /broke off/],
    [`Response.json({}, { status: 429 })`, /Another export of this clinic is under way/],
    [`Response.json({ errors: [{ pointer: '#/from', code: 'too_many_rows' }] }, { status: 422 })`, /shorter period/],
    [`Response.json({ errors: [{ pointer: '#/from', code: 'too_many_seals' }] }, { status: 422 })`, /too long ago/],
  ]
  await openDialog()
  await catchFile()
  await tab.run(`window.usual = fetch`)
  for (const [answer, news] of answers)
    for (const place of [0, 1]) {
      await tab.run(`fetch = async (path, sent) => path.endsWith('/activity/export') ? ${answer} : usual(path, sent)`)
      await choose(place)
      await user.click(submit)
      await tab.until(`window.saved !== undefined || document.querySelector('dialog[open] [role=alert]')`)
      assert.equal(await tab.run('window.saved === undefined'), true, answer)
      assert.match(await tab.run<string>(`document.querySelector('dialog[open] [role=alert]').innerText`), news)
    }
  await tab.run(`fetch = window.usual`)
})

test('the row of an export names its form and its filter as text, and links to the patient alone', {
  skip,
}, async () => {
  await openDialog(`${FILTERED}&outcome=done`)
  await saved(0)
  await site.go(`/console/activity?${new URLSearchParams({ operation: 'console.activity.export', surface: 'all' })}`)
  await user.click(`document.querySelector('.log-row .open')`)
  await user.sees('outcome:done')
  const links = await site.tab.run<string[]>(
    `[...document.querySelectorAll('.log-details a')].map((one) => one.textContent)`,
  )
  assert.deepEqual(links, [PATIENT])
})

test('the keyboard alone opens the export, chooses, and closes it', { skip }, async () => {
  const { tab } = site
  await site.go(FILTERED)
  await tab.until(button('Export…'))
  await user.reach(`document.activeElement.textContent === 'Export…'`)
  await user.key('Enter')
  await tab.until(`document.activeElement === ${DIALOG}`)
  await user.key('Escape')
  await tab.until(`!${DIALOG} && document.activeElement.textContent === 'Export…'`)
})

test('an auditor reads the activity and has no export', { skip }, async () => {
  const person = await addPerson(site, 'Avi Cohen', 'auditor')
  await enterAs(site, person)
  await site.go(FILTERED)
  await site.tab.until(`document.querySelector('.log-row')`)
  assert.equal(await site.tab.run(`document.querySelector('.export')`), null)
})

test('the export can be read in both languages, and on a narrow screen', { skip }, async () => {
  await site.signIn('/console/activity')
  const pages = {
    export: (width: number) => openDialog(FILTERED, width),
    activity: async (width: number) => {
      await site.go(FILTERED, width)
      await site.tab.until(`document.querySelector('.export button')`)
    },
  }
  assert.deepEqual(await faultsOfPages(site, sized(VIEWS), pages), [])
})
