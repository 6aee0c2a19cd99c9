// Seven questions of a clinic's manager about its partners, in the machine's Chromium and in each language: each is answered in at most three clicks
// from home, on words that a reader sees and on nothing else.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { en } from '@clinic-data/console-words/en'
import { home as homeEn } from '@clinic-data/console-words/en/home'
import { integrations as integrationsEn } from '@clinic-data/console-words/en/integrations'
import { keyPage as keyPageEn } from '@clinic-data/console-words/en/key-page'
import { he } from '@clinic-data/console-words/he'
import { home as homeHe } from '@clinic-data/console-words/he/home'
import { integrations as integrationsHe } from '@clinic-data/console-words/he/integrations'
import { keyPage as keyPageHe } from '@clinic-data/console-words/he/key-page'
import { sized } from '@clinic-data/testing/run/size'
import { fillWithPartners, type Partner, statusOf } from './partner-scene.ts'
import { type ConsoleSite, openBeforeTests } from './site.ts'
import { button, field, UserActions } from './user-actions.ts'
import { emitted } from './webhook-scene.ts'

const MOST_CLICKS = 3

const words = {
  en: { ...en, home: homeEn, integrations: integrationsEn, keyPage: keyPageEn },
  he: { ...he, home: homeHe, integrations: integrationsHe, keyPage: keyPageHe },
}
type Words = (typeof words)['en']

let site: ConsoleSite
let user: UserActions
let crm: Partner
const skip = openBeforeTests(async (opened) => {
  site = opened
  user = new UserActions(site.tab)
  await site.hurry()
  await site.signIn('/console/')
  crm = (await fillWithPartners(site)).crm
  // Yesterday's booking is of a kind that the CRM's webhook does not want.
  await emitted(site, 'appointment.updated')
})

/** Whatever can be clicked and says this on a line of its own, of the dialog where there is one. */
const clickable = (text: string) => `[...(document.querySelector('dialog[open]') ?? document)
  .querySelectorAll('a, button, label, summary')]
  .find((one) => one.checkVisibility() && one.innerText.split('\\n').some((line) => line.trim() === ${JSON.stringify(text)}))`

/** Asks one question: begins at home, and counts the clicks. */
async function ask(question: string, answer: (click: (text: string) => Promise<void>) => Promise<void>): Promise<void> {
  await site.go('/console/')
  let clicks = 0
  await answer(async (text) => {
    clicks++
    await user.click(clickable(text))
  })
  assert.ok(clicks <= MOST_CLICKS, `${question} took ${clicks} clicks`)
}

/** The row of a table, or of a list of facts, says both. */
const says = (first: string, second: string) =>
  site.tab.until(`[...document.querySelectorAll('main tr')].some(({ innerText }) =>
    innerText.includes(${JSON.stringify(first)}) && innerText.includes(${JSON.stringify(second)}))`)

for (const [language, { home, integrations, keyPage, ...page }] of Object.entries(
  sized({ everyday: { he: words.he as Words }, long: words as Record<string, Words> }),
)) {
  test(`each of seven questions is answered in at most three clicks on words: ${language}`, { skip }, async () => {
    const { tab } = site
    await site.signIn('/console/')
    await user.choose(`document.querySelector('select:has([value=${language}])')`, language)
    await tab.until(`document.documentElement.lang === '${language}'`)

    await ask('who read most?', async () => {
      await user.sees(home.readers.title)
      await says('CRM', '7')
    })
    await ask('what runs out soon?', async (click) => {
      await user.sees(home.attention.title)
      await tab.until(
        `document.querySelector('main').innerText.includes(${JSON.stringify(home.attention.runsOut.key('').trim())})`,
      )
      await click('Agency')
      await user.sees(keyPage.until)
    })
    await ask('what does the agent see?', async (click) => {
      await click('Agent')
      await user.sees(integrations.may.title)
      await says(integrations.resources.patients ?? '', integrations.may.read)
      await user.sees(integrations.did.title)
    })
    await ask('give the agency leads only', async (click) => {
      await click(page.pages.keys)
      await click(page.keys.mint)
      await click(page.mint.preset.leads[0])
      await user.write(page.mint.name, `Agency ${language}`)
      await user.choose(field(page.forIntegration.which), 'new')
      await user.write(page.forIntegration.newName, `Agency ${language}`)
      await user.key('Enter')
      await user.sees(page.shown.title)
      await user.press(page.shown.done)
    })
    await ask('why did the CRM miss yesterday’s booking?', async (click) => {
      await click(page.pages.webhooks)
      await user.write(page.webhooks.record.title, 'x')
      await user.key('Enter')
      await user.sees(page.webhooks.record.missed)
      await user.sees(page.webhooks.record.reasons.not_subscribed(null))
    })
    await ask('a key leaked, what now?', async (click) => {
      await click(page.pages.keys)
      await click(`Agency ${language}`)
      await user.sees(keyPage.leaked.title)
      await user.sees(keyPage.leaked.revoke)
    })
    await ask('stop this partner now', async (click) => {
      await click('CRM')
      await click(integrations.stop)
      await click(integrations.stopping.submit)
      // What it says besides depends on whether the page read it before the stop's own answer.
      await tab.until(`Boolean(${button(integrations.resume)})`)
    })
    assert.equal(await statusOf(site, crm), 401)
    await user.press(integrations.resume)
    await tab.until(`!${button(integrations.resume)}`)
  })
}
