// The console's page of the clinic in the machine's Chromium, against the real service: settings, branches, providers and their weeks,
// and ingest tokens from minting to revoking.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listIngestTokens } from '@clinic-data/administration/credentials/ingest-tokens'
import { sql, utcSession } from '@clinic-data/database'
import { generateDemo } from '@clinic-data/demo/generate-demo'
import { sized } from '@clinic-data/testing/run/size'
import { faultsOfPages, VIEWS } from './faults-of-pages.ts'
import { type ConsoleSite, openBeforeTests } from './site.ts'
import { button, UserActions } from './user-actions.ts'

const SCRIPT = '<img src=x onerror="window.hacked=1">'

let site: ConsoleSite
let user: UserActions
const skip = openBeforeTests(async (opened) => {
  site = opened
  user = new UserActions(site.tab)
  const { owner, clinic, clinic_id } = site
  await generateDemo({ database: owner, clinic, patients: 5, seed: 1, now: new Date() })
  await owner.write(utcSession(clinic_id), (tx) =>
    tx.query(sql`update provider set name = ${SCRIPT} where clinic_id = ${clinic_id} and id = 'dr-cohen'`),
  )
  await site.signIn('/console/clinic')
})

const section = (name: string) => `document.querySelector('section[aria-label=${JSON.stringify(name)}]')`

async function visit(width?: number): Promise<void> {
  await site.go('/console/clinic', width)
  await site.tab.until(`document.querySelectorAll('.clinic-table .week').length > 5`)
}

test('the settings are shown, and nothing on the page changes them', { skip }, async () => {
  await visit()
  await site.tab.until(`!${section('Settings')}.innerText.includes('…')`)
  const settings = await site.tab.run<string>(`${section('Settings')}.innerText`)
  for (const text of ['Asia/Jerusalem', 'Sunday', 'Israeli New Shekel', 'ILS', 'a minute', '15 min', 'The operator']) {
    assert.ok(settings.includes(text), `${text} in ${settings}`)
  }
  assert.equal(await site.tab.run(`${section('Settings')}.querySelectorAll('input, button, select').length`), 0)
})

test('each provider has the week that the clinic’s systems sent, and a script in a name stays text', {
  skip,
}, async () => {
  await visit()
  const rows = await site.tab.run<string[]>(
    `[...${section('Providers and working hours')}.querySelectorAll('tbody tr')].map((one) => one.innerText)`,
  )
  const cohen = rows.find((row) => row.includes('dr-cohen')) ?? ''
  assert.ok(cohen.includes(SCRIPT), cohen)
  const [window] = await site.owner.read<{ starts_at: string }>(
    utcSession(site.clinic_id),
    sql`select to_char(starts_at, 'HH24:MI') as starts_at from working_hours
      where clinic_id = ${site.clinic_id} and provider_id = 'dr-cohen' limit 1`,
  )
  assert.ok(window && cohen.includes(window.starts_at), cohen)
  assert.equal(await site.tab.run('window.hacked === undefined'), true)
})

test('a token is minted once by a double click, shown once, works, and is refused once it is revoked', {
  skip,
}, async () => {
  const { tab } = site
  await visit()
  await user.sees('No tokens yet')
  await user.press('New token')
  await tab.until(`document.activeElement?.closest('dialog form')`)
  await tab.send('Input.insertText', { text: 'CRM' })
  const submit = button('Make the token')
  await tab.run(`${submit}.click(); ${submit}?.click(); ${submit}?.click()`)
  await tab.until(`document.querySelectorAll('.copy-text').length === 2`)
  const token = await tab.run<string>(`document.querySelector('.copy-text').textContent`)
  const send = async () => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ id: 'p-1', first_name: 'Noa' })
    return (await fetch(`${site.address}/ingest/v1/patients`, { method: 'POST', headers, body })).status
  }
  assert.equal(await send(), 200)
  await user.press('I have copied the token')
  await tab.until(`${section('Ingest tokens')}.querySelectorAll('tbody tr').length === 1`)
  assert.ok(!(await tab.run<string>('document.documentElement.outerHTML')).includes(token))
  assert.equal((await listIngestTokens(site.owner, site.clinic_id)).length, 1)
  await user.click(`document.querySelector('[aria-label="Revoke CRM"]')`)
  await user.press('Revoke the token')
  await user.sees('Revoked tokens (1)')
  assert.equal(await send(), 401)
})

test('axe finds nothing in both languages and colour schemes, no page is too wide, and no script is refused', {
  skip,
}, async () => {
  const faults = await faultsOfPages(site, sized(VIEWS), {
    page: visit,
    mint: async (width) => {
      await visit(width)
      await user.click(`document.querySelector('.tokens button')`)
      await site.tab.until(`document.querySelector('dialog form')`)
    },
  })
  assert.deepEqual(faults, [])
})
