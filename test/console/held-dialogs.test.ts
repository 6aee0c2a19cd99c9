// Tests that nobody misses what is shown once: whatever makes it stays open until it was shown, and shows it to nobody afterwards.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ConsoleSite, openBeforeTests } from './site.ts'
import { button, closeOfDialog, UserActions } from './user-actions.ts'
import { chosen, subscribe } from './webhook-scene.ts'

let site: ConsoleSite
let user: UserActions
const skip = openBeforeTests(async (opened) => {
  site = opened
  user = new UserActions(site.tab)
  await site.signIn('/console/webhooks')
})

interface Made {
  /** Opens the dialog and fills it in. */
  readonly open: () => Promise<void>
  readonly submit: string
  readonly done: string
}

const made: Readonly<Record<string, Made>> = {
  'a key': {
    async open() {
      await site.go('/console/keys')
      await user.press('New key')
      await user.forNewIntegration()
      await user.write('Name', 'Slow')
      await user.click(`document.querySelector('[role=radiogroup] input[value=bi]')`)
    },
    submit: 'Make the key',
    done: 'I have copied the key',
  },
  'an ingest token': {
    async open() {
      await site.go('/console/clinic')
      await user.press('New token')
      await user.write('Name', 'Slow')
    },
    submit: 'Make the token',
    done: 'I have copied the token',
  },
  'a webhook': {
    async open() {
      await site.go('/console/webhooks')
      await user.press('New webhook')
      await user.forNewIntegration()
      await user.write('Address', 'http://127.0.0.1:9/slow')
      await user.click(`document.querySelector('input[value=all]')`)
    },
    submit: 'Make the webhook',
    done: 'I have copied the secret',
  },
  'a new secret': {
    async open() {
      await site.go('/console/webhooks')
      await subscribe(site, 'http://127.0.0.1:9/rotated')
      await chosen(user, 'Rotate the secret')
    },
    submit: 'Make a new secret',
    done: 'I have copied the secret',
  },
}

/** Each POST of the page waits until `goOn` is called. */
const HELD_BACK = `{
  const send = fetch
  globalThis.goOn = undefined
  fetch = async (path, request) => {
    if (request?.method === 'POST') await new Promise((go) => { goOn = go })
    return send(path, request)
  }
}`

/** The page sends as it did. */
const reload = () => site.tab.load(() => site.tab.run('location.reload()'))

for (const [what, { open, submit, done }] of Object.entries(made))
  test(`the dialog that makes ${what} cannot be closed before it has shown it`, { skip }, async (t) => {
    const { tab } = site
    await open()
    t.after(reload)
    await tab.run(HELD_BACK)
    await user.press(submit)
    await tab.until('globalThis.goOn')
    const pressed = { key: 'Escape', code: 'Escape', windowsVirtualKeyCode: 27 }
    for (const type of ['keyDown', 'keyUp', 'keyDown', 'keyUp'])
      await tab.send('Input.dispatchKeyEvent', { type, ...pressed })
    assert.equal(await tab.run(`${button('Cancel')}.disabled`), true)
    assert.equal(await tab.run(`document.querySelector('dialog[open]') !== null && ${closeOfDialog} === null`), true)
    await tab.run('goOn()')
    await tab.until(`document.querySelector('dialog[open] .copy-text')`)
    // Who reads with the keyboard or the ear goes on in the dialog.
    await tab.until(`document.activeElement?.closest('dialog')`)
    await user.press(done)
    await tab.until(`!document.querySelector('dialog')`)
  })

test('a dialog that could not make anything can be closed again', { skip }, async (t) => {
  const { tab } = site
  await made['a key']?.open()
  t.after(reload)
  await tab.run(`fetch = async () => Response.json({ code: 'forbidden', status: 403 }, { status: 403 })`)
  await user.press('Make the key')
  await tab.until(`document.querySelector('dialog [role=alert]')`)
  await user.click(closeOfDialog)
  await tab.until(`!document.querySelector('dialog')`)
})
