// Two people in one form of the console, in the machine's Chromium: what the first has saved is shown to the second, and stays.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '@clinic-data/database'
import { makePartner } from './partner-scene.ts'
import { type ConsoleSite, openBeforeTests } from './site.ts'
import { UserActions } from './user-actions.ts'

let site: ConsoleSite
let user: UserActions
const skip = openBeforeTests(async (opened) => {
  site = opened
  user = new UserActions(site.tab)
  await site.signIn('/console/keys')
})

test('a key that somebody else has narrowed stays narrow, and both are shown before the change is saved', {
  skip,
}, async () => {
  const { key_id } = await makePartner(site, 'CRM', ['patients:read'], { rate_limit: 100 })
  await site.go(`/console/keys?key=${key_id}`)
  await user.press('Change')
  await user.write('Requests per minute', '50')
  await site.owner.query(sql`update api_key set networks = '{10.0.0.0/8}' where id = ${key_id}`)
  const stored = async () =>
    (await site.owner.query(sql`select networks, rate_limit from api_key where id = ${key_id}`)).rows[0]
  await user.press('Save')
  await user.sees('Somebody else changed this meanwhile.')
  await user.sees('10.0.0.0/8')
  assert.deepEqual(await stored(), { networks: ['10.0.0.0/8'], rate_limit: 100 })
  await user.press('Save')
  await site.tab.until(`!document.querySelector('dialog')`)
  assert.deepEqual(await stored(), { networks: ['10.0.0.0/8'], rate_limit: 50 })
})

const SELECT = `[...document.querySelectorAll('select')].find(({ options }) => [...options].some(({ value }) => value === '365'))`

test('a rule that somebody else has set is not undone by a choice on a page that shows the former one', {
  skip,
}, async () => {
  await site.go('/console/clinic')
  await user.sees('Longest life of keys and connected apps')
  await site.owner.query(sql`update clinic set longest_life_days = 30 where clinic_id = ${site.clinic_id}`)
  await user.choose(SELECT, '365')
  await user.sees('Somebody else changed this meanwhile, and nothing was saved.')
  const { rows } = await site.owner.query<{ longest_life_days: number }>(
    sql`select longest_life_days from clinic where clinic_id = ${site.clinic_id}`,
  )
  assert.equal(rows[0]?.longest_life_days, 30)
})
