// Acts like a user on a page of the console: finds buttons and fields by their words, presses and writes.
import assert from 'node:assert/strict'
import type { Tab } from '@clinic-data/testing/run/chromium'

/** The expression of a button, by its text or its name. */
export const button = (text: string) =>
  `[...document.querySelectorAll('button')].find((one) => (one.ariaLabel ?? one.textContent.trim()) === ${JSON.stringify(text)})`

/** The button that closes a dialog. The menu of a narrow screen has one of the same name. */
export const closeOfDialog = `document.querySelector('dialog[open] [aria-label=Close]')`

/** The expression of a field, by its label. */
export const field = (label: string) =>
  `[...document.querySelectorAll('label')].find((one) => one.textContent === ${JSON.stringify(label)})?.control`

const KEY_CODES: Readonly<Record<string, number>> = { Tab: 9, Enter: 13, ' ': 32, Escape: 27 }
/** More than a page has places to be focused. */
const MOST_STEPS = 60

export class UserActions {
  readonly #tab: Tab
  #integrations = 0

  constructor(tab: Tab) {
    this.#tab = tab
  }

  /** Waits for a button that can be pressed, and presses it. */
  async press(text: string): Promise<void> {
    await this.click(button(text))
  }

  /** Waits and presses in one step of the page: what is drawn again in between would be pressed in vain. */
  async click(expression: string): Promise<void> {
    await this.#tab.until(`${expression} && !${expression}.disabled && (${expression}.click(), true)`)
  }

  /** Clicks what leads to another page at once: after the page has answered, which is gone then. */
  async leave(expression: string): Promise<void> {
    const click = `(setTimeout(() => ${expression}.click()), true)`
    await this.#tab.load(() => this.#tab.until(`${expression} && !${expression}.disabled && ${click}`))
  }

  async write(label: string, text: string): Promise<void> {
    await this.#tab.until(`(${field(label)}?.select(), ${field(label)})`)
    await this.#tab.send('Input.insertText', { text })
  }

  /** Chooses an option of a list, or an entry such as a date, like a person does, so that the page hears it. */
  async choose(expression: string, value: string): Promise<void> {
    // In one step of the page, as a press.
    await this.#tab.until(`((control) => {
      if (!control) return false
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value').set.call(control, ${JSON.stringify(value)})
      control.dispatchEvent(new Event('change', { bubbles: true }))
      return true
    })(${expression})`)
  }

  /** What the dialog makes is for a new integration. Each has a name of its own. */
  async forNewIntegration(): Promise<void> {
    this.#integrations += 1
    await this.choose(field('For which integration?'), 'new')
    await this.write('Name of the new integration', `Partner ${this.#integrations}`)
  }

  /** Presses a key of the keyboard. */
  async key(key: string, code = key): Promise<void> {
    const text = key === 'Enter' ? '\r' : key === ' ' ? ' ' : undefined
    await this.#tab.send('Input.dispatchKeyEvent', {
      type: 'keyDown',
      key,
      code,
      windowsVirtualKeyCode: KEY_CODES[key],
      ...(text && { text }),
    })
    await this.#tab.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code })
  }

  /** Presses Tab until the focus is there. */
  async reach(condition: string): Promise<void> {
    for (let steps = 0; steps < MOST_STEPS; steps++) {
      if (await this.#tab.run<boolean>(`Boolean(document.activeElement) && (${condition})`)) return
      await this.key('Tab')
    }
    assert.fail(`the Tab key never reaches ${condition}`)
  }

  async sees(text: string): Promise<void> {
    await this.#tab.until(`document.body.innerText.includes(${JSON.stringify(text)})`)
  }

  async seesNo(text: string): Promise<void> {
    await this.#tab.until(`!document.body.innerText.includes(${JSON.stringify(text)})`)
  }
}
