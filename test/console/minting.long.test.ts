// Tests that what the console shows of a new key works as it stands: the line for `sc`, the copy button, the expiry and the rate limit.
// And signing out everywhere ends the sessions of other browsers.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { makeSignInLink } from '@clinic-data/administration/administrators'
import { sized } from '@clinic-data/testing/run/size'
import { newFolder } from '../sc.ts'
import { faultsOfPages, VIEWS } from './faults-of-pages.ts'
import { type ConsoleSite, openBeforeTests } from './site.ts'
import { button, field, UserActions } from './user-actions.ts'

const run = promisify(execFile)
const SC = join(import.meta.dirname, '../../packages/cli/bin/sc.mjs')

let site: ConsoleSite
let user: UserActions
const skip = openBeforeTests((opened) => {
  site = opened
  user = new UserActions(site.tab)
})

/** The choice of a key that reads everything. */
const reading = `document.querySelector('[role=radiogroup] input[value=bi]')`

/** Opens the form of a new key in a new session, writes its name and chooses what it may do. */
async function openForm(name: string): Promise<void> {
  await site.open('/console/keys')
  await user.press('New key')
  await user.forNewIntegration()
  await user.write('Name', name)
  await user.click(reading)
}

/** The key, the line for curl and the line for `sc`. */
async function mint(): Promise<string[]> {
  await user.press('Make the key')
  await site.tab.until(`document.querySelectorAll('.copy-text').length === 3`)
  return site.tab.run(`[...document.querySelectorAll('.copy-text')].map((one) => one.textContent)`)
}

test('the line for the command line stores the key, and the next command uses it', { skip }, async (t) => {
  await openForm('Terminal')
  const [key = '', , line = ''] = await mint()
  const folder = await newFolder()
  t.after(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'sc'), `#!/bin/sh\nexec '${process.execPath}' '${SC}' "$@"\n`)
  await chmod(join(folder, 'sc'), 0o755)
  const env = { PATH: `${folder}:${process.env.PATH}`, HOME: folder, SC_CONFIG_DIR: join(folder, 'config') }
  const login = await run('sh', ['-c', line], { env })
  assert.ok(login.stderr.includes(site.clinic_id) && !login.stderr.includes(key))
  const whoami = await run('sh', ['-c', 'sc whoami --format json'], { env })
  assert.equal(JSON.parse(whoami.stdout).data.clinic_id, site.clinic_id)
})

test('a key that is shown once is not lost by Escape or a click beside it, and closing gives the focus back', {
  skip,
}, async () => {
  const { tab } = site
  await site.open('/console/keys')
  await tab.until(button('New key'))
  await tab.run(`${button('New key')}.focus()`)
  await user.press('New key')
  await user.forNewIntegration()
  await user.write('Name', 'Held')
  await user.click(reading)
  const shown = await mint()
  // The form that had the focus is gone: who reads with the keyboard or the ear goes on in the dialog.
  assert.ok(await tab.run(`document.activeElement.closest('dialog') !== null`))
  await tab.run(`{ globalThis.closings = 0
    document.querySelector('dialog').addEventListener('close', () => { globalThis.closings++ }) }`)
  await tab.run('document.activeElement.blur()')
  const pressed = { key: 'Escape', code: 'Escape', windowsVirtualKeyCode: 27 }
  for (const type of ['keyDown', 'keyUp', 'keyDown', 'keyUp'])
    await tab.send('Input.dispatchKeyEvent', { type, ...pressed })
  for (const type of ['mousePressed', 'mouseReleased']) {
    await tab.send('Input.dispatchMouseEvent', { type, x: 5, y: 5, button: 'left', clickCount: 1 })
  }
  const still = `[...document.querySelectorAll('dialog[open] .copy-text')].map((one) => one.textContent)`
  assert.deepEqual(await tab.run(still), shown)
  assert.equal(await tab.run('globalThis.closings'), 0)
  await user.press('I have copied the key')
  await tab.until(`document.activeElement === ${button('New key')} && !document.querySelector('dialog')`)
})

test('the copy button puts the key into the clipboard, also where the browser hides the clipboard from pages', {
  skip,
}, async () => {
  const { tab, address } = site
  await openForm('Copied')
  const [key = ''] = await mint()
  await tab.grant(address, ['clipboardReadWrite', 'clipboardSanitizedWrite'])
  const copy = `[...document.querySelectorAll('button')].find((one) => /^Cop(y|ied)$/.test(one.textContent.trim()))`
  const holdsKey = () =>
    tab.run(`new Promise((done) => {
      const look = async () => (await navigator.clipboard.readText()) === ${JSON.stringify(key)} ? done() : setTimeout(look)
      look()
    })`)
  // The button says so for a moment only, so the page itself looks.
  await tab.run(`new Promise((done) => {
    const one = ${copy}
    new MutationObserver(() => one.textContent.trim() === 'Copied' && done())
      .observe(one, { subtree: true, childList: true, characterData: true })
    one.click()
  })`)
  await holdsKey()
  await tab.run(`navigator.clipboard.writeText('something else')`)
  // As on a page that came by plain http.
  await tab.run(`navigator.clipboard.writeText = () => Promise.reject(new Error('hidden'))`)
  await user.click(copy)
  await holdsKey()
})

test('the expiry and the rate limit of the form hold for the key', { skip }, async () => {
  const { tab } = site
  await openForm('Limited')
  await tab.run(`{ const chosen = ${field('Expires')}; chosen.value = '30';
    chosen.dispatchEvent(new Event('change', { bubbles: true })) }`)
  await user.write('Requests per minute', '3')
  const [key = ''] = await mint()
  const minted = (await site.keys()).find(({ name }) => name === 'Limited')
  const days = (new Date(minted?.expires_at ?? '').getTime() - Date.now()) / 86_400_000
  assert.ok(days > 29.9 && days < 30.1, String(days))
  assert.equal(minted?.rate_limit, 3)
  const statuses: number[] = []
  for (let n = 0; n < 4; n++) statuses.push(await site.statusWith(key))
  assert.deepEqual(statuses, [200, 200, 200, 429])
})

test('signing out everywhere ends the session of another browser', { skip }, async () => {
  const { owner, clinic_id, address } = site
  await site.open('/console/account')
  const id = await site.tab.run<string>(
    `fetch('/console/api/session').then((answer) => answer.json()).then(({ data }) => data.administrator.id)`,
  )
  const { token } = await makeSignInLink(owner, { clinic_id, id, now: new Date() })
  const headers = { 'content-type': 'application/json', 'x-console': '1', origin: address }
  const begun = await fetch(`${address}/console/api/sign-in/link`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ token }),
  })
  const cookie = /^[^;]+/.exec(begun.headers.get('set-cookie') ?? '')?.[0] ?? ''
  const status = async () => (await fetch(`${address}/console/api/session`, { headers: { cookie } })).status
  assert.equal(await status(), 200)
  await user.press('Sign out everywhere')
  await site.tab.until(field('Password'))
  assert.equal(await status(), 401)
})

test('the menu of a phone opens, leads to a page and closes, without a fault of accessibility', { skip }, async () => {
  const { tab } = site
  const isShown = `document.querySelector('.navigation').getBoundingClientRect().left === 0`
  const openMenu = async (width: number) => {
    await site.go('/console/keys', width)
    await tab.until(`document.querySelector('nav a')`)
    if (width > 360) return
    // In the view before it was left open.
    await tab.until(`(() => {
      const button = document.querySelector('[role=region] [aria-expanded]')
      if (button?.ariaExpanded === 'false') button.click()
      return ${isShown}
    })()`)
  }
  assert.deepEqual(await faultsOfPages(site, sized(VIEWS), { menu: openMenu }), [])
  await site.signIn('/console/keys')
  await openMenu(360)
  await user.click(`document.querySelector('.navigation a[href="/console/account"]')`)
  await user.sees('Your account')
  await tab.until(`!(${isShown})`)
  assert.equal(await tab.run(`document.querySelector('[aria-expanded]').ariaExpanded`), 'false')
})
