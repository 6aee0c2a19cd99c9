// The questions that an owner asks of patients in the machine's Chromium: chips, the address, the search by name beside them, pages, and nobody.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PATIENTS_PAGE } from '@clinic-data/console-contract/patient-questions'
import { sql, utcSession } from '@clinic-data/database'
import { insert, insertPatient } from '@clinic-data/testing/grounds/rows'
import { sized } from '@clinic-data/testing/run/size'
import { faultsOfPages, VIEWS } from './faults-of-pages.ts'
import { type ConsoleSite, openBeforeTests } from './site.ts'
import { UserActions } from './user-actions.ts'

let site: ConsoleSite
let user: UserActions
const skip = openBeforeTests(async (opened) => {
  site = opened
  user = new UserActions(site.tab)
  await storePatients()
  await site.signIn('/console/patients')
})

const PHONE = '+972502222222'

/** Two debtors with one name in two scripts, one of whom has an appointment ahead, and more than a page of others who owe nothing. */
async function storePatients(): Promise<void> {
  const { owner, clinic } = site
  const store = (id: string, first_name: string, last_name: string, phones: string[] = []) =>
    insertPatient(
      owner,
      clinic,
      { id, first_name, last_name, phone: phones[0] ?? null, birth_date: '1990-03-02' },
      phones,
    )
  await store('pat_dana', 'Dana', 'Cohen', [PHONE])
  await store('pat_דנה', 'דנה', 'כהן')
  await insert(owner, clinic, 'treatment', { id: 'crown', patient_id: 'pat_dana', price_minor: 120_000 })
  await insert(owner, clinic, 'treatment', { id: 'cleaning', patient_id: 'pat_דנה', price_minor: 30_000 })
  await insert(owner, clinic, 'appointment', { id: 'before', patient_id: 'pat_dana', start: '2020-05-04T09:00:00Z' })
  await insert(owner, clinic, 'appointment', { id: 'ahead', patient_id: 'pat_דנה', start: '2190-01-02T09:00:00Z' })
  for (let n = 0; n < PATIENTS_PAGE; n++) await store(`pat_${100 + n}`, 'Tal', 'Peretz')
}

const search = () => site.tab.run<string>('location.search')
const names = () => site.tab.run<string[]>(`[...document.querySelectorAll('td.who')].map((one) => one.innerText)`)
const status = (text: string) =>
  site.tab.until(
    `[...document.querySelectorAll('main [role=status]')].some((one) => one.innerText === ${JSON.stringify(text)})`,
  )

test('a question is asked by the keyboard alone, stands as a chip and in the address, and is taken away again', {
  skip,
}, async () => {
  await user.reach(`document.activeElement.matches('.patient input')`)
  await user.reach(`document.activeElement.textContent === 'Balance'`)
  await user.key('Enter')
  await site.tab.until(`document.activeElement.matches('[role=dialog] input')`)
  await site.tab.send('Input.insertText', { text: '500' })
  await user.key('Enter')
  await status('1 patient')
  assert.deepEqual(await names(), ['Dana Cohen'])
  assert.equal(await search(), '?owes_more_than=500')
  await user.sees('Owes more than ₪500')
  // The focus is where it was, and then beside it.
  await site.tab.until(`document.activeElement.textContent === 'Owes more than ₪500'`)
  await user.key('Tab')
  await user.key('Enter')
  await user.sees('Whose birthday is this week?')
  assert.equal(await search(), '')
  assert.equal(await site.tab.run(`document.activeElement.textContent`), 'Balance')
})

test('a kept address asks the same, with a name in either script beside it, and no address holds the name or the phone', {
  skip,
}, async () => {
  await site.go('/console/patients?owes_more_than=0&has_future_appointment=false&last_visit_before=2021-01-01')
  await status('1 patient')
  assert.deepEqual(await names(), ['Dana Cohen'])
  await user.sees('Last visit before 1 Jan 2021')
  await user.press('Remove: No appointment ahead')
  await user.press('Remove: Last visit before 1 Jan 2021')
  await status('2 patients')
  assert.equal(await search(), '?owes_more_than=0')
  await user.write('Patient', 'Cohen')
  await status('2 patients')
  await site.tab.until(`document.querySelector('td.who')?.innerText === 'Dana Cohen'`)
  await user.write('Patient', '050-222-2222')
  await status('1 patient')
  const addresses = await site.tab.run<string[]>(
    `[location.href, ...performance.getEntriesByType('resource').map(({ name }) => name)]`,
  )
  assert.deepEqual(
    addresses.filter((address) => /cohen|222/i.test(decodeURIComponent(address))),
    [],
  )
})

test('days of birth, last visits and payments are chosen, and this week stays this week in the address', {
  skip,
}, async () => {
  await site.go('/console/patients')
  await user.press('Birthday')
  await user.press('This week')
  await user.sees('Birthday this week')
  assert.equal(await search(), '?birthday=this_week')
  await user.press('Birthday this week')
  for (const [name, value] of [
    ['From: month', '3'],
    ['From: day', '1'],
    ['To: month', '3'],
    ['To: day', '4'],
  ] as const)
    await user.choose(`document.querySelector('select[aria-label=${JSON.stringify(name)}]')`, value)
  await user.press('Apply')
  await user.sees('Birthday 1 Mar – 4 Mar')
  assert.equal(await search(), '?birthday_from=03-01&birthday_to=03-04')
  await user.press('Last payment')
  await user.choose(`document.querySelector('[role=dialog] input[type=date]')`, '2021-01-01')
  await user.press('Apply')
  await user.sees('Last payment before 1 Jan 2021')
  await user.press('Clear the filters')
  await user.sees('Whose birthday is this week?')
})

test('more patients than a page are shown page after page, and each page names them in the log', { skip }, async () => {
  await site.go('/console/patients')
  await user.write('Patient', 'Peretz')
  await status(`${PATIENTS_PAGE} patients`)
  await user.press('No appointment ahead')
  await user.write('Patient', ' ')
  await status(`The first ${PATIENTS_PAGE} patients. There are more.`)
  await user.press('Show more')
  await status(`${PATIENTS_PAGE + 1} patients`)
  const { owner, clinic_id } = site
  const rows = await owner.read<{ count: number }>(
    utcSession(clinic_id),
    sql`select count from audit where clinic_id = ${clinic_id} and operation = 'console.patients.list' order by id desc limit 2`,
  )
  assert.deepEqual(
    rows.map(({ count }) => count),
    [1, PATIENTS_PAGE],
  )
})

test('nobody is told in words, with the way by an id, and back from a patient the list is there again', {
  skip,
}, async () => {
  await site.go('/console/patients?owes_more_than=0&last_visit_after=2180-01-01')
  await user.sees('No patient fits')
  await site.go('/console/patients')
  await user.write('Patient', 'pat_gone')
  await user.press('Open the id pat_gone')
  await user.sees('Everything that is held')
  await site.go('/console/patients?owes_more_than=500')
  await user.click(`document.querySelector('td.who a')`)
  await user.sees('Everything that is held')
  assert.equal(await search(), '?owes_more_than=500&patient_id=pat_dana')
  await site.tab.until(`document.activeElement.innerText === 'Dana Cohen'`)
  await user.click(`[...document.querySelectorAll('main a')].find((one) => one.textContent === 'Back to the list')`)
  await status('1 patient')
})

test('what an address says wrongly is told, and the page stays', { skip }, async () => {
  await site.go('/console/patients?last_visit_before=2021-02-31')
  await user.sees('does not exist')
  await user.press('Remove: Last visit before 2021-02-31')
  await user.sees('Whose birthday is this week?')
})

test('the list and an open chip are without faults of accessibility, and fit their width', { skip }, async () => {
  const listed = async (width: number) => {
    await site.go(
      '/console/patients?owes_more_than=0&birthday_from=02-20&birthday_to=03-04&has_future_appointment=false',
      width,
    )
    await site.tab.until(`document.querySelector('td.who')`)
  }
  const opened = async (width: number) => {
    await site.go('/console/patients', width)
    await user.click(`document.querySelectorAll('.ask-chip > button')[3]`)
    await site.tab.until(`document.querySelector('[role=dialog] select')`)
  }
  assert.deepEqual(await faultsOfPages(site, sized(VIEWS), { listed, opened }), [])
})
