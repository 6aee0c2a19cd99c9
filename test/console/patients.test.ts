// What an owner does for one patient in the machine's Chromium: finds them, downloads what is held, looks at what an erasure would do, and erases.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updateClinic } from '@clinic-data/administration/clinics'
import { sql, utcSession } from '@clinic-data/database'
import { insert, insertPatient } from '@clinic-data/testing/grounds/rows'
import { sized } from '@clinic-data/testing/run/size'
import { faultsOfPages, VIEWS } from './faults-of-pages.ts'
import { addPerson, decideElsewhere, enterAs } from './people-scene.ts'
import { type ConsoleSite, openBeforeTests } from './site.ts'
import { UserActions } from './user-actions.ts'

let site: ConsoleSite
let user: UserActions
const skip = openBeforeTests(async (opened) => {
  site = opened
  user = new UserActions(site.tab)
  for (const [id, first_name] of [
    ['pat_rivka', 'Rivka'],
    ['pat_yael', 'Yael'],
    ['pat_adi', 'Adi'],
    ['pat_dvora', 'Dvora'],
  ] as const)
    await storePatient(id, first_name)
  await site.signIn('/console/patients')
})

const PHONE = '+972501111111'

async function storePatient(id: string, first_name: string): Promise<void> {
  const { owner, clinic } = site
  await insertPatient(owner, clinic, { id, first_name, last_name: 'Mizrahi' }, [`${PHONE}${id.length}`, PHONE])
  await insert(owner, clinic, 'branch', { id: `${id}_branch` })
  const visit = { patient_id: id, branch_id: `${id}_branch`, note: 'Afraid of needles' }
  await insert(owner, clinic, 'appointment', { id: `${id}_visit`, ...visit })
  await insert(owner, clinic, 'call', { id: `${id}_call`, patient_phone: `${PHONE}${id.length}`, note: 'Rang' })
  await insert(owner, clinic, 'call', { id: `${id}_shared`, patient_phone: PHONE, note: 'Whose' })
}

const nameOf = async (id: string) => {
  const { owner, clinic_id } = site
  const rows = await owner.read<{ first_name: string | null }>(
    utcSession(clinic_id),
    sql`select first_name from patient where clinic_id = ${clinic_id} and id = ${id}`,
  )
  return rows[0]?.first_name
}

/** Types the beginning of a name, and takes the only patient with it. */
async function find(name: string): Promise<void> {
  await user.write('Patient', name)
  await user.key('Enter')
  await user.sees('Everything that is held')
}

test('an owner finds a patient and downloads everything that is held, by the keyboard alone', { skip }, async () => {
  const { tab } = site
  await tab.until(`document.activeElement?.tagName === 'H1' || document.querySelector('main h1')`)
  await user.reach(`document.activeElement.matches('.patient input')`)
  await tab.send('Input.insertText', { text: 'Rivka' })
  await user.key('Enter')
  await user.sees('Everything that is held')
  // What is saved is seen by the page's own link.
  await tab.run(`globalThis.saved = []; HTMLAnchorElement.prototype.click = function () { saved.push(this.download) }`)
  await user.reach(`document.activeElement.textContent === 'Download'`)
  await user.key('Enter')
  await user.sees('Downloaded:')
  assert.deepEqual(await tab.run('saved'), ['patient-pat_rivka.zip'])
})

test('an owner sees what would go, asks for it once more, and is told what went and what backups hold', {
  skip,
}, async () => {
  await user.press('See what would go')
  await user.sees('Stays, because it may be another person’s')
  assert.equal(await nameOf('pat_rivka'), 'Rivka')
  await user.press('Erase this patient…')
  await user.press('Cancel')
  assert.equal(await nameOf('pat_rivka'), 'Rivka')
  await user.press('Erase this patient…')
  await user.press('Erase for good')
  await user.sees('The patient was erased')
  await user.sees('After a restore of one, erase the patient again.')
  assert.equal(await nameOf('pat_rivka'), null)
  // Another look says so, and offers nothing.
  await site.go('/console/patients?patient_id=pat_rivka')
  await user.press('See what would go')
  await user.sees('Nothing has come back since.')
  await user.seesNo('Erase this patient…')
})

test('where the clinic wants it, an erasure waits for another person over its question, or is done later from the approvals', {
  skip,
}, async () => {
  const tal = await addPerson(site, 'Tal Ronen', 'administrator')
  await updateClinic(site.owner, site.clinic_id, { needs_approval: true }, () => undefined)
  const askFor = async (name: string) => {
    await site.go('/console/patients')
    await find(name)
    await user.press('See what would go')
    await user.press('Erase this patient…')
    await user.press('Erase for good')
    await user.sees('Another person has to approve this')
  }
  await askFor('Yael')
  await user.sees('Erase a patient: pat_yael')
  assert.equal(await nameOf('pat_yael'), 'Yael')
  await decideElsewhere(site, tal, 'approve')
  await user.sees('The patient was erased')
  assert.equal(await nameOf('pat_yael'), null)
  await askFor('Dvora')
  await user.click(
    `document.querySelector('dialog .approval-subject')?.closest('dialog').querySelector('[data-autofocus]')`,
  )
  await user.press('Cancel')
  await decideElsewhere(site, tal, 'approve')
  await site.go('/console/approvals')
  await user.press('Do it now: Erase a patient: pat_dvora')
  await user.sees('The patient was erased')
  assert.equal(await nameOf('pat_dvora'), null)
})

test('nobody but an owner is offered the page', { skip }, async () => {
  const ada = await addPerson(site, 'Ada Katz', 'administrator')
  await enterAs(site, ada)
  await site.go('/console/patients')
  await user.sees('Activity')
  assert.equal(await site.tab.run(`document.querySelector('nav a[href$="/patients"]')`), null)
  assert.equal(await site.tab.run(`document.querySelector('.patient input')`), null)
})

test('the page is without faults of accessibility, and fits its width, in both languages and colour schemes', {
  skip,
}, async () => {
  await site.signIn('/console/patients')
  const open = async (width: number) => {
    await site.go('/console/patients?patient_id=pat_adi', width)
    await user.click(`document.querySelectorAll('main .mantine-Button-root')[1]`)
    await site.tab.until(`document.querySelectorAll('.counts').length > 0`)
  }
  const asking = async (width: number) => {
    await open(width)
    await user.click(`document.querySelectorAll('main .mantine-Button-root')[2]`)
    await site.tab.until(`document.querySelector('dialog[open]')`)
  }
  assert.deepEqual(await faultsOfPages(site, sized(VIEWS), { open, asking }), [])
})
