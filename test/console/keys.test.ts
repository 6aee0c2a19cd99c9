// The console in the machine's Chromium, against the real service: signing in, keys from minting to revoking, an ended session, a lost
// connection, two languages, and no fault of accessibility.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { sql } from '@clinic-data/database'
import { sized } from '@clinic-data/testing/run/size'
import { faultsOfPages, VIEWS } from './faults-of-pages.ts'
import { type ConsoleSite, openBeforeTests } from './site.ts'
import { button, field, UserActions } from './user-actions.ts'

const run = promisify(execFile)

let site: ConsoleSite
let user: UserActions
const skip = openBeforeTests((opened) => {
  site = opened
  user = new UserActions(site.tab)
})

test('a link signs in once, and leaves the address at once', { skip }, async () => {
  const link = await site.link()
  await site.tab.visit(link)
  await user.press('Sign in')
  await user.sees('Make your first integration')
  assert.equal(await site.tab.run('location.hash + location.search'), '')
  await site.signOut()
  await site.tab.visit(link)
  await user.sees('This sign-in link has expired or was used before.')
})

test('a slow answer about the session before does not undo a sign-in', { skip }, async () => {
  const { tab } = site
  // The page asks for its session as soon as it is there. Here the answer, that there is none, comes after the sign-in.
  const usual = await tab.inject(`{
      const ask = window.fetch
      let isFirst = true
      window.fetch = async (path, request) => {
        if (!isFirst || !String(path).endsWith('/session')) return ask(path, request)
        isFirst = false
        const answer = await ask(path, request)
        while (document.querySelector('nav a') === null) await new Promise(requestAnimationFrame)
        setTimeout(() => { window.isTold = true }, 100)
        return answer
      }
    }`)
  await tab.visit(await site.link())
  await user.press('Sign in')
  await tab.until('window.isTold')
  assert.equal(await tab.run(`document.querySelector('nav a') !== null`), true)
  await usual()
  await site.signOut()
})

test('an administrator sets a password by a double click, signs out and signs in with it', { skip }, async () => {
  const { tab } = site
  await site.signIn('/console/account')
  await user.write('New password', 'short')
  await user.write('New password again', 'short')
  await user.press('Save the password')
  await user.sees('Write a password of 12 to 200 characters.')
  const fault = `document.querySelector('[role=alert]')?.innerText`
  assert.equal(await tab.run(fault), 'Write a password of 12 to 200 characters.', 'is read out, too')
  await user.write('New password', site.password)
  await user.write('New password again', `${site.password}.`)
  await user.press('Save the password')
  await user.sees('The two passwords differ.')
  await user.write('New password again', site.password)
  // A second request would not know the password that the first one has set.
  const save = button('Save the password')
  await tab.run(`${save}.click(); ${save}.click()`)
  await user.sees('The password is saved.')
  const saved = sql`select password from administrator where clinic_id = ${site.clinic_id}`
  const [stored] = await site.owner.read<{ password: string }>(site.clinic, saved)
  assert.match(stored?.password ?? '', /^scrypt\$32768\$8\$3\$/, 'at the cost of a service')
  await user.press('Sign out')
  await tab.until(field('Password'))
  assert.equal(await tab.run(`${field('Clinic')}.value`), site.clinic_id)
  assert.equal(await tab.run(`${field('E-mail')}.value`), site.email)
  await user.write('Password', 'wrong password')
  await user.press('Sign in')
  await user.sees('Clinic, e-mail and password do not belong together.')
  await user.write('Password', site.password)
  await user.press('Sign in')
  await tab.until(`document.querySelector('main h1')?.textContent === 'Your account'`)
})

test('a key of a preset is minted once by a double click, its line works, and revoking ends it', { skip }, async () => {
  const { tab } = site
  await site.open('/console/keys')
  await user.press('New key')
  await user.forNewIntegration()
  await user.write('Name', 'Website form')
  await tab.run(`document.querySelector('[role=radiogroup] input[value=leads]').click()`)
  const submit = button('Make the key')
  await tab.run(`${submit}.click(); ${submit}?.click(); ${submit}?.click()`)
  await tab.until(`document.querySelectorAll('.copy-text').length === 3`)
  const [key = '', line = ''] = await tab.run<string[]>(
    `[...document.querySelectorAll('.copy-text')].map((one) => one.textContent)`,
  )
  const { stdout } = await run('sh', ['-c', `${line} --silent --show-error`])
  assert.deepEqual(JSON.parse(stdout).data.scopes, ['leads:write'])
  await user.press('I have copied the key')
  await tab.until(`document.querySelectorAll('.keys tbody tr').length === 1`)
  assert.ok(!(await tab.run<string>('document.documentElement.outerHTML')).includes(key))
  assert.equal((await site.keys()).length, 1)

  await tab.run(`document.querySelector('[data-name=actions] button').click()`)
  const revoke = `[...document.querySelectorAll('[role=menuitem]')].find((one) => one.textContent === 'Revoke')`
  await user.click(revoke)
  await user.press('Revoke the key')
  await user.sees('Revoked and expired (1)')
  await tab.until(`document.activeElement === document.querySelector('main h1')`)
  assert.equal(JSON.parse((await run('sh', ['-c', `${line} --silent --show-error`])).stdout).status, 401)
})

test('nothing is chosen for a new key, it works for 90 days, and the list says what it may do', { skip }, async () => {
  const { tab } = site
  await site.open('/console/keys')
  await user.press('New key')
  await user.forNewIntegration()
  await user.write('Name', 'Chosen')
  assert.equal(await tab.run(`document.querySelectorAll('dialog input:checked').length`), 0)
  await user.press('Make the key')
  await user.sees('Choose at least one permission.')
  for (const scope of ['patients:read', 'leads:write'])
    await user.click(
      `[...document.querySelectorAll('.permission')].find((one) => one.textContent.includes('${scope}'))?.querySelector('input')`,
    )
  await user.write('Only from these addresses', '203.0.113.0/24, 203.0.113.9/8')
  await user.press('Make the key')
  await user.sees('Write at most 20 addresses or networks')
  await user.write('Only from these addresses', '203.0.113.0/24; 2001:DB8::1')
  await user.press('Make the key')
  await user.press('I have copied the key')
  const minted = (await site.keys()).find(({ name }) => name === 'Chosen')
  const days = (new Date(minted?.expires_at ?? '').getTime() - Date.now()) / 86_400_000
  assert.ok(days > 89.9 && days < 90.1, String(days))
  const row = `[...document.querySelectorAll('.keys tbody tr')].find((one) => one.textContent.includes('Chosen'))`
  await user.click(`${row}?.querySelector('summary')`)
  const items = `[...${row}.querySelectorAll('li')].map((one) => one.innerText)`
  assert.deepEqual(await tab.run(items), [
    'Read and search patients. patients:read',
    'Create leads. A submission that matches an open lead shows it. leads:write',
  ])
  await user.click(`${row}?.querySelector('a')`)
  await user.sees('203.0.113.0/24, 2001:db8::1')
})

test('a rotated key works beside the new one until it is revoked', { skip }, async () => {
  const { tab } = site
  const old = await site.mint('Power BI')
  await site.open('/console/keys')
  const row = `[...document.querySelectorAll('.keys tbody tr')].find((one) => one.textContent.includes('Power BI'))`
  await user.click(`${row}?.querySelector('[data-name=actions] button')`)
  await user.click(`[...document.querySelectorAll('[role=menuitem]')].find((one) => one.textContent === 'Rotate')`)
  await user.press('Make the key')
  await user.press('I have copied the key')
  await user.sees('Power BI has a newer key')
  await user.sees('It can be revoked.')
  assert.equal(await site.statusWith(old), 200)
  await user.press('Revoke the old key')
  await user.press('Revoke the key')
  await tab.until(`!document.querySelector('.rotation')`)
  await tab.until(`document.activeElement === document.querySelector('main h1')`)
  assert.equal(await site.statusWith(old), 401)
})

test('an ended session leads to signing in, and back to the page', { skip }, async () => {
  const { tab } = site
  await site.signIn('/console/account')
  // The page has got what it reads by itself.
  await tab.until(`performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/console/api/passkeys'))`)
  await user.write('New password', site.password)
  await user.write('New password again', site.password)
  await site.endSessions()
  await user.press('Save the password')
  await user.sees('Your session has ended.')
  assert.equal(await tab.run('location.pathname'), '/console/account')
  await user.write('Password', site.password)
  await user.press('Sign in')
  await tab.until(`document.querySelector('main h1')?.textContent === 'Your account'`)
})

test('what was typed when the session ended is there after signing in again, and gone once it was cancelled', {
  skip,
}, async () => {
  const { tab } = site
  await site.signIn('/console/keys')
  await user.press('New key')
  await user.forNewIntegration()
  await user.write('Name', 'Half typed')
  await tab.run(`document.querySelector('[role=radiogroup] input[value=leads]').click()`)
  await site.endSessions()
  await user.press('Make the key')
  await user.sees('Your session has ended.')
  assert.ok(!(await tab.run<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).includes('Half'))
  await user.write('Password', site.password)
  await user.press('Sign in')
  await tab.until(`${field('Name')}?.value === 'Half typed'`)
  assert.equal(await tab.run(`document.querySelector('[role=radiogroup] input:checked').value`), 'leads')
  await user.press('Cancel')
  await user.press('New key')
  await user.forNewIntegration()
  await tab.until(field('Name'))
  assert.equal(await tab.run(`${field('Name')}.value`), '')
})

test('the whole way from the keys to a minted one goes by keyboard, and the focus is seen', { skip }, async () => {
  const { tab } = site
  await site.signIn('/console/keys')
  await tab.until(button('New key'))
  await user.reach(`document.activeElement === ${button('New key')}`)
  assert.notEqual(await tab.run(`getComputedStyle(document.activeElement).outlineStyle`), 'none')
  await user.key('Enter')
  await tab.until(`document.activeElement === document.querySelector('dialog form input')`)
  await tab.send('Input.insertText', { text: 'By keyboard' })
  await user.forNewIntegration()
  await user.reach(`document.activeElement.matches('[role=radiogroup] input')`)
  await user.key(' ', 'Space')
  await user.reach(`document.activeElement === ${button('Make the key')}`)
  await user.key('Enter')
  await tab.until(`document.querySelectorAll('.copy-text').length === 3`)
  await user.reach(`document.activeElement === ${button('I have copied the key')}`)
  await user.key('Enter')
  await tab.until(`!document.querySelector('dialog')`)
  assert.ok((await site.keys()).some(({ name }) => name === 'By keyboard'))
})

test('Hebrew turns the page round, and keys stay from left to right', { skip }, async () => {
  const { tab } = site
  await site.open('/console/keys')
  await tab.until(`document.querySelector('.keys')`)
  await tab.run(`localStorage.setItem('console.language', 'he')`)
  await tab.visit(`${site.address}/console/keys`)
  await user.sees('מפתחות API')
  assert.equal(await tab.run('document.documentElement.dir + document.documentElement.lang'), 'rtlhe')
  await tab.until(`document.querySelector('.keys code')`)
  assert.equal(await tab.run(`getComputedStyle(document.querySelector('.keys code')).direction`), 'ltr')
  const isMirrored = `document.querySelector('.navigation').getBoundingClientRect().left > document.querySelector('main h1').getBoundingClientRect().right`
  assert.equal(await tab.run(isMirrored), true)
  await tab.run(`localStorage.setItem('console.language', 'en')`)
})

async function visit(path: string, width: number): Promise<void> {
  await site.go(path, width)
  await site.tab.until(`document.querySelector('main h1')`)
}

async function visitKeys(width: number): Promise<void> {
  await visit('/console/keys', width)
  await site.tab.until(`document.querySelector('.keys')`)
}

test('axe finds nothing in both languages and colour schemes, no page is too wide, and no script is refused', {
  skip,
}, async () => {
  const { tab, owner, clinic_id } = site
  await site.mint('Looked at')
  // The account page shows the weekly mail to whoever has chosen it.
  await owner.query(sql`insert into weekly_mail (clinic_id, administrator_id, language, due_at)
    select clinic_id, id, 'en', now() + interval '7 days' from administrator where clinic_id = ${clinic_id}`)
  const faults = await faultsOfPages(site, sized(VIEWS), {
    // Over the list of keys, all of which is seen.
    menu: async (width) => {
      await visitKeys(width)
      await tab.run(`document.querySelector('[data-name=actions] button').click()`)
      await tab.until(`document.querySelector('[role=menuitem]')`)
    },
    mint: async (width) => {
      await visitKeys(width)
      await tab.run(`document.querySelector('main button').click()`)
      await tab.until(`document.querySelector('.permissions')`)
    },
    account: (width) => visit('/console/account', width),
    nothing: (width) => visit('/console/nothing', width),
    'sign-in': async (width) => {
      await site.signOut()
      await tab.visit(`${site.address}/console/keys`, width)
      await tab.until(`document.querySelector('main h1')`)
    },
  })
  assert.deepEqual(faults, [])
})
