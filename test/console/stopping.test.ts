// Webhooks that are stopped in the machine's Chromium: by themselves, and with the key that made them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '@clinic-data/database'
import { sized } from '@clinic-data/testing/run/size'
import { type ConsoleSite, openBeforeTests } from './site.ts'
import { closeOfDialog, field, UserActions } from './user-actions.ts'
import { chosen, subscribe } from './webhook-scene.ts'

let site: ConsoleSite
let user: UserActions
const skip = openBeforeTests(async (opened) => {
  site = opened
  user = new UserActions(site.tab)
  await site.signIn('/console/webhooks')
})

/** What is chosen for the webhooks of a key: each is a revocation of its own, which waits for a second and more. */
const FATES: readonly ('stop' | 'remove')[] = sized({ everyday: ['stop'], long: ['stop', 'remove'] })
/** Nothing of a key is touched that sends no more, or is another's. */
const LEFT = {
  stop: [
    ['wh_key_0', false],
    ['wh_key_1', true],
    ['wh_key_2', false],
  ],
  remove: [
    ['wh_key_0', false],
    ['wh_key_2', false],
  ],
}

const choose = (action: string) => chosen(user, action)
const subscribed = (url: string) => subscribe(site, url)

test('a webhook is stopped, given another secret and started again, and says who made it', { skip }, async () => {
  await site.go('/console/webhooks')
  const id = await subscribed('http://127.0.0.1:9/stopped')
  await user.sees('by Dana Levi')
  await choose('Stop')
  await user.press('Stop the webhook')
  await user.sees('Nothing is sent. Once it is started')
  const enabled = async () =>
    (
      await site.owner.read<{ enabled: boolean }>(
        site.clinic,
        sql`select enabled from subscription where id = ${id}
      and clinic_id = ${site.clinic_id}`,
      )
    )[0]?.enabled
  assert.equal(await enabled(), false)
  await choose('Rotate the secret')
  await user.press('Make a new secret')
  await user.sees('The former secret no longer signs.')
  await user.press('I have copied the secret')
  await user.press('Start again')
  await user.press('Start the webhook')
  await user.sees('Send a test event to see whether the address answers.')
  assert.equal(await enabled(), true)
})

test('a dialog that was closed while its change ran closes none that was opened since', { skip }, async () => {
  await site.go('/console/webhooks')
  await subscribed('http://127.0.0.1:9/slowly')
  // The next change waits, and the requests that run are counted.
  await site.tab.run(`{
    const send = fetch
    globalThis.running = 0
    fetch = async (path, request) => {
      running++
      if (request?.method === 'PATCH') await new Promise((go) => { goOn = go })
      // Until the answer is read whole: what the page does then follows at once.
      return send(path, request).then(async (answer) => (await answer.clone().text(), answer)).finally(() => running--)
    }
  }`)
  await choose('Stop')
  await user.press('Stop the webhook')
  await site.tab.until('globalThis.goOn')
  await user.click(closeOfDialog)
  await choose('Change')
  await site.tab.run('goOn()')
  await user.sees('Nothing is sent. Once it is started')
  // The dialog of the change would close when all that it changed has been read again.
  await site.tab.until('running === 0')
  await site.tab.run(
    `new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(drawn))))`,
  )
  assert.equal(await site.tab.run(`document.querySelector('dialog[open] h2')?.textContent`), 'Change the webhook')
  await site.tab.load(() => site.tab.run('location.reload()'))
})

test('revoking a key tells which webhooks it made, and stops or deletes them if that is chosen', { skip }, async () => {
  const { tab, owner, clinic, clinic_id } = site
  const states = async () =>
    (
      await owner.read<{ id: string; enabled: boolean }>(
        clinic,
        sql`select id, enabled from subscription where clinic_id = ${clinic_id} and id like 'wh_key%' order by id`,
      )
    ).map(({ id, enabled }) => [id, enabled])
  const subscribe = (n: number, made_by: string | null) =>
    owner.write(clinic, async (tx) => {
      await tx.query(sql`insert into subscription (clinic_id, id, url, event_types, secret, secret_last_characters, created_at, made_by)
        values (${clinic_id}, ${`wh_key_${n}`}, ${`https://crm.example.com/${n}`}, '{}', ${Buffer.from('x')}, '', now(), ${made_by})`)
      await tx.query(sql`insert into lane (clinic_id, subscription_id) values (${clinic_id}, ${`wh_key_${n}`})`)
    })
  for (const [round, fate] of FATES.entries()) {
    const name = `CRM ${round}`
    await site.mint(name)
    const maker = (await site.keys()).find((one) => one.name === name)?.id ?? null
    const other = (await site.keys()).find((one) => one.name !== name)?.id ?? null
    if (round === 0) for (const [n, made_by] of [maker, other].entries()) await subscribe(n, made_by)
    else
      await owner.write(clinic, (tx) =>
        tx.query(sql`update subscription set made_by = ${maker}
        where clinic_id = ${clinic_id} and id like 'wh_key%'`),
      )
    await site.open('/console/keys')
    const row = `[...document.querySelectorAll('.keys tbody tr')].find((one) => one.textContent.includes(${JSON.stringify(name)}))`
    await tab.until(row)
    await tab.run(`${row}.querySelector('[data-name=actions] button').click()`)
    await user.click(`[...document.querySelectorAll('[role=menuitem]')].find((one) => one.textContent === 'Revoke')`)
    await user.sees('A webhook that it made goes on sending to:')
    // As the key may while the dialog is open.
    await subscribe(2 + round, maker)
    await user.choose(field('When the key is revoked'), fate)
    await user.press('Revoke the key')
    await tab.until(`!document.querySelector('dialog[open]') && !${row}?.querySelector('[data-name=actions] button')`)
    assert.deepEqual(await states(), LEFT[fate])
  }
})
