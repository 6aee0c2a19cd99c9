// The buttons of the demo clinic in the machine's Chromium: each lets something happen by the real ingest API, and its event appears in
// the live list. Another clinic of the same service has neither.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { listIngestTokens } from '@clinic-data/administration/credentials/ingest-tokens'
import { generateDemo } from '@clinic-data/demo/generate-demo'
import { Stage } from '@clinic-data/demo/simulator/stage'
import { sized } from '@clinic-data/testing/run/size'
import { faultsOfPages, VIEWS } from './faults-of-pages.ts'
import { secondListener } from './second-listener.ts'
import { type ConsoleSite, openBeforeTests } from './site.ts'
import { UserActions } from './user-actions.ts'

type Ground = Awaited<ReturnType<typeof open>>
let ground: Ground
after(() => ground?.close())
const skip = openBeforeTests(async (site) => {
  ground = await open(site)
})

/** The service hears by its ingest API what happens. */
async function open(site: ConsoleSite) {
  const { owner, clinic, clinic_id } = site
  await generateDemo({ database: owner, clinic, patients: 20, seed: 1, now: new Date() })
  const failed: unknown[] = []
  await site.hurry()
  const demo = new Stage({ owner, clinic, address: () => site.address, onError: (error) => failed.push(error) })
  const listener = await secondListener(site, { demo })
  return {
    site,
    demo,
    failed,
    signIn: (path: string) => site.signIn(path, listener.address),
    tokens: async () => (await listIngestTokens(owner, clinic_id)).filter(({ revoked_at }) => revoked_at === null),
    async close() {
      await demo.close()
      await listener[Symbol.asyncDispose]()
    },
  }
}

test('each button lets something happen, and its event appears in the live list without its body', {
  skip,
}, async () => {
  const { tab } = ground.site
  const user = new UserActions(tab)
  await ground.signIn('/console/clinic')
  for (const [name, type] of [
    ['Book an appointment', 'appointment.created'],
    ['Receive a call', 'call.completed'],
    ['Send a message', 'chat.message.received'],
  ] as const) {
    await user.press(name)
    await tab.until(`[...document.querySelectorAll('.demo-events code')].some((one) => one.textContent === '${type}')`)
  }
  const cells = await tab.run<string[]>(
    `[...document.querySelectorAll('.demo-events tbody tr')].map((one) => one.innerText)`,
  )
  assert.ok(
    cells.every((text) => /^[a-z._]+\s+\d{1,2} \w{3,4} \d{4}, \d\d:\d\d\s+evt_\w+$/.test(text)),
    cells.join('\n'),
  )
  assert.equal((await ground.tokens()).length, 1)
  assert.deepEqual(ground.failed, [])
})

test('axe finds nothing in both languages and colour schemes, no page is too wide, and no script is refused', {
  skip,
}, async () => {
  const { site, demo, signIn } = ground
  for (const act of ['appointment', 'call', 'message'] as const) await demo.act(act)
  const faults = await faultsOfPages({ tab: site.tab, signIn }, sized(VIEWS), {
    clinic: async (width) => {
      await site.go('/console/clinic', width)
      await site.tab.until(`document.querySelectorAll('.demo-events tbody tr').length > 2`)
    },
  })
  assert.deepEqual(faults, [])
})

test('the same clinic has no such buttons in a service without a demo clinic', { skip }, async () => {
  const { site } = ground
  await site.signIn('/console/clinic')
  await site.tab.until(`document.querySelector('section[aria-label=Settings] dd')?.textContent`)
  await site.tab.until(`document.querySelectorAll('.clinic-table .week').length > 5`)
  assert.equal(await site.tab.run(`document.querySelector('section[aria-label="Try it"]')`), null)
})

test('a token that a killed process left is revoked by the next, and closing leaves none', { skip }, async () => {
  const { site, demo, failed } = ground
  const next = new Stage({
    owner: site.owner,
    clinic: site.clinic,
    address: () => site.address,
    onError: (error) => failed.push(error),
  })
  const [left] = await ground.tokens()
  await next.act('appointment')
  const [opened, ...others] = await ground.tokens()
  assert.notEqual(opened?.id, left?.id)
  assert.deepEqual(others, [])
  await next.close()
  await demo.close()
  assert.deepEqual(await ground.tokens(), [])
})
