// The first walk of a new administrator through the console, in each language: nothing but the page and a terminal is needed.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { en } from '@clinic-data/console-words/en'
import { he } from '@clinic-data/console-words/he'
import { generateDemo } from '@clinic-data/demo/generate-demo'
import { freePort } from '@clinic-data/testing/free-port'
import { sized } from '@clinic-data/testing/run/size'
import { type ConsoleSite, openBeforeTests } from './site.ts'
import { field, UserActions } from './user-actions.ts'

const run = promisify(execFile)

let site: ConsoleSite
let user: UserActions
const skip = openBeforeTests(async (opened) => {
  site = opened
  user = new UserActions(site.tab)
  await generateDemo({ database: site.owner, clinic: site.clinic, patients: 20, seed: 1, now: new Date() })
  await site.hurry()
})

const link = (text: string) =>
  `[...document.querySelectorAll('a')].find((one) => one.textContent.trim() === ${JSON.stringify(text)})`

async function receive(t: TestContext, port: number): Promise<void> {
  const server = createServer((_request, response) => response.writeHead(204).end()).listen(port, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
}

/** Returns what a line prints that was pasted into a terminal. */
async function paste(line: string) {
  const { stdout } = await run('sh', ['-c', `${line} --silent --show-error`])
  return JSON.parse(stdout)
}

for (const [language, words] of Object.entries(sized({ everyday: { he }, long: { en, he } }))) {
  test(`a new administrator finds the way through all of it: ${language}`, { skip }, async (t) => {
    const { tab } = site
    await tab.visit(await site.link())
    await user.choose(`document.querySelector('select:has([value=${language}])')`, language)
    await user.press(words.signIn.submit)
    await user.click(link(words.pages.keys))
    const name = `Power BI ${language}`
    const key = await mint(words, name)
    await mend(t, words)
    await whoRead(words, name, await read(key))

    await user.click(link(words.pages.explore))
    await user.click(link(words.explore.start.revenue_by_provider))
    await tab.until(`document.querySelectorAll('.answer tbody tr').length > 1`)
    assert.equal(await tab.run('document.documentElement.lang'), language)
    assert.deepEqual(
      tab.said.filter((one) => /Content Security Policy|exceptionDetails/.test(one)),
      [],
    )
    await site.signOut()
  })
}

type Walked = typeof en

/** Makes a key for BI, and tries it by the line to paste. */
async function mint(words: Walked, name: string): Promise<string> {
  const { tab } = site
  await user.press(words.keys.mint)
  await user.write(words.mint.name, name)
  await user.choose(field(words.forIntegration.which), 'new')
  await user.write(words.forIntegration.newName, name)
  await user.click(`document.querySelector('[role=radiogroup] input[value=bi]')`)
  await user.press(words.mint.submit)
  await tab.until(`document.querySelectorAll('.copy-text').length === 3`)
  const [key = '', curl = ''] = await tab.run<string[]>(
    `[...document.querySelectorAll('.copy-text')].map((one) => one.textContent)`,
  )
  assert.equal((await paste(curl)).data.clinic_id, site.clinic_id)
  await user.press(words.shown.done)
  return key
}

/** Reads a patient in a terminal. @returns the patient's id. */
async function read(key: string): Promise<string> {
  const get = (path: string) => paste(`curl -H 'Authorization: Bearer ${key}' '${site.baseUrl}/v1${path}'`)
  const [{ id }] = (await get('/patients?limit=1')).data
  assert.equal((await get(`/patients/${id}`)).data.id, id)
  return id
}

/** Makes a webhook whose receiver is down, sees why, starts the receiver and tries again. */
async function mend(t: TestContext, words: Walked): Promise<void> {
  const { tab } = site
  const { form, once: secret, testing, failures, delivery } = words.webhooks
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/hooks`
  await user.click(link(words.pages.webhooks))
  await user.press(words.webhooks.add)
  await user.write(form.url, url)
  await user.click(`document.querySelector('input[value=all]')`)
  await user.choose(field(words.forIntegration.which), 'new')
  await user.write(words.forIntegration.newName, `Receiver ${port}`)
  await user.press(form.create)
  await user.press(secret.done)
  await user.click(
    `[...document.querySelectorAll('.subscription-address')].find((one) => one.textContent.trim() === '${url}')`,
  )
  await user.press(words.webhooks.test)
  await user.press(testing.submit)
  const [happened, why] = failures.errors.connect ?? assert.fail('no words for a refused connection')
  await user.sees(happened)
  await user.click(`document.querySelector('.delivery')`)
  await user.sees(why)
  await receive(t, port)
  await user.press(delivery.retry)
  await tab.until(`document.querySelector('.arrived')`)
  await user.press(words.close)
}

/** Looks who read a patient: the key of this walk. */
async function whoRead(words: Walked, name: string, id: string): Promise<void> {
  const { tab } = site
  await user.click(link(words.pages.activity))
  await user.write(words.activity.patient.label, id)
  await tab.send('Input.dispatchKeyEvent', { type: 'keyDown', key: 'Enter', text: '\r', windowsVirtualKeyCode: 13 })
  await tab.until(`location.search === '?patient_id=${id}'`)
  await tab.until(`document.querySelector('.log-row')?.textContent.includes(${JSON.stringify(name)})`)
}
