// A connected app in the machine's Chromium whose end is put off. Each change waits until every process knows of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sized } from '@clinic-data/testing/run/size'
import { scopesWith, startApp } from './app-scene.ts'
import { faultsOfPages, VIEWS } from './faults-of-pages.ts'
import { type ConsoleSite, openBeforeTests } from './site.ts'
import { field, UserActions } from './user-actions.ts'

let site: ConsoleSite
let user: UserActions
const skip = openBeforeTests((found) => {
  site = found
  user = new UserActions(site.tab)
})

const row = (name: string) =>
  `[...document.querySelectorAll('.keys tbody tr')].find((one) => one.querySelector('a')?.textContent === ${JSON.stringify(name)})`

/** Chooses an action of the only connection of an app. */
async function act(name: string, action: string): Promise<void> {
  await user.press(`Actions for ${name}`)
  await user.click(`[...document.querySelectorAll('[role=menuitem]')].find((one) => one.textContent === '${action}')`)
}

test('a connection is extended, and its app notices nothing', { skip }, async () => {
  const { tab } = site
  await using agent = await startApp(site, { name: 'Agent' })
  await site.open('/console/connections')
  const { access_token: token = '' } = await agent.connect(['patients:read'], 1)
  await tab.visit(`${site.address}/console/connections`)
  await act('Agent', 'Change')
  await user.choose(field('Ends'), '365')
  await user.press('Save')
  const year = String(new Date(Date.now() + 365 * 86_400_000).getFullYear())
  await tab.until(`${row('Agent')}?.querySelector('[data-label=Ends]').textContent.includes('${year}')`)
  await act('Agent', 'Change')
  await user.choose(field('Ends'), 'until-ended')
  await user.press('Save')
  await tab.until(`${row('Agent')}?.querySelector('[data-label=Ends]').textContent === 'When somebody ends it'`)
  assert.deepEqual(await scopesWith(site, token), ['patients:read'])
})

test('a stricter rule of the clinic ends connections, which it says before, and its page and the refused question are accessible and fit', {
  skip,
}, async (t) => {
  const { tab } = site
  await using notes = await startApp(site, { name: 'Notes', kind: 'self_registered' })
  await site.open('/console/connections')
  const { access_token: token = '' } = await notes.connect(['patients:read'])
  const rule = field('Which apps may be connected')
  const set = async (allowed: string, says: string) => {
    await site.go('/console/connections')
    await tab.until(`${rule} && !${rule}.disabled`)
    await user.choose(rule, allowed)
    await user.sees(says)
    await user.press('Set the rule')
    await tab.until(`document.querySelector('dialog') === null && ${rule}.value === '${allowed}'`)
  }
  await set('verified', '1 connection ends at once')
  t.after(() => set('any', 'No connection ends with it.'))
  assert.equal(await scopesWith(site, token), 401)
  const faults = await faultsOfPages(site, sized(VIEWS), {
    rule: async () => {
      await site.go('/console/connections')
      await tab.until(`document.querySelector('main section select') !== null`)
    },
    refused: async (width) => {
      await tab.visit(notes.addressOf({ scope: 'patients:read' }), width)
      await tab.until(`document.querySelector('.consent [role=alert]')`)
    },
  })
  assert.deepEqual(faults, [])
  await tab.visit(notes.addressOf({ scope: 'patients:read' }))
  await user.sees('The clinic does not allow this app')
  await tab.load(() => user.press('Cancel'))
  assert.equal(notes.sentBack.at(-1)?.get('error'), 'access_denied')
  await site.open('/console/connections')
})
