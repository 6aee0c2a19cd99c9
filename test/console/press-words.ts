// Presses what a person sees: a link, a button, a choice or an entry of a menu by its visible words alone, and counts the presses.
import type { Tab } from '@clinic-data/testing/run/chromium'

/** A manager's question is answered in so many. */
export const MOST_PRESSES = 3

const PRESSED = 'a, button, label, summary, [role=menuitem]'

/** The first that is seen with these words, within the open dialog if there is one. */
const seen = (words: string) => `((shown) => [...shown.querySelectorAll(${JSON.stringify(PRESSED)})]
  .find((one) => one.innerText.trim() === ${JSON.stringify(words)} && !one.disabled && one.checkVisibility()))(
  document.querySelector('dialog[open]') ?? document)`

export function presser(tab: Tab) {
  let count = 0
  const press = async (words: string) => {
    count++
    // In one step of the page: what is drawn again in between would be pressed in vain.
    await tab.until(`((found) => found && (found.click(), true))(${seen(words)})`)
  }
  return Object.assign(press, { count: () => count })
}
