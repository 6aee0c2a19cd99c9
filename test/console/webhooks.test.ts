// The webhooks of the console in the machine's Chromium, against the real service and a real receiver: subscribing, a receiver that
// breaks, seeing why, mending it, trying again; two administrators; what others write stays text.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { verifyWebhook } from '@clinic-data/client'
import type { EventType } from '@clinic-data/contract'
import { sql, utcSession } from '@clinic-data/database'
import { freePort } from '@clinic-data/testing/free-port'
import { sized } from '@clinic-data/testing/run/size'
import { emit } from '@clinic-data/webhooks'
import { faultsOfPages, VIEWS } from './faults-of-pages.ts'
import { type ConsoleSite, openBeforeTests } from './site.ts'
import { button, UserActions } from './user-actions.ts'
import { chosen, emitted, firstRow, type Received, receiver, subscribe } from './webhook-scene.ts'

let site: ConsoleSite
let user: UserActions
const skip = openBeforeTests(async (opened) => {
  site = opened
  user = new UserActions(site.tab)
  await site.hurry()
  await site.signIn('/console/webhooks')
})

const subscriptions = () =>
  site.owner.read<{ id: string; url: string; description: string | null }>(
    utcSession(site.clinic_id),
    sql`select id, url, description from subscription where clinic_id = ${site.clinic_id} order by created_at, id`,
  )

const subscribed = (url: string) => subscribe(site, url)
const happen = (...types: EventType[]) => emitted(site, ...types)
const choose = (action: string) => chosen(user, action)
test('an administrator subscribes, sees why a delivery failed, mends the receiver and tries again', {
  skip,
}, async (t) => {
  const { tab } = site
  const port = await freePort()
  await site.go('/console/webhooks')
  await user.sees('No webhooks yet')
  await user.press('New webhook')
  await user.forNewIntegration()
  await user.write('Address', 'http://crm.example.com/hooks')
  assert.equal(await tab.run(`document.querySelectorAll('dialog input:checked').length`), 0)
  await user.press('Make the webhook')
  await user.sees('Choose which events to send.')
  await tab.run(`document.querySelector('input[value=all]').click()`)
  await user.press('Make the webhook')
  await user.sees('It must begin with https://.')
  await user.write('Address', 'https://crm.example.com/hooks#top')
  await user.press('Make the webhook')
  await user.sees('It must end before the #.')
  await user.write('Address', 'https://10.0.0.1/hooks')
  await user.press('Make the webhook')
  await user.sees('It cannot be reached from the internet')
  assert.equal(await tab.run(`document.querySelector('dialog [aria-invalid=true]').value`), 'https://10.0.0.1/hooks')
  await user.write('Address', `http://127.0.0.1:${port}/hooks`)
  await user.write('Note', 'CRM')
  await tab.run(`document.querySelector('input[value=some]').click()`)
  await user.press('Make the webhook')
  await user.sees('Choose at least one kind of event.')
  const chosen = `[...document.querySelectorAll('.permission')].find((one) => one.textContent.includes('patient.created')).querySelector('input')`
  await tab.run(`${chosen}.click()`)
  const submit = button('Make the webhook')
  await tab.run(`${submit}.click(); ${submit}?.click(); ${submit}?.click()`)
  await user.sees('Copy the secret now')
  const secret = await tab.run<string>(`document.querySelector('.copy-text').textContent`)
  assert.match(secret, /^whsec_.{44}$/)
  await user.press('I have copied the secret')
  await tab.until(`document.querySelector('.subscription-address')`)
  assert.equal((await subscriptions()).length, 1)
  assert.ok(!(await tab.run<string>('document.documentElement.outerHTML')).includes(secret))
  // Nothing listens there yet.
  await user.click(`document.querySelector('.subscription-address')`)
  await user.press('Send a test event')
  await user.press('Send')
  await user.sees('The connection was refused')
  await user.sees('Failing')
  assert.deepEqual(await tab.run(`[...document.querySelectorAll('.event-chips li')].map((one) => one.textContent)`), [
    'A patient is added',
  ])
  await user.click(firstRow)
  await user.sees('No program answers at this address.')
  const received = await receiver(t, port)
  await user.press('Try again now')
  await tab.until(`document.querySelector('.arrived')`)
  const [{ headers, body } = assert.fail('nothing was received')] = received
  const event = verifyWebhook({ secret, headers, body })
  assert.deepEqual([event.type, event.test], ['patient.created', true])

  // Opened again it shows what the receiver got, and the lines that check it do.
  await tab.visit(await tab.run<string>('location.href'))
  await tab.until(`document.querySelector('.payload')`)
  const shown = await tab.run<string>(`document.querySelector('.payload').textContent`)
  assert.deepEqual(JSON.parse(shown), JSON.parse(body))
  const sent = await tab.run<Record<string, string>>(
    `Object.fromEntries([...document.querySelectorAll('.headers > div')].map((one) => [...one.children].map((part) => part.textContent)))`,
  )
  for (const [name, value] of Object.entries(sent)) assert.equal(value, headers[name.toLowerCase()], name)
  assert.ok('webhook-signature' in sent && 'X-Service-Signature' in sent)
  checkInPython(secret, { headers, body })
})

const PYTHON = readFileSync(new URL('../../packages/console/src/deliveries/verify.py', import.meta.url), 'utf8')

/** The lines for Python accept what was received, and nothing else. */
function checkInPython(secret: string, { headers, body }: Received): void {
  const request = JSON.stringify({ headers, body })
  const lines = `${PYTHON}\nimport json, sys\ngiven = json.load(sys.stdin)\nraw = given["body"].encode()
print(is_authentic(raw, given["headers"]), is_authentic(raw + b" ", given["headers"]))`
  const { stdout, error } = spawnSync('python3', ['-c', lines], {
    input: request,
    env: { ...process.env, WEBHOOK_SECRET: secret },
  })
  if (error === undefined) assert.equal(stdout.toString().trim(), 'True False')
}

test('a change is saved, unless somebody else changed the webhook meanwhile: then the administrator is told first', {
  skip,
}, async () => {
  const { tab } = site
  await site.go('/console/webhooks')
  const id = await subscribed('http://127.0.0.1:9/first')
  const stored = async () => (await subscriptions()).find((one) => one.id === id)
  await choose('Change')
  await user.write('Note', 'Mine')
  await site.owner.query(sql`update subscription set description = 'Theirs' where id = ${id}`)
  await user.press('Save')
  await user.sees('Somebody else changed this webhook meanwhile.')
  await user.sees('Theirs')
  assert.equal((await stored())?.description, 'Theirs')
  await user.press('Save mine')
  await tab.until(`!document.querySelector('dialog')`)
  assert.equal((await stored())?.description, 'Mine')
  await choose('Change')
  await user.write('Address', 'http://127.0.0.1:9/second')
  await user.press('Save')
  await tab.until(`document.querySelector('main h1').textContent.endsWith('second')`)
})

test('a rotated secret is shown once, and a deleted webhook is gone', { skip }, async () => {
  const { tab } = site
  await site.go('/console/webhooks')
  const id = await subscribed('http://127.0.0.1:9/third')
  const masked = await tab.run<string>(`document.querySelector('.heading').textContent.match(/whsec_…(.{4})/)[1]`)
  await choose('Rotate the secret')
  await user.press('Make a new secret')
  await user.sees('Copy the secret now')
  const secret = await tab.run<string>(`document.querySelector('.copy-text').textContent`)
  await user.press('I have copied the secret')
  assert.notEqual(secret.slice(-4), masked)
  await user.sees(`whsec_…${secret.slice(-4)}`)
  await choose('Delete')
  await user.press('Delete the webhook')
  await tab.until(`location.search === '' && document.querySelector('main h1').textContent === 'Webhooks'`)
  await tab.until(`document.activeElement === document.querySelector('main h1')`)
  assert.equal(
    (await subscriptions()).some((one) => one.id === id),
    false,
  )
  await site.go(`/console/webhooks?webhook=${id}`)
  await user.sees('This webhook no longer exists.')
})

test('what came while a dialog was open appears by itself once it is closed', { skip }, async () => {
  const { tab } = site
  await site.go('/console/webhooks')
  await subscribed('http://127.0.0.1:9/dialog')
  await user.sees('No deliveries yet')
  await user.press('Send a test event')
  await tab.until(`document.querySelector('dialog select')`)
  await happen('payment.recorded')
  await tab.until(`[...document.querySelectorAll('.fresh')].some((one) => one.textContent === '1 new delivery')`)
  await user.press('Cancel')
  await tab.until(`document.querySelector('.delivery')`)
})

test('what a receiver, an integrator or an address writes stays text', { skip }, async () => {
  const { tab } = site
  await site.go('/console/webhooks')
  const script = '<img src=x onerror="document.title=1"><script>document.title=1</script>'
  const id = await subscribed('http://127.0.0.1:9/fourth')
  await site.owner.query(sql`update subscription set description = ${script}, url = ${`http://127.0.0.1:9/${script}`},
    enabled = false, disabled_at = now(), disabled_reason = ${script} where id = ${id}`)
  const data = JSON.stringify({ id: 'x', note: script })
  await site.owner.query(sql`update subscription set enabled = true where id = ${id}`)
  await site.owner.write(site.clinic, (tx) => emit(tx, site.clinic, [{ type: 'patient.updated', data }], new Date()))
  await site.owner.query(sql`update subscription set enabled = false where id = ${id}`)
  for (const path of ['', `?webhook=${id}`]) {
    await site.go(`/console/webhooks${path}`)
    await user.sees(script)
    assert.equal(await tab.run(`document.querySelectorAll('main img, main script').length`), 0)
  }
  await user.click(firstRow)
  await tab.until(`document.querySelector('.payload')?.textContent.includes('onerror')`)
  assert.equal(await tab.run(`document.querySelectorAll('dialog img, dialog script').length`), 0)
  assert.ok((await tab.run<string>('document.title')).length > 1)
})

test('axe finds nothing in both languages and colour schemes, and no page is too wide', { skip }, async () => {
  const { tab } = site
  await site.go('/console/webhooks')
  const id = await subscribed(
    `http://127.0.0.1:${await freePort()}/a-long-address-of-a-program-that-waits-for-all-events`,
  )
  await happen('patient.created', 'payment.recorded')
  await tab.until(`document.querySelectorAll('.delivery .delivery-why').length === 2`)
  const visit = async (search: string, width: number, wanted: string) => {
    await site.go(`/console/webhooks${search}`, width)
    await tab.until(`document.querySelector(${JSON.stringify(wanted)})`)
  }
  const delivery = (await tab.run<string>(`document.querySelector('.delivery').href`)).split('?')[1]
  const one = (width: number) => visit(`?webhook=${id}`, width, '.delivery')
  const faults = await faultsOfPages(site, sized(VIEWS), {
    list: (width) => visit('', width, '.subscription .health'),
    one,
    make: async (width) => {
      await visit('', width, '.subscription .health')
      await tab.run(`[...document.querySelectorAll('main button')][0].click()`)
      await tab.until(`document.querySelector('input[value=some]')`)
      await tab.run(`document.querySelector('input[value=some]').click()`)
      await tab.until(`document.querySelector('.permission')`)
    },
    resend: async (width) => {
      await one(width)
      await tab.run(`document.querySelector('[aria-haspopup=menu]').click()`)
      await tab.until(`document.querySelector('[role=menuitem]')`)
      await tab.run(`document.querySelector('[role=menuitem]').click()`)
      await tab.until(`document.querySelector('dialog select')`)
    },
    delivery: async (width) => {
      await visit(`?${delivery}`, width, '.payload')
      await tab.run(`for (const one of document.querySelectorAll('dialog details')) one.open = true`)
    },
  })
  assert.deepEqual(faults, [])
})
