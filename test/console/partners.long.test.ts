// A manager's questions about partners, each answered in at most three presses on words that are seen, in both languages.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { en } from '@clinic-data/console-words/en'
import { home as enHome } from '@clinic-data/console-words/en/home'
import { integrations as enIntegrations } from '@clinic-data/console-words/en/integrations'
import { keyPage as enKeyPage } from '@clinic-data/console-words/en/key-page'
import { he } from '@clinic-data/console-words/he'
import { home as heHome } from '@clinic-data/console-words/he/home'
import { integrations as heIntegrations } from '@clinic-data/console-words/he/integrations'
import { keyPage as heKeyPage } from '@clinic-data/console-words/he/key-page'
import { sized } from '@clinic-data/testing/run/size'
import { startApp } from './app-scene.ts'
import { faultsOfPages, VIEWS } from './faults-of-pages.ts'
import { asks, fillWithPartners, makePartner, type Partner, statusOf } from './partner-scene.ts'
import { MOST_PRESSES, presser } from './press-words.ts'
import { type ConsoleSite, openBeforeTests } from './site.ts'
import { field, UserActions } from './user-actions.ts'

let site: ConsoleSite
let user: UserActions
let scene: Awaited<ReturnType<typeof fillWithPartners>>
const skip = openBeforeTests(async (opened) => {
  site = opened
  user = new UserActions(site.tab)
  await site.hurry()
  await site.signIn('/console/nothing')
  scene = await fillWithPartners(site)
})

const LANGUAGES = {
  en: { words: en, home: enHome, integrations: enIntegrations, keyPage: enKeyPage },
  he: { words: he, home: heHome, integrations: heIntegrations, keyPage: heKeyPage },
}

for (const [language, { words, home, integrations, keyPage }] of Object.entries(LANGUAGES)) {
  /** Begins at the home page, as whoever has just signed in. */
  async function begin() {
    await user.choose(`document.querySelector('select:has([value=${language}])')`, language)
    await site.tab.until(`document.documentElement.lang === '${language}'`)
    await site.go('/console/')
    await user.sees(home.attention.title)
    return presser(site.tab)
  }

  test(`"stop this partner now": its key is refused at once, and one press undoes it: ${language}`, {
    skip,
  }, async () => {
    const { agent } = scene
    const pressed = await begin()
    await pressed('Agent')
    await pressed(integrations.stop)
    await pressed(integrations.stopping.submit)
    await user.sees(integrations.done.stopped({ keys: 1, connections: 0, webhooks: 0, waiting: 0, expired: 0 }))
    assert.equal(await statusOf(site, agent), 401)
    const undone = presser(site.tab)
    await undone(integrations.resume)
    await user.sees(integrations.done.resumed({ keys: 1, connections: 0, webhooks: 0, waiting: 0, expired: 0 }))
    assert.equal(await statusOf(site, agent), 200)
    assert.ok(pressed.count() <= MOST_PRESSES)
  })

  test(`"a key leaked, what now?": the key's page says it, step by step: ${language}`, { skip }, async () => {
    const pressed = await begin()
    await pressed(words.pages.keys)
    await pressed('Agency')
    for (const step of [keyPage.leaked.revoke, keyPage.leaked.look, keyPage.leaked.again, keyPage.leaked.stop])
      await user.sees(step)
    await pressed(words.keys.revoke)
    await user.sees(words.revoke.text)
    await user.key('Escape')
    assert.ok(pressed.count() <= MOST_PRESSES)
  })

  test(`"what does the agent see?": a table says it of each kind of data: ${language}`, { skip }, async () => {
    const pressed = await begin()
    await pressed('Agent')
    await user.sees(integrations.may.title)
    const { resources, may } = integrations
    const rows = await accessRows()
    const expected = Object.fromEntries(Object.values(resources).map((name) => [name, may.none]))
    for (const resource of ['patients', 'catalog', 'analytics']) expected[resources[resource] ?? ''] = may.read
    assert.deepEqual(rows, expected)
    assert.ok(pressed.count() <= MOST_PRESSES)
  })

  test(`"give the agency leads only": the key opens leads and nothing else: ${language}`, { skip }, async () => {
    const pressed = await begin()
    await pressed(integrations.add)
    await user.write(words.mint.name, `Leads ${language}`)
    await pressed(words.mint.preset.leads[0])
    await pressed(words.mint.submit)
    await site.tab.until(`document.querySelectorAll('.copy-text').length === 3`)
    const key = await site.tab.run<string>(`document.querySelector('.copy-text').textContent`)
    assert.ok(pressed.count() <= MOST_PRESSES)
    await user.press(words.shown.done)
    await site.tab.until(`document.querySelector('main h1')?.textContent === 'Leads ${language}'`)
    const { resources, may } = integrations
    const rows = await accessRows()
    assert.equal(rows[resources.leads ?? ''], may.only(may.writes.leads ?? ''))
    assert.deepEqual([...new Set(Object.values(rows))].length, 2)
    const partner: Partner = { id: '', key_id: '', key }
    assert.equal((await asks(site, partner, '/v1/patients?limit=1')).status, 403)
  })

  test(`"why did the CRM miss the booking?": what failed is listed, with why: ${language}`, { skip }, async () => {
    const pressed = await begin()
    await pressed('CRM')
    await user.sees(words.webhooks.state.failing)
    const [happened] = words.webhooks.failures.errors.connect ?? assert.fail('no words for a refused connection')
    await user.sees(happened)
    await pressed(integrations.hooks.failures)
    await site.tab.until(`document.querySelector('.delivery')`)
    await user.sees(words.webhooks.types['appointment.created'])
    await site.tab.until(`document.querySelector('.delivery').textContent.includes(${JSON.stringify(happened)})`)
    assert.ok(pressed.count() <= MOST_PRESSES)
  })

  test(`"who reads most, what fails, what runs out?": the first page says it: ${language}`, { skip }, async () => {
    await begin()
    const shown = await site.tab.run<string>(`document.querySelector('main').innerText`)
    for (const text of [home.attention.failing(1), home.readers.title, 'Agency']) assert.ok(shown.includes(text), text)
    const readers = await site.tab.run<string[]>(`[...document.querySelectorAll(
      'table[aria-label=${JSON.stringify(home.readers.title)}] tbody tr')].map((row) => row.innerText.replace(/\\s+/g, ' '))`)
    assert.deepEqual(readers.sort(), ['Agent 7', 'CRM 7'])
  })

  test(`"whom do I call?": the partner's page says it after it was written there: ${language}`, { skip }, async () => {
    const pressed = await begin()
    await pressed('CRM')
    await pressed(integrations.change)
    await user.write(integrations.changing.contact, `Noa Bar, 03-555 01 00 (${language})`)
    await user.press(integrations.changing.submit)
    await user.sees(`Noa Bar, 03-555 01 00 (${language})`)
    assert.ok(pressed.count() <= MOST_PRESSES)
  })
}

/** By kind of data, as the table says what it may do. */
async function accessRows(): Promise<Record<string, string>> {
  await site.tab.until(`document.querySelector('.access tbody tr')`)
  const rows = await site.tab.run<[string, string][]>(`[...document.querySelector('.access tbody').rows]
    .map(({ cells }) => [cells[0].textContent, cells[1].textContent])`)
  return Object.fromEntries(rows)
}

test('the pages of partners are accessible and fit', { skip }, async () => {
  const { tab } = site
  const { crm, agency } = scene
  const page = (path: string, ready: string) => async (width: number) => {
    await site.go(path, width)
    await tab.until(`document.querySelector('${ready}')`)
  }
  const crmPage = page(`/console/integrations?integration=${crm.id}`, '.subscriptions .health')
  const dialog = (words: string) => async (width: number) => {
    await crmPage(width)
    const hebrew = { Stop: heIntegrations.stop, Change: heIntegrations.change }[words]
    const name = (await tab.run('document.documentElement.lang')) === 'he' ? hebrew : words
    await user.press(name ?? '')
    await tab.until(`document.querySelector('dialog[open]')`)
  }
  const pages = {
    home: page('/console/', '.attention'),
    list: page('/console/integrations', '.keys tbody tr'),
    one: crmPage,
    agency: page(`/console/integrations?integration=${agency.id}`, '.access'),
    key: page(`/console/keys?key=${crm.key_id}`, '.leaked'),
    stop: dialog('Stop'),
    change: dialog('Change'),
  }
  assert.deepEqual(await faultsOfPages(site, sized(VIEWS), pages), [])
})

test('a partner is stopped, and the stop undone, by keyboard', { skip }, async () => {
  const { agency } = scene
  await site.go(`/console/integrations?integration=${agency.id}`)
  await site.tab.until(`document.querySelector('main h1')?.textContent === 'Agency'`)
  await user.reach(`document.activeElement.textContent === 'Stop'`)
  await user.key('Enter')
  await site.tab.until(`document.querySelector('dialog[open]')`)
  // The focus begins at the button that changes nothing.
  await user.reach(`document.activeElement.textContent === 'Stop it now'`)
  await user.key('Enter')
  await user.sees('Refused: 1 key.')
  assert.equal(await statusOf(site, agency), 401)
  await user.reach(`document.activeElement.textContent === 'Undo the stop'`)
  await user.key('Enter')
  await user.sees('Accepted again: 1 key.')
  assert.equal(await statusOf(site, agency), 200)
})

/** The dialog has read the other integrations. */
const listed = ({ id }: Partner) => site.tab.until(`document.querySelector('dialog option[value=${id}]')`)

test('a key moves to another partner, and is stopped with that one', { skip }, async () => {
  const { agency, agent } = scene
  await user.choose(`document.querySelector('select:has([value=en])')`, 'en')
  await site.tab.until(`document.documentElement.lang === 'en'`)
  await site.go(`/console/integrations?integration=${agent.id}`)
  await site.tab.until(`document.querySelector('main h1')?.textContent === 'Agent'`)
  // A menu whose button is not on the screen is not shown.
  await site.tab.run(`document.querySelector('.keys tr:has(a) button').scrollIntoView({ block: 'center' })`)
  await user.press('Actions for Agent')
  const pressed = presser(site.tab)
  await pressed('Move to another integration')
  await listed(agency)
  await user.choose(field('To which integration?'), agency.id)
  await pressed('Move')
  await site.tab.until(`document.querySelector('main h1')?.textContent === 'Agency'`)
  await pressed('Stop')
  await pressed('Stop it now')
  await user.sees('Refused: 2 keys. Paused: nothing.')
  assert.deepEqual([await statusOf(site, agent), await statusOf(site, agency)], [401, 401])
  await pressed('Undo the stop')
  await user.sees('Accepted again: 2 keys.')
  assert.deepEqual([await statusOf(site, agent), await statusOf(site, agency)], [200, 200])
})

test('two partners become one, with all that belonged to both', { skip }, async () => {
  const { agency, crm } = scene
  await site.go(`/console/integrations?integration=${crm.id}`)
  const pressed = presser(site.tab)
  await pressed('More')
  await pressed('Merge with another integration')
  await listed(agency)
  await user.choose(field('Which one?'), agency.id)
  await pressed('Merge')
  await site.tab.until(`document.querySelectorAll('table[aria-label="Keys and connected apps"] tbody tr').length === 3`)
  await site.go('/console/integrations')
  await site.tab.until(`![...document.querySelectorAll('.keys .key-name')].some((one) => one.innerText === 'Agency')`)
})

test('a key is renamed, limited and ends anew on its own page', { skip }, async () => {
  await site.go(`/console/keys?key=${scene.crm.key_id}`)
  const pressed = presser(site.tab)
  await pressed('Change')
  await user.write('Name', 'CRM of the branch')
  await user.write('Requests per minute', '1234')
  await user.choose(field('Until'), '30')
  await pressed('Save')
  await site.tab.until(`document.querySelector('main h1')?.textContent === 'CRM of the branch'`)
  await user.sees('1,234 requests a minute')
  assert.equal(await statusOf(site, scene.crm), 200)
})

test('whoever connects an app says for which partner, and the page says when that one is stopped', {
  skip,
}, async () => {
  const { tab } = site
  await site.open('/console/integrations')
  const [own, other] = [
    await makePartner(site, 'Its own', ['calls:read']),
    await makePartner(site, 'Not it', ['calls:read']),
  ]
  await using desk = await startApp(site, { name: 'Desk app' })
  const choice = field('For which integration?')
  await tab.visit(desk.addressOf({ scope: 'calls:read' }))
  await tab.until(`[...(${choice}?.options ?? [])].some((one) => one.textContent === 'Its own')`)
  const offered = () => tab.run<string[]>(`[...${choice}.options].map((one) => one.textContent)`)
  const before = await offered()
  assert.equal(await tab.run(`${choice}.value`), 'new')
  assert.equal(await tab.run(`${field('Name of the new integration')}.value`), 'Desk app')
  assert.deepEqual(
    before.filter((one) => ['Its own', 'A new one'].includes(one)),
    ['Its own', 'A new one'],
  )
  await user.choose(choice, own.id)
  await tab.load(() => user.press('Allow'))
  assert.ok(await desk.exchange(desk.sentBack.at(-1)?.get('code') ?? ''))
  await site.open(`/console/integrations?integration=${own.id}`)
  await user.sees('Desk app')
  // The next time that is what it would get without a choice.
  await tab.visit(desk.addressOf({ scope: 'calls:read' }))
  await tab.until(`[...(${choice}?.options ?? [])].some((one) => one.textContent === 'Not it')`)
  assert.equal(await tab.run(`${choice}.value`), own.id)
  assert.deepEqual((await offered()).toSorted(), before.toSorted())
  const act = (id: string, what: string) =>
    tab.run(`fetch('/console/api/integrations/${id}/${what}', { method: 'POST', headers: { 'x-console': '1' } })`)
  await user.choose(choice, other.id)
  await act(other.id, 'stop')
  await user.press('Allow')
  await user.sees('This integration is stopped. Undo that first, or choose another one.')
  await act(other.id, 'resume')
  await site.open(`/console/integrations?integration=${own.id}`)
  await user.press('New key')
  await user.write('Name', 'Late')
  await user.click(`document.querySelector('dialog input[value=bi]')`)
  await act(own.id, 'stop')
  await user.press('Make the key')
  await user.sees('This integration is stopped. Undo that first, or choose another one.')
  await tab.visit(desk.addressOf({ scope: 'calls:read' }))
  await user.sees('What this app connected is stopped.')
  assert.equal(await tab.run(`document.querySelectorAll('button[type=submit]').length`), 0)
  await act(own.id, 'resume')
})
