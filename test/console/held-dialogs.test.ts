// What is shown once cannot be missed: whatever makes it stays open until it was shown, and shows it to nobody afterwards.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { button, closeOfDialog, Hand } from './hand.ts'
import { type ConsoleSite, openBeforeTests } from './site.ts'
import { chosen, subscribe } from './webhook-scene.ts'

let site: ConsoleSite
let hand: Hand
const skip = openBeforeTests(async (opened) => {
  site = opened
  hand = new Hand(site.tab)
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
      await hand.press('New key')
      await hand.write('Name', 'Slow')
      await hand.click(`document.querySelector('[role=radiogroup] input[value=bi]')`)
    },
    submit: 'Make the key',
    done: 'I have copied the key',
  },
  'an ingest token': {
    async open() {
      await site.go('/console/clinic')
      await hand.press('New token')
      await hand.write('Name', 'Slow')
    },
    submit: 'Make the token',
    done: 'I have copied the token',
  },
  'a webhook': {
    async open() {
      await site.go('/console/webhooks')
      await hand.press('New webhook')
      await hand.write('Address', 'http://127.0.0.1:9/slow')
      await hand.click(`document.querySelector('input[value=all]')`)
    },
    submit: 'Make the webhook',
    done: 'I have copied the secret',
  },
  'a new secret': {
    async open() {
      await site.go('/console/webhooks')
      await subscribe(site, 'http://127.0.0.1:9/rotated')
      await chosen(hand, 'Rotate the secret')
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
    await hand.press(submit)
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
    await hand.press(done)
    await tab.until(`!document.querySelector('dialog')`)
  })

test('a dialog that could not make anything can be closed again', { skip }, async (t) => {
  const { tab } = site
  await made['a key']?.open()
  t.after(reload)
  await tab.run(`fetch = async () => Response.json({ code: 'forbidden', status: 403 }, { status: 403 })`)
  await hand.press('Make the key')
  await tab.until(`document.querySelector('dialog [role=alert]')`)
  await hand.click(closeOfDialog)
  await tab.until(`!document.querySelector('dialog')`)
})
