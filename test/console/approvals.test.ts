// A second person's approval in the machine's Chromium: a form waits over itself and goes on, and whoever has closed it does it later from the page.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '@clinic-data/database'
import { sized } from '@clinic-data/testing/run/size'
import { faultsOfPages, VIEWS } from './faults-of-pages.ts'
import { type AddedPerson, addPerson, decideElsewhere, enterAs } from './people-scene.ts'
import { type ConsoleSite, openBeforeTests } from './site.ts'
import { button, UserActions } from './user-actions.ts'

let site: ConsoleSite
let user: UserActions
let tal: AddedPerson
const skip = openBeforeTests(async (opened) => {
  site = opened
  user = new UserActions(site.tab)
  tal = await addPerson(site, 'Tal Ronen', 'administrator')
})

let partners = 0

/** In whichever language the page is. */
async function fillKey(name: string, width?: number): Promise<void> {
  const { tab } = site
  await site.go('/console/keys', width)
  await user.click(`document.querySelector('main .mantine-Button-root')`)
  const input = `document.querySelector('dialog input[data-autofocus]')`
  await tab.until(`${input} && (${input}.focus(), document.activeElement === ${input})`)
  await tab.send('Input.insertText', { text: name })
  await tab.until(`${input}.value === ${JSON.stringify(name)}`)
  // Each name is another one, so that no integration has it already.
  partners += 1
  await user.choose(`document.querySelector('dialog select')`, 'new')
  await user.choose(
    `document.querySelector('dialog select').closest('form').querySelectorAll('input[maxlength="200"]')[1]`,
    `Partner ${partners}`,
  )
  await user.click(`document.querySelector('dialog input[value=bi]')`)
  await user.click(`document.querySelector('dialog button[type=submit]')`)
  await tab.until(`document.querySelector('dialog .approval-subject')?.innerText.includes(${JSON.stringify(name)})`)
}

/** Closes the dialog that waits, and the form below it. */
async function giveUp(): Promise<void> {
  await user.click(
    `document.querySelector('dialog .approval-subject')?.closest('dialog').querySelector('[data-autofocus]')`,
  )
  await user.click(`document.querySelector('dialog form .mantine-Button-root')`)
  await site.tab.until(`document.querySelector('dialog') === null`)
}

test('an owner turns it on, and a key waits over its form and goes on by itself once it is approved', {
  skip,
}, async () => {
  await site.signIn('/console/approvals')
  await user.sees('2 people of the clinic may approve.')
  await user.press('Turn on')
  await user.sees('It holds at once.')
  await user.click(`[...document.querySelectorAll('dialog button')].find((one) => one.textContent === 'Turn on')`)
  await user.sees('A second person approves: On')
  await fillKey('CRM')
  assert.deepEqual(await site.keys(), [])
  await decideElsewhere(site, tal, 'approve')
  await user.sees('Copy the key now')
  await user.press('I have copied the key')
  assert.deepEqual(
    (await site.keys()).map(({ name }) => name),
    ['CRM'],
  )
})

test('a refusal is told over the form, and nothing was made', { skip }, async () => {
  await fillKey('Agency')
  await decideElsewhere(site, tal, 'refuse')
  await user.sees('Tal Ronen refused it.')
  await user.click(
    `document.querySelector('dialog .approval-subject')?.closest('dialog').querySelector('[data-autofocus]')`,
  )
  await user.sees('Another owner or administrator has to approve this')
  assert.equal((await site.keys()).length, 1)
  await user.press('Cancel')
})

test('somebody else finds it on the home page and approves it, and whoever has closed the form does it later', {
  skip,
}, async () => {
  const { tab } = site
  await fillKey('Billing')
  await giveUp()
  await enterAs(site, tal)
  await user.sees('1 request waits for you')
  await site.go('/console/approvals')
  await user.sees('Asked by Dana Levi')
  await user.sees('Read and search patients.')
  await user.press('Approve: Make a key: Billing')
  await tab.until(`document.body.innerText.includes('Approved by') && !${button('Approve: Make a key: Billing')}`)
  await site.signIn('/console/approvals')
  await user.press('Do it now: Make a key: Billing')
  await user.sees('Copy the key now')
  await user.press('I have copied the key')
  await user.sees('Earlier (3)')
  assert.deepEqual((await site.keys()).map(({ name }) => name).sort(), ['Billing', 'CRM'])
})

test('the page and the dialog that waits have no fault in both languages, and fit a phone', { skip }, async () => {
  const { tab, owner, clinic_id } = site
  await owner.query(sql`update clinic set needs_approval = true where clinic_id = ${clinic_id}`)
  await site.open('/console/keys')
  await fillKey('Web site')
  await giveUp()
  const faults = await faultsOfPages(site, sized(VIEWS), {
    page: async (width) => {
      // The one that waited in the view before.
      if (await tab.run<boolean>(`document.querySelector('dialog') !== null`)) await giveUp()
      await site.go('/console/approvals', width)
      await user.sees('Web site')
    },
    waiting: async (width) => fillKey('Web site', width),
  })
  assert.deepEqual(faults, [])
})
