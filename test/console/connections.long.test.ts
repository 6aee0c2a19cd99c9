// A connected app in the machine's Chromium whose end is put off. Each change waits until every process knows of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopesWith, startApp } from './app-scene.ts'
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
